import { inflateRawSync } from "node:zlib";

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DEFLATED = 8;

/** The files of a zip archive in memory, in its order: stored or deflated, without encryption and below 4 GB. */
export function* zipEntries(archive: Buffer): Generator<{ readonly name: string; readonly data: Buffer }> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || archive.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error("not a zip archive: no directory");
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let k = 0; k < count; k++) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw new Error(`zip archive: entry ${k} of the directory is damaged`);
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field));
    const name = archive.toString("utf8", at + 46, at + 46 + nameSize!);
    const begin = archive.readUInt32LE(at + 42);
    const data = begin + 30 + archive.readUInt16LE(begin + 26) + archive.readUInt16LE(begin + 28);
    const packed = archive.subarray(data, data + archive.readUInt32LE(at + 20));
    yield { name, data: archive.readUInt16LE(at + 10) === DEFLATED ? inflateRawSync(packed) : packed };
    at += 46 + nameSize! + extraSize! + commentSize!;
  }
}
