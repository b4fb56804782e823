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
import { Random } from "../../../src/math/random.js";

function randomFrame(random: Random): Frame {
  const frame = new Frame();
  frame.kind = (1 + Math.floor(random.uniform() * 6)) as FrameKind;
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
    expect(spoiled(5, 7)).toBe(FrameStatus.badKind);
    expect(spoiled(6, 65)).toBe(FrameStatus.badCount);
    expect(spoiled(9, 1)).toBe(FrameStatus.badCheckSum);
    expect(readFrame(bytes.subarray(0, 10), new Frame())).toBe(FrameStatus.badSize);
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
