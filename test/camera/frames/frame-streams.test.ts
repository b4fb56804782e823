import { describe, expect, it } from "vitest";
import { type FrameStream, RawFrameStream } from "../../../src/camera/frames/frame-stream.js";
import { GdpFrameStream } from "../../../src/camera/frames/gdp-stream.js";
import { Random } from "../../../src/math/random.js";
import { gdpCaps, gdpFrame, gdpPacket } from "../../support/gdp.js";

const random = new Random("frames");

function noise(count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => random.integer(256)));
}

/** What comes out of a stream that gets `bytes` in pieces. */
function framesOf(stream: FrameStream, bytes: Buffer, longest: number) {
  const frames: { stampNs: number | null; bytes: Buffer }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const next = at + 1 + random.integer(longest);
    stream.push(bytes.subarray(at, next));
    at = next;
    for (let frame = stream.next(); frame !== null; frame = stream.next())
      frames.push({ stampNs: frame.stampNs, bytes: Buffer.from(frame.bytes) });
  }
  return frames;
}

describe("GdpFrameStream", () => {
  const sent = Array.from({ length: 12 }, (_, k) => ({ stampNs: 40e6 * k, bytes: noise(32 * 20) }));
  const packets = [
    gdpPacket({ type: 10318, payload: noise(40) }),
    gdpCaps("GRAY8", 30, 20),
    gdpPacket({ type: 17998, payload: noise(100) }),
    ...sent.map(({ bytes, stampNs }) => gdpFrame(bytes, stampNs)),
  ];

  it.each([1, 7, 700, 5000, 1e6])("finds frames and stamps in pieces of at most %i bytes", (longest) => {
    const stream = new GdpFrameStream();
    expect(framesOf(stream, Buffer.concat(packets), longest)).toEqual(sent);
    expect(stream.shape).toEqual({ format: "gray8", width: 30, height: 20 });
  });

  it("knows frames without a stamp, Bayer patterns, and checksums of payloads", () => {
    const bytes = noise(64 * 48);
    const frame = gdpPacket({ type: 1, payload: bytes, hasPayloadCrc: true });
    const stream = new GdpFrameStream();
    const all = Buffer.concat([gdpCaps("grbg", 64, 48, "video/x-bayer"), frame]);
    expect(framesOf(stream, all, 1000)).toEqual([{ stampNs: null, bytes }]);
    expect(stream.shape?.format).toBe("grbg");
    frame[62 + 5] = frame[62 + 5]! ^ 1;
    expect(() => framesOf(new GdpFrameStream(), Buffer.concat([all, frame]), 1000)).toThrow(/checksum of a packet/);
  });

  it.each([
    ["another protocol", Buffer.alloc(100, 7), /not a stream of GDP/],
    ["a changed header", Buffer.concat([gdpCaps("GRAY8", 30, 20).fill(9, 20, 21)]), /checksum of a header/],
    ["a frame before the caps", gdpFrame(noise(10), 0), /before the caps/],
    ["a format that it has not", gdpCaps("ARGB64", 30, 20), /known formats are GRAY8/],
    ["an inherited name as format", gdpCaps("constructor", 30, 20), /not supported/],
    ["images of no size", gdpCaps("GRAY8", 0, 20), /images of 0/],
    [
      "too short a frame",
      Buffer.concat([gdpCaps("GRAY8", 30, 20), gdpFrame(noise(600), 0)]),
      /600 bytes instead of 640/,
    ],
    ["a payload without end", gdpPacket({ type: 64, payload: Buffer.alloc(70_000) }), /at most 65536/],
  ])("refuses %s", (_, bytes, words) => {
    expect(() => framesOf(new GdpFrameStream(), bytes, 64)).toThrow(words);
  });

  it("throws nothing but a RangeError on damaged streams, and takes no more memory than a frame needs", () => {
    const whole = Buffer.concat(packets);
    for (let round = 0; round < 500; round++) {
      const bytes = Buffer.from(whole);
      for (let n = 0; n < 3; n++) bytes[random.integer(bytes.length)] = random.integer(256);
      try {
        framesOf(new GdpFrameStream(), bytes, 4000);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });
});

describe("RawFrameStream", () => {
  it.each([
    ["gray8", 30 * 20],
    ["rgb", 3 * 30 * 20],
    ["yuy2", 2 * 30 * 20],
    ["nv12", 30 * 30],
  ] as const)("cuts bare frames in %s", (format, size) => {
    const bytes = noise(5 * size);
    const frames = framesOf(new RawFrameStream({ format, width: 30, height: 20 }), bytes, 999);
    expect(Buffer.concat(frames.map((frame) => frame.bytes)).equals(bytes)).toBe(true);
    expect(frames).toHaveLength(5);
  });
});
