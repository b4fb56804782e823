/**
 * The robot and the balls at one moment, as a small binary message for those who watch, at most sixty times a second.
 * Little-endian: u8 kind (1), u8 joints, u8 hands, u8 balls, f32 reserved, f64 time [s]; then f32 each: joint positions
 * [rad or m], how far each hand is closed (0 open, 1 closed), the head's pose (rotation by rows, then position [m]); then
 * for each ball i32 id, f32 x, y, z [m].
 */
export interface PosePacket {
  time: number;
  readonly joints: Float32Array;
  readonly hands: Float32Array;
  readonly head: Float32Array;
  balls: { readonly id: number; readonly position: readonly [number, number, number] }[];
}

export const POSE_PACKET = 1;
/** A camera's image: see `decodeImagePacket`. */
export const IMAGE_PACKET = 2;

const HEADER_BYTES = 16;
const HEAD_NUMBERS = 12;
const BALL_BYTES = 16;
const WINDOW_BYTES = 12;

export function createPosePacket(joints: number, hands: number): PosePacket {
  return {
    time: 0,
    joints: new Float32Array(joints),
    hands: new Float32Array(hands),
    head: new Float32Array(HEAD_NUMBERS),
    balls: [],
  };
}

export function encodePosePacket({ time, joints, hands, head, balls }: PosePacket): Uint8Array {
  const numbers = joints.length + hands.length + HEAD_NUMBERS;
  const bytes = new Uint8Array(HEADER_BYTES + 4 * numbers + BALL_BYTES * balls.length);
  const view = new DataView(bytes.buffer);
  bytes.set([POSE_PACKET, joints.length, hands.length, balls.length]);
  view.setFloat64(8, time, true);
  let at = HEADER_BYTES;
  for (const part of [joints, hands, head]) {
    for (const value of part) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  }
  for (const { id, position } of balls) {
    view.setInt32(at, id, true);
    for (let k = 0; k < 3; k++) view.setFloat32(at + 4 + 4 * k, position[k]!, true);
    at += BALL_BYTES;
  }
  return bytes;
}

/** null if the bytes are not a pose packet. */
export function decodePosePacket(bytes: Uint8Array): PosePacket | null {
  if (bytes.length < HEADER_BYTES || bytes[0] !== POSE_PACKET) return null;
  const [, joints, hands, balls] = bytes as unknown as [number, number, number, number];
  const numbers = joints + hands + HEAD_NUMBERS;
  if (bytes.length !== HEADER_BYTES + 4 * numbers + BALL_BYTES * balls) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const packet = createPosePacket(joints, hands);
  packet.time = view.getFloat64(8, true);
  let at = HEADER_BYTES;
  for (const part of [packet.joints, packet.hands, packet.head]) {
    for (let k = 0; k < part.length; k++, at += 4) part[k] = view.getFloat32(at, true);
  }
  for (let k = 0; k < balls; k++, at += BALL_BYTES) {
    const position = [4, 8, 12].map((offset) => view.getFloat32(at + offset, true));
    packet.balls.push({ id: view.getInt32(at, true), position: position as [number, number, number] });
  }
  return packet;
}

/** A camera's image, rows from top to bottom, perhaps smaller than it was taken. */
export interface ImagePacket {
  readonly camera: "left" | "right";
  readonly width: number;
  readonly height: number;
  /** Exposure [s]. */
  readonly time: number;
  /** Gray values, or red, green and blue of each pixel. */
  readonly encoding: "mono8" | "rgb8";
  readonly pixels: Uint8Array;
  /** Squares in which balls were looked for, and the image is new; none: everywhere [px of this image]. */
  readonly windows: readonly ImageWindow[];
}

/** Middle and half the side of a square. */
export interface ImageWindow {
  readonly u: number;
  readonly v: number;
  readonly halfSize: number;
}

/** In the byte of the camera: the image is in colour. */
const COLOUR = 2;

/**
 * u8 kind (2), u8 camera (0 left, 1 right; 2 more: in colour, three bytes a pixel), u16 width, u16 height, u16 windows, f64 exposure [s]; for each window f32 u, v,
 * half its side; then the pixels.
 */
export function encodeImagePacket({ camera, width, height, time, encoding, pixels, windows }: ImagePacket): Uint8Array {
  const first = HEADER_BYTES + WINDOW_BYTES * windows.length;
  const size = (encoding === "rgb8" ? 3 : 1) * width * height;
  const bytes = new Uint8Array(first + size);
  const view = new DataView(bytes.buffer);
  bytes.set([IMAGE_PACKET, (camera === "left" ? 0 : 1) + (encoding === "rgb8" ? COLOUR : 0)]);
  view.setUint16(2, width, true);
  view.setUint16(4, height, true);
  view.setUint16(6, windows.length, true);
  view.setFloat64(8, time, true);
  for (const [k, { u, v, halfSize }] of windows.entries()) {
    const at = HEADER_BYTES + WINDOW_BYTES * k;
    view.setFloat32(at, u, true);
    view.setFloat32(at + 4, v, true);
    view.setFloat32(at + 8, halfSize, true);
  }
  bytes.set(pixels.subarray(0, size), first);
  return bytes;
}

/** null if the bytes are not an image packet. */
export function decodeImagePacket(bytes: Uint8Array): ImagePacket | null {
  if (bytes.length < HEADER_BYTES || bytes[0] !== IMAGE_PACKET) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = view.getUint16(2, true);
  const height = view.getUint16(4, true);
  const count = view.getUint16(6, true);
  const first = HEADER_BYTES + WINDOW_BYTES * count;
  const encoding = (bytes[1]! & COLOUR) === 0 ? "mono8" : "rgb8";
  if (bytes.length !== first + (encoding === "rgb8" ? 3 : 1) * width * height) return null;
  const windows = Array.from({ length: count }, (_, k) => {
    const at = HEADER_BYTES + WINDOW_BYTES * k;
    const [u, v, halfSize] = [view.getFloat32(at, true), view.getFloat32(at + 4, true), view.getFloat32(at + 8, true)];
    return { u, v, halfSize };
  });
  const camera = (bytes[1]! & 1) === 0 ? "left" : "right";
  return { camera, width, height, time: view.getFloat64(8, true), encoding, pixels: bytes.subarray(first), windows };
}
