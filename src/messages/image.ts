import { bytes, choice, described, time, u16, u32 } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";
import { Camera } from "./camera.js";

/**
 * One image of one camera, 8-bit gray, rows from top to bottom without padding. The size is part of the type: a channel
 * is made for the images of one camera setting. The return type is the same for all sizes.
 */
export function imagePacket(width: number, height: number) {
  return packet("Image", 1, {
    tExposure: described(time, "middle of the exposure [ns]"),
    tArrival: described(time, "when the driver had it [ns]"),
    camera: choice(Camera),
    frame: described(u32, "number of the frame; a gap is a lost one"),
    width: described(u16, "[px]"),
    height: described(u16, "[px]"),
    pixels: described(bytes(width * height), "width × height gray values"),
  });
}
export type Image = PacketView<ReturnType<typeof imagePacket>>;
