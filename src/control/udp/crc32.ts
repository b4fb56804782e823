/** CRC-32 as in Ethernet and zip (polynomial 0xEDB88320, reflected): what guards each frame of the protocol. */

const table = makeTable();

function makeTable(): Int32Array {
  const entries = new Int32Array(256);
  for (let n = 0; n < 256; n++) {
    let value = n;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    entries[n] = value;
  }
  return entries;
}

/** Of bytes[0 … length − 1], as an unsigned number. */
export function crc32(bytes: Uint8Array, length = bytes.length): number {
  let value = -1;
  for (let i = 0; i < length; i++) value = table[(value ^ bytes[i]!) & 0xff]! ^ (value >>> 8);
  return ~value >>> 0;
}
