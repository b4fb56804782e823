const BLOCK = 512;

/** The plain files of a tar archive (ustar), by name. */
export function readTar(archive: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const text = (from: number, length: number): string => {
    const bytes = archive.subarray(from, from + length);
    const end = bytes.indexOf(0);
    return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString("utf8");
  };
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const kind = text(at + 156, 1);
    const prefix = text(at + 345, 155);
    const name = text(at, 100);
    const begin = at + BLOCK;
    if (kind === "" || kind === "0") {
      files.set(prefix === "" ? name : `${prefix}/${name}`, archive.subarray(begin, begin + size));
    }
    at = begin + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
