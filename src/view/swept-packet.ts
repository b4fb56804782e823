/**
 * What each of the robot's bodies can sweep through until the robot stands, if it goes on as commanded for the reaction
 * time and then brakes: the volumes that the safety monitor keeps apart. Each is told by its farthest points in the
 * directions of `makeSupportDirections`, in world.
 */
export interface SweptPacket {
  /** Of the command they follow from [s]. */
  time: number;
  /** For each body, in the order of the robot's hulls: least distance to another on the way to standstill [m]. */
  readonly distances: Float32Array;
  /** For each body and direction x, y, z [`SWEPT_UNIT` m]. */
  readonly points: Int16Array;
}

export const SWEPT_PACKET = 3;
/** Half a millimetre [m]: two bytes then reach to 16 m. */
export const SWEPT_UNIT = 5e-4;

const HEADER_BYTES = 16;

export function createSweptPacket(bodies: number, directions: number): SweptPacket {
  return { time: 0, distances: new Float32Array(bodies), points: new Int16Array(3 * bodies * directions) };
}

/** u8 kind (3), u8 bodies, u16 directions, u32 reserved, f64 time [s]; then f32 a distance a body; then i16 a coordinate. */
export function encodeSweptPacket({ time, distances, points }: SweptPacket): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + distances.byteLength + points.byteLength);
  const view = new DataView(bytes.buffer);
  bytes.set([SWEPT_PACKET, distances.length]);
  view.setUint16(2, distances.length === 0 ? 0 : points.length / 3 / distances.length, true);
  view.setFloat64(8, time, true);
  let at = HEADER_BYTES;
  for (let k = 0; k < distances.length; k++, at += 4) view.setFloat32(at, distances[k]!, true);
  for (let k = 0; k < points.length; k++, at += 2) view.setInt16(at, points[k]!, true);
  return bytes;
}

/** null if the bytes are not such a packet. */
export function decodeSweptPacket(bytes: Uint8Array): SweptPacket | null {
  if (bytes.length < HEADER_BYTES || bytes[0] !== SWEPT_PACKET) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bodies = bytes[1]!;
  const packet = createSweptPacket(bodies, view.getUint16(2, true));
  const { distances, points } = packet;
  if (bytes.length !== HEADER_BYTES + distances.byteLength + points.byteLength) return null;
  packet.time = view.getFloat64(8, true);
  let at = HEADER_BYTES;
  for (let k = 0; k < distances.length; k++, at += 4) distances[k] = view.getFloat32(at, true);
  for (let k = 0; k < points.length; k++, at += 2) points[k] = view.getInt16(at, true);
  return packet;
}
