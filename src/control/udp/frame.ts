import { createHash } from "node:crypto";
import { maxJoints } from "../../messages/parts.js";
import type { RobotModel } from "../../robot/robot.js";
import { type FrameKey, TAG_SIZE } from "./frame-key.js";

/**
 * One datagram of the cyclic protocol, as bytes: a header, up to three arrays of numbers, a check sum. Little-endian.
 *
 * | offset | field | |
 * |---|---|---|
 * | 0 | u32 | 0x43594c46, "FLYC" |
 * | 4 | u8 | version of the protocol |
 * | 5 | u8 | kind: `FrameKind` |
 * | 6 | u16 | count n of degrees of freedom |
 * | 8 | u32 | session, given by the robot; in `hello` a number of the client's own choosing |
 * | 12 | u32 | sequence number of the sender, one more in every frame |
 * | 16 | u32 | the newest sequence number seen of the other side |
 * | 20 | u8 | state: `RobotMode`; command: `CommandMode` |
 * | 21 | u8 | state: `RobotFault` |
 * | 22 | u16 | state: cycles in a row without a usable command |
 * | 24 | f64 | time of the sender [s] |
 * | 32 | f64 | the time in the newest frame seen of the other side [s] |
 * | 40 | f64[n] | position [rad or m] |
 * | 40 + 8n | f64[n] | velocity |
 * | 40 + 16n | f64[n] | effort |
 * | 40 + 24n | u32 | CRC-32 of all before |
 * | 44 + 24n | u8[16] | only with a key: authentication code of all before, see `FrameKey` |
 *
 * Only `state` and `command` carry numbers of joints; in all others n is that of the robot, and the arrays are left out.
 * `hello` and `welcome` carry the robot's fingerprint instead, 16 bytes from 40 on: a client commands no other robot than
 * the one it knows. `welcome` acknowledges the number of the `hello` it answers.
 */

const PROTOCOL_VERSION = 2;
const MAGIC = 0x43594c46;
const HEADER_SIZE = 40;
const CRC_SIZE = 4;
export const FINGERPRINT_SIZE = 16;
const ARRAYS = 3;

const MAX_FRAME_SIZE = HEADER_SIZE + ARRAYS * 8 * maxJoints + CRC_SIZE + TAG_SIZE;

/** The client sends hello, commands, release, reset and `alive`, a sign of life; the robot sends welcome and its state. */
export const FrameKind = { hello: 1, welcome: 2, state: 3, command: 4, release: 5, reset: 6, alive: 7 } as const;
export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

/** What came of reading a datagram. */
export const FrameStatus = {
  ok: 0,
  /** Not as long as its kind and count say, or too short for a header. */
  badSize: 1,
  badMagic: 2,
  badVersion: 3,
  badKind: 4,
  badCount: 5,
  badCheckSum: 6,
  /** Of a sender without the key. */
  badTag: 7,
} as const;
export type FrameStatus = (typeof FrameStatus)[keyof typeof FrameStatus];

/** A frame as numbers, filled by `readFrame`; all memory is made once. */
export class Frame {
  kind: FrameKind = FrameKind.hello;
  count = 0;
  session = 0;
  sequence = 0;
  acknowledged = 0;
  mode = 0;
  fault = 0;
  missed = 0;
  /** Time of the sender, and that of the other side which it saw last [s]. */
  time = 0;
  echoedTime = 0;
  readonly position = new Float64Array(maxJoints);
  readonly velocity = new Float64Array(maxJoints);
  readonly effort = new Float64Array(maxJoints);
  readonly fingerprint = new Uint8Array(FINGERPRINT_SIZE);
}

/** Writes frames as bytes, in memory of its own. */
export class FrameCodec {
  /** What `write` wrote; valid until the next `write`. */
  readonly bytes = new Uint8Array(MAX_FRAME_SIZE);
  readonly #out = new DataView(this.bytes.buffer);
  readonly #key: FrameKey | null;

  /** With a key every frame gets an authentication code. */
  constructor(key: FrameKey | null = null) {
    this.#key = key;
  }

  /** Writes `frame` to `bytes`; returns its length. */
  write(frame: Frame): number {
    const out = this.#out;
    out.setUint32(0, MAGIC, true);
    out.setUint8(4, PROTOCOL_VERSION);
    out.setUint8(5, frame.kind);
    out.setUint16(6, frame.count, true);
    out.setUint32(8, frame.session, true);
    out.setUint32(12, frame.sequence, true);
    out.setUint32(16, frame.acknowledged, true);
    out.setUint8(20, frame.mode);
    out.setUint8(21, frame.fault);
    out.setUint16(22, Math.min(frame.missed, 0xffff), true);
    out.setFloat64(24, frame.time, true);
    out.setFloat64(32, frame.echoedTime, true);
    const end = this.#writePayload(frame);
    out.setUint32(end, crc32(this.bytes, end), true);
    if (this.#key === null) return end + CRC_SIZE;
    this.#key.sign(this.bytes, end + CRC_SIZE);
    return end + CRC_SIZE + TAG_SIZE;
  }

  #writePayload(frame: Frame): number {
    if (hasFingerprint(frame.kind)) this.bytes.set(frame.fingerprint, HEADER_SIZE);
    if (!hasJoints(frame.kind)) return HEADER_SIZE + payloadSize(frame.kind, frame.count);
    let at = HEADER_SIZE;
    at = writeNumbers(this.#out, at, frame.position, frame.count);
    at = writeNumbers(this.#out, at, frame.velocity, frame.count);
    return writeNumbers(this.#out, at, frame.effort, frame.count);
  }
}

/** Reads a datagram into `out`, which is only changed if all of it is right. With a key it must carry its code, without none. */
export function readFrame(bytes: Uint8Array, out: Frame, key: FrameKey | null = null): FrameStatus {
  if (bytes.length < HEADER_SIZE + CRC_SIZE) return FrameStatus.badSize;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0, true) !== MAGIC) return FrameStatus.badMagic;
  if (view.getUint8(4) !== PROTOCOL_VERSION) return FrameStatus.badVersion;
  const kind = view.getUint8(5);
  if (!isKind(kind)) return FrameStatus.badKind;
  const count = view.getUint16(6, true);
  if (count > maxJoints) return FrameStatus.badCount;
  const end = HEADER_SIZE + payloadSize(kind, count);
  const size = end + CRC_SIZE;
  if (bytes.length !== (key === null ? size : size + TAG_SIZE)) return FrameStatus.badSize;
  if (view.getUint32(end, true) !== crc32(bytes, end)) return FrameStatus.badCheckSum;
  if (key?.hasSigned(bytes, size) === false) return FrameStatus.badTag;
  out.kind = kind;
  out.count = count;
  out.session = view.getUint32(8, true);
  out.sequence = view.getUint32(12, true);
  out.acknowledged = view.getUint32(16, true);
  out.mode = view.getUint8(20);
  out.fault = view.getUint8(21);
  out.missed = view.getUint16(22, true);
  out.time = view.getFloat64(24, true);
  out.echoedTime = view.getFloat64(32, true);
  if (hasFingerprint(kind)) out.fingerprint.set(bytes.subarray(HEADER_SIZE, HEADER_SIZE + FINGERPRINT_SIZE));
  if (hasJoints(kind)) readJoints(view, count, out);
  return FrameStatus.ok;
}

function readJoints(view: DataView, count: number, out: Frame): void {
  for (let i = 0; i < count; i++) {
    out.position[i] = view.getFloat64(HEADER_SIZE + 8 * i, true);
    out.velocity[i] = view.getFloat64(HEADER_SIZE + 8 * (count + i), true);
    out.effort[i] = view.getFloat64(HEADER_SIZE + 8 * (2 * count + i), true);
  }
}

function writeNumbers(out: DataView, at: number, values: Float64Array, count: number): number {
  for (let i = 0; i < count; i++) out.setFloat64(at + 8 * i, values[i]!, true);
  return at + 8 * count;
}

function payloadSize(kind: FrameKind, count: number): number {
  if (hasJoints(kind)) return ARRAYS * 8 * count;
  return hasFingerprint(kind) ? FINGERPRINT_SIZE : 0;
}

function hasJoints(kind: FrameKind): boolean {
  return kind === FrameKind.state || kind === FrameKind.command;
}

function hasFingerprint(kind: FrameKind): boolean {
  return kind === FrameKind.hello || kind === FrameKind.welcome;
}

function isKind(value: number): value is FrameKind {
  return value >= FrameKind.hello && value <= FrameKind.alive;
}

/**
 * Whether sequence number `a` comes after `b`, across the wrap at 2³²: the shorter way round counts.
 * @example isNewer(2, 0xffff_fffe) // true
 */
export function isNewer(a: number, b: number): boolean {
  return ((a - b) | 0) > 0;
}

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

/**
 * A short name of what two sides must agree on before one commands the other: the degrees of freedom, their order and
 * their limits. Calibration and a ceiling of speed may differ.
 */
export function robotFingerprint({ name, dofNames, lower, upper, ratedVelocity }: RobotModel): Uint8Array {
  const facts = [name, ...dofNames, ...lower, ...upper, ...ratedVelocity].join("\n");
  return Uint8Array.from(createHash("sha256").update(facts).digest().subarray(0, FINGERPRINT_SIZE));
}
