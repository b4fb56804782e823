import { array, f64, time, u32 } from "../../../src/transport/channels/field.js";
import { type PacketType, type PacketView, packet } from "../../../src/transport/channels/packet.js";

/** A packet whose every word follows from who wrote it and which of his packets it is: a torn one gives itself away. */
export const Stamped = stampedOf(32);
export type Stamped = PacketView<typeof Stamped>;

/** The same with a body of any length, for writers that are to be caught in the middle of it. */
export function stampedOf(bodyLength: number): PacketType<StampedView> {
  return packet("Stamped", 1, {
    writer: u32,
    number: u32,
    t: time,
    x: f64,
    body: array(u32, bodyLength),
    checksum: u32,
  });
}

interface StampedView {
  writer: number;
  number: number;
  readonly t: { nanoseconds: number };
  x: number;
  readonly body: Uint32Array;
  checksum: number;
}

export function stamp(view: StampedView, writer: number, number: number, pause?: () => void): void {
  view.writer = writer;
  view.number = number;
  view.t.nanoseconds = number * 1000;
  view.x = number + writer / 16;
  const { body } = view;
  const middle = body.length >>> 1;
  let word = mix(writer, number);
  let sum = 0;
  for (let k = 0; k < body.length; k++) {
    if (k === middle) pause?.();
    body[k] = word;
    sum = (sum + word) >>> 0;
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
  }
  view.checksum = sum;
}

/** Whether all of the packet is of one piece. */
export function isWhole(view: Readonly<StampedView>, pause?: () => void): boolean {
  const { body, writer, number } = view;
  const middle = body.length >>> 1;
  let word = mix(writer, number);
  let sum = 0;
  for (let k = 0; k < body.length; k++) {
    if (k === middle) pause?.();
    if (body[k] !== word) return false;
    sum = (sum + word) >>> 0;
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
  }
  return view.checksum === sum && view.t.nanoseconds === number * 1000 && view.x === number + writer / 16;
}

function mix(writer: number, number: number): number {
  return (Math.imul(number + 1, 2654435761) ^ Math.imul(writer + 1, 40503)) >>> 0;
}
