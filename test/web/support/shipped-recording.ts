import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../../src/runtime/package-root.js";

/** Shipped recordings of one ball each, all of them caught. */
const folder = join(packageRoot, "data", "throws", "single");

/** One of the shipped recordings, as bytes of an MCAP file. */
export async function shippedRecording(): Promise<Buffer> {
  const [first] = (await readdir(folder)).filter((name) => name.endsWith(".mcap")).sort();
  return readFile(join(folder, first!));
}
