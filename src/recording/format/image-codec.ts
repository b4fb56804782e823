import { Image } from "../../messages/sensing.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { fromJson, toJson } from "../../transport/message-json.js";
import type { ItemOf } from "../recording.js";
import { foxgloveTime } from "./foxglove-schemas.js";
import { decodePng, encodePng } from "./png.js";

/**
 * Images are the one message that a file holds in a schema of Foxglove's, a `CompressedImage` in PNG: a copy for each reader would
 * double the file. Colour images are PNG in colour. What Foxglove has no field for stands beside its fields, as the JSON of the message has it.
 */

const NO_PIXELS = new Uint8Array(0);
/** Larger images are taken for damage [px]. */
const MAX_SIDE = 16_384;

/** `frameId` is the name of the camera's optical frame in pictures: its link in the robot. */
export function encodeImage(item: ItemOf<"cameras/images">, frameId: string): Uint8Array {
  const { pixels: _, ...own } = toJson(Image, { ...item, pixels: NO_PIXELS });
  const text = JSON.stringify({
    timestamp: foxgloveTime(item.exposureNs),
    frame_id: frameId,
    format: "png",
    ...own,
  });
  // Base64 needs no escapes: spares JSON a pass over half a megabyte.
  return Buffer.from(`${text.slice(0, -1)},"data":"${encodePng(item).toString("base64")}"}`, "latin1");
}

/** Throws with the reason if the message is no image of ours. */
export function decodeImage(json: Readonly<Record<string, unknown>>, timeNs: number): ItemOf<"cameras/images"> {
  const { data, format } = json;
  if (typeof data !== "string" || format !== "png") {
    throw new FlycatcherError("FLY_MESSAGE_JSON", "not an image of a recording", { path: "/format", expected: "png" });
  }
  const own = Object.fromEntries(Object.entries(json).filter(([name]) => name in Image.fields));
  const image = fromJson(Image, { ...own, pixels: "" });
  const { width, height, encoding = "mono8" } = image;
  if (!(Math.min(width, height) >= 1 && Math.max(width, height) <= MAX_SIDE)) {
    const expected = `1 to ${MAX_SIDE} pixels a side`;
    const found = `${width} × ${height}`;
    throw new FlycatcherError("FLY_MESSAGE_JSON", "not an image of a recording", { path: "/width", expected, found });
  }
  const pixels = decodePng(Buffer.from(data, "base64"), width, height, encoding);
  return { topic: "cameras/images", timeNs, ...image, pixels };
}
