/** Writes frames as GStreamer's `gdppay` does, by the layout of its header; apart from the reader in src/. */

const HEADER = 62;

export interface WrittenPacket {
  readonly type: number;
  readonly payload: Uint8Array;
  readonly stampNs?: bigint;
  readonly hasPayloadCrc?: boolean;
}

/** CRC of 16 bits, bit by bit: polynomial 0x1021, start 0xFFFF, inverted. */
function checksum(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const isOne = ((crc >> 15) & 1) !== ((byte >> bit) & 1);
      crc = (crc << 1) & 0xffff;
      if (isOne) crc ^= 0x1021;
    }
  }
  return ~crc & 0xffff;
}

export function gdpPacket({ type, payload, stampNs = 2n ** 64n - 1n, hasPayloadCrc = false }: WrittenPacket): Buffer {
  const head = Buffer.alloc(HEADER);
  head[0] = 1;
  head[2] = hasPayloadCrc ? 3 : 1;
  head.writeUInt16BE(type, 4);
  head.writeUInt32BE(payload.length, 6);
  head.writeBigUInt64BE(stampNs, 10);
  head.writeUInt16BE(checksum(head.subarray(0, 58)), 58);
  if (hasPayloadCrc) head.writeUInt16BE(checksum(payload), 60);
  return Buffer.concat([head, payload]);
}

export function gdpCaps(format: string, width: number, height: number, media = "video/x-raw"): Buffer {
  const text = `${media}, format=(string)${format}, width=(int)${width}, height=(int)${height}, framerate=(fraction)25/1\0`;
  return gdpPacket({ type: 2, payload: Buffer.from(text) });
}

export function gdpFrame(payload: Uint8Array, stampNs: number): Buffer {
  return gdpPacket({ type: 1, payload, stampNs: BigInt(stampNs) });
}
