import Type from "typebox";
import { Compile } from "typebox/compile";
import type { CameraSide, ImageItem } from "../recorded-messages.js";
import { foxgloveTime } from "./foxglove-schemas.js";
import { decodeGrayPng, encodeGrayPng } from "./gray-png.js";

/**
 * Images are the one item that is a message of Foxglove's itself, a `CompressedImage` in PNG: a copy for each reader would
 * double the file. What Foxglove has no field for stands beside its fields.
 */

const count = Type.Integer({ minimum: 0 });
const timeNs = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
/** Larger images are taken for damage [px]. */
const MAX_SIDE = 16_384;
const side = Type.Integer({ minimum: 1, maximum: MAX_SIDE });

/** What a replay reads of the message. */
const validator = Compile(
  Type.Object({
    data: Type.String(),
    format: Type.Literal("png"),
    frame: count,
    exposureNs: timeNs,
    arrivalNs: timeNs,
    width: side,
    height: side,
  }),
);

/** Name of a camera's optical frame in pictures: its link in the robot. */
export function encodeImage(item: ImageItem, frameId: string): Uint8Array {
  const { frame, exposureNs, arrivalNs, width, height } = item;
  const fields = { timestamp: foxgloveTime(exposureNs), frame_id: frameId, format: "png" };
  const own = { frame, exposureNs, arrivalNs, width, height };
  const text = JSON.stringify({ ...fields, ...own });
  // Base64 needs no escapes: spares JSON a pass over half a megabyte.
  return Buffer.from(`${text.slice(0, -1)},"data":"${encodeGrayPng(item).toString("base64")}"}`, "latin1");
}

/** Throws with the reason if the message is no image of ours. */
export function decodeImage(json: unknown, camera: CameraSide, time: number): ImageItem {
  if (!validator.Check(json)) throw new RangeError("not an image of a recording");
  const { data, frame, exposureNs, arrivalNs, width, height } = json;
  const pixels = decodeGrayPng(Buffer.from(data, "base64"), width, height);
  return { topic: "cameras/images", timeNs: time, camera, frame, exposureNs, arrivalNs, width, height, pixels };
}
