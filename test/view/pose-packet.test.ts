import { describe, expect, test } from "vitest";
import { Random } from "../../src/math/random.js";
import {
  createPosePacket,
  decodeImagePacket,
  decodePosePacket,
  encodeImagePacket,
  encodePosePacket,
} from "../../src/view/pose-packet.js";

describe("pose packets", () => {
  test("come back as they were, in single precision", () => {
    const random = new Random(1);
    for (let k = 0; k < 100; k++) {
      const packet = createPosePacket(random.integer(64), random.integer(3));
      packet.time = random.uniformIn(0, 1e5);
      for (const part of [packet.joints, packet.hands, packet.head]) part.set(part.map(() => random.normal()));
      packet.balls = Array.from({ length: random.integer(4) }, (_, id) => ({
        id: id * 1000,
        position: [random.normal(), random.normal(), random.normal()].map(Math.fround) as [number, number, number],
      }));
      expect(decodePosePacket(encodePosePacket(packet))).toEqual(packet);
    }
  });

  test("are refused when cut, lengthened or of another kind", () => {
    const bytes = encodePosePacket(createPosePacket(7, 1));
    for (let length = 0; length < bytes.length; length++)
      expect(decodePosePacket(bytes.subarray(0, length))).toBeNull();
    expect(decodePosePacket(Uint8Array.of(...bytes, 0))).toBeNull();
    expect(decodePosePacket(bytes.map((byte, k) => (k === 0 ? 7 : byte)))).toBeNull();
  });
});

test("image packets come back as they were, and nothing else does", () => {
  const image = {
    camera: "right",
    width: 5,
    height: 3,
    time: 1.25,
    encoding: "mono8",
    pixels: Uint8Array.from({ length: 15 }, (_, k) => k),
    windows: [],
  } as const;
  const bytes = encodeImagePacket(image);
  expect(decodeImagePacket(bytes)).toEqual(image);
  const narrow = { ...image, windows: [{ u: 2.5, v: 1.5, halfSize: 0.5 }] };
  expect(decodeImagePacket(encodeImagePacket(narrow))).toEqual(narrow);
  const colour = { ...image, encoding: "rgb8", pixels: Uint8Array.from({ length: 45 }, (_, k) => k) } as const;
  expect(decodeImagePacket(encodeImagePacket(colour))).toEqual(colour);
  expect(decodeImagePacket(bytes.subarray(0, 20))).toBeNull();
  expect(decodePosePacket(bytes)).toBeNull();
});
