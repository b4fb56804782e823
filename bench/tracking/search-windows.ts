import { array, choice, described, f64, struct, u16, u32 } from "../../src/transport/channels/field.js";
import { type PacketView, packet } from "../../src/transport/channels/packet.js";
import { Camera } from "./detector-packets.js";

/** Room for windows in one image. */
export const maxWindows = 16;

/** Where the tracker expects circles in a camera's coming image. For an image without windows the whole is searched. */
export const SearchWindows = packet("SearchWindows", 1, {
  camera: choice(Camera),
  frame: described(u32, "number of the frame they are for"),
  count: described(u16, "windows in use; 0: search the whole image"),
  windows: array(
    struct({
      u: described(f64, "expected centre, to the right [px]"),
      v: described(f64, "expected centre, downwards [px]"),
      halfSize: described(f64, "how far the centre may be from there, along u and v [px]"),
      minRadius: described(f64, "[px]"),
      maxRadius: described(f64, "[px]"),
    }),
    maxWindows,
  ),
});
export type SearchWindows = PacketView<typeof SearchWindows>;
