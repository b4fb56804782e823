import { readFileSync } from "node:fs";
import { crc32 as zlibCrc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  crc32,
  Frame,
  FrameCodec,
  FrameKind,
  FrameStatus,
  isNewer,
  readFrame,
} from "../../../src/control/udp/frame.js";
import { FrameKey, TAG_SIZE } from "../../../src/control/udp/frame-key.js";
import { Random } from "../../../src/math/random.js";
import { errorCode } from "../../support/error-code.js";

function randomFrame(random: Random): Frame {
  const frame = new Frame();
  frame.kind = (1 + Math.floor(random.uniform() * 7)) as FrameKind;
  frame.count = Math.floor(random.uniform() * 65);
  frame.session = Math.floor(random.uniform() * 2 ** 32);
  frame.sequence = Math.floor(random.uniform() * 2 ** 32);
  frame.acknowledged = Math.floor(random.uniform() * 2 ** 32);
  frame.mode = Math.floor(random.uniform() * 4);
  frame.fault = Math.floor(random.uniform() * 4);
  frame.missed = Math.floor(random.uniform() * 65_536);
  frame.time = random.normal() * 1e3;
  frame.echoedTime = random.normal() * 1e3;
  if (frame.kind === FrameKind.state || frame.kind === FrameKind.command) {
    for (let i = 0; i < frame.count; i++) {
      frame.position[i] = random.normal();
      frame.velocity[i] = random.normal();
      frame.effort[i] = random.normal();
    }
  } else if (frame.kind <= FrameKind.welcome) {
    for (let i = 0; i < 16; i++) frame.fingerprint[i] = Math.floor(random.uniform() * 256);
  }
  return frame;
}

/** A frame with the fields of a vector. */
function frameOf({
  position,
  velocity,
  effort,
  fingerprint,
  ...header
}: Omit<Vector, "name" | "key" | "bytes">): Frame {
  const frame = Object.assign(new Frame(), header);
  frame.position.set(position ?? []);
  frame.velocity.set(velocity ?? []);
  frame.effort.set(effort ?? []);
  frame.fingerprint.set(fingerprint ?? []);
  return frame;
}

interface Vector {
  readonly name: string;
  readonly key: string | null;
  readonly bytes: string;
  readonly position?: readonly number[];
  readonly velocity?: readonly number[];
  readonly effort?: readonly number[];
  readonly fingerprint?: readonly number[];
}

/** Made by a program in Python from the table in docs/control.md: struct, zlib.crc32 and hmac. */
const vectors = JSON.parse(readFileSync("test/control/udp/vectors.json", "utf8")) as readonly Vector[];

describe("frames of the cyclic protocol", () => {
  it("come back as they were sent", () => {
    const random = new Random("frames");
    const codec = new FrameCodec();
    for (let n = 0; n < 300; n++) {
      const sent = randomFrame(random);
      const received = new Frame();
      expect(readFrame(codec.bytes.slice(0, codec.write(sent)), received)).toBe(FrameStatus.ok);
      expect(received).toEqual(sent);
    }
  });

  it("are refused when any bit has changed, and leave the last frame alone", () => {
    const random = new Random("bits");
    const codec = new FrameCodec();
    const received = new Frame();
    const untouched = new Frame();
    for (let n = 0; n < 2000; n++) {
      const bytes = codec.bytes.slice(0, codec.write(randomFrame(random)));
      const bit = Math.floor(random.uniform() * bytes.length * 8);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect(readFrame(bytes, received)).not.toBe(FrameStatus.ok);
    }
    expect(received).toEqual(untouched);
  });

  it("are refused when cut short, too long or random bytes", () => {
    const random = new Random("lengths");
    const codec = new FrameCodec();
    for (let n = 0; n < 200; n++) {
      const bytes = codec.bytes.slice(0, codec.write(randomFrame(random)));
      const shorter = bytes.subarray(0, Math.floor(random.uniform() * bytes.length));
      expect(readFrame(shorter, new Frame())).not.toBe(FrameStatus.ok);
      expect(readFrame(Uint8Array.of(...bytes, 0), new Frame())).toBe(FrameStatus.badSize);
      const noise = Uint8Array.from(bytes, () => Math.floor(random.uniform() * 256));
      expect(readFrame(noise, new Frame())).not.toBe(FrameStatus.ok);
    }
  });

  it("say what is wrong", () => {
    const codec = new FrameCodec();
    const frame = new Frame();
    frame.kind = FrameKind.release;
    const bytes = codec.bytes.slice(0, codec.write(frame));
    const spoiled = (at: number, value: number) => readFrame(bytes.with(at, value), new Frame());
    expect(spoiled(0, 0)).toBe(FrameStatus.badMagic);
    expect(spoiled(4, 9)).toBe(FrameStatus.badVersion);
    expect(spoiled(5, 0)).toBe(FrameStatus.badKind);
    expect(spoiled(5, 8)).toBe(FrameStatus.badKind);
    expect(spoiled(6, 65)).toBe(FrameStatus.badCount);
    expect(spoiled(9, 1)).toBe(FrameStatus.badCheckSum);
    expect(readFrame(bytes.subarray(0, 10), new Frame())).toBe(FrameStatus.badSize);
  });

  it.each(vectors)("have the bytes that another program made: $name", ({ name: _, key, bytes, ...fields }) => {
    const frameKey = key === null ? null : new FrameKey(key);
    const expected = Uint8Array.from(Buffer.from(bytes, "hex"));
    const frame = frameOf(fields);
    const codec = new FrameCodec(frameKey);
    expect(codec.bytes.slice(0, codec.write(frame))).toEqual(expected);
    const received = new Frame();
    expect(readFrame(expected, received, frameKey)).toBe(FrameStatus.ok);
    expect(received).toEqual(frame);
  });

  it("are refused without a code, with that of another key, and when a bit has changed under a right check sum", () => {
    const key = new FrameKey("a key of sixteen or more");
    const codec = new FrameCodec(key);
    const random = new Random("codes");
    for (let n = 0; n < 300; n++) {
      const frame = randomFrame(random);
      const signed = codec.bytes.slice(0, codec.write(frame));
      const size = signed.length - TAG_SIZE;
      const other = new FrameCodec(new FrameKey("another key of sixteen"));
      expect(readFrame(signed, new Frame(), key)).toBe(FrameStatus.ok);
      expect(readFrame(signed.slice(0, size), new Frame(), key)).toBe(FrameStatus.badSize);
      expect(readFrame(signed, new Frame(), null)).toBe(FrameStatus.badSize);
      expect(readFrame(other.bytes.slice(0, other.write(frame)), new Frame(), key)).toBe(FrameStatus.badTag);
      // An attacker can make the check sum right, not the code.
      const forged = signed.slice();
      forged[8 + Math.floor(random.uniform() * 30)]! ^= 1;
      new DataView(forged.buffer).setUint32(size - 4, crc32(forged, size - 4), true);
      expect(readFrame(forged, new Frame(), key)).toBe(FrameStatus.badTag);
    }
  });

  it("need a key of sixteen characters", () => {
    expect(errorCode(() => new FrameKey("fifteen letters"))).toBe("FLY_ROBOT_KEY");
  });

  it("have the check sum of zip", () => {
    const random = new Random("crc");
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
    for (let n = 0; n < 100; n++) {
      const bytes = Uint8Array.from({ length: n }, () => Math.floor(random.uniform() * 256));
      expect(crc32(bytes)).toBe(zlibCrc32(bytes));
    }
  });

  it("are ordered across the wrap of their numbers", () => {
    expect(isNewer(1, 0)).toBe(true);
    expect(isNewer(0, 1)).toBe(false);
    expect(isNewer(5, 5)).toBe(false);
    expect(isNewer(2, 0xffff_fffe)).toBe(true);
    expect(isNewer(0xffff_fffe, 2)).toBe(false);
  });
});
