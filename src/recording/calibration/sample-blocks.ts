import Type, { type Static } from "typebox";
import type { SampleStream } from "../../calibration/recording/calibration-recording.js";

/** Which sensor a block is of. */
export const streamNames = ["joints", "imu", "left", "right"] as const;
export type StreamName = (typeof streamNames)[number];

/** Most samples of a block: a hold of a minute at the IMU's rate, many times over. */
const mostSamples = 1_000_000;

/**
 * Some samples of one sensor, as whole numbers of a unit and as differences from sample to sample: noise of a few units then
 * takes a byte or two. The first sample of each block stands as it is.
 */
export const SampleBlockSchema = Type.Object({
  version: Type.Literal(1),
  hold: Type.Integer({ minimum: 0, description: "Number of the arm configuration." }),
  stream: Type.Enum([...streamNames], { type: "string" }),
  width: Type.Integer({ minimum: 1, maximum: 256, description: "Numbers a sample has." }),
  units: Type.Array(Type.Number({ exclusiveMinimum: 0 }), {
    maxItems: 1000,
    description: "Unit of each number of a sample.",
  }),
  sequence: Type.Array(Type.Integer(), {
    maxItems: mostSamples,
    description: "Numbers of the samples: the first, then differences.",
  }),
  stamps: Type.Array(Type.Integer(), {
    maxItems: mostSamples,
    description: "Times of arrival [10 ns]: the first, then differences.",
  }),
  values: Type.Array(Type.Union([Type.Integer(), Type.Null()]), {
    maxItems: 16 * mostSamples,
    description:
      "Sample after sample, in units: differences from the last one that was not null, which is nothing found.",
  }),
});
export type SampleBlock = Static<typeof SampleBlockSchema>;

/** Resolution of stamps [s]: far below what delays are estimated to. */
export const STAMP_UNIT = 1e-8;

/** Cuts samples `from` to `to` out of a stream. */
export function encodeBlock(
  stream: SampleStream,
  place: { readonly hold: number; readonly stream: StreamName; readonly units: readonly number[] },
  from: number,
  to: number,
): SampleBlock {
  const { width } = stream;
  const values: (number | null)[] = [];
  const last = new Float64Array(width);
  for (let i = from * width; i < to * width; i++) {
    const value = stream.values[i]!;
    const count = Math.round(value / place.units[i % width]!);
    values.push(Number.isNaN(value) ? null : count - last[i % width]!);
    if (!Number.isNaN(value)) last[i % width] = count;
  }
  return {
    version: 1,
    ...place,
    units: [...place.units],
    width,
    sequence: differences(stream.sequence.subarray(from, to)),
    stamps: differences(stream.stamps.subarray(from, to).map((stamp) => Math.round(stamp / STAMP_UNIT))),
    values,
  };
}

function differences(counts: Float64Array): number[] {
  return Array.from(counts, (count, k) => count - (k === 0 ? 0 : counts[k - 1]!));
}

/** Puts the samples of blocks, in their order, together again. */
export function decodeBlocks(blocks: readonly SampleBlock[], width: number): SampleStream {
  const sequence: number[] = [];
  const stamps: number[] = [];
  const values: number[] = [];
  for (const block of blocks) {
    sequence.push(...sums(block.sequence));
    stamps.push(...sums(block.stamps).map((count) => count * STAMP_UNIT));
    const last = new Float64Array(block.width);
    for (const [i, difference] of block.values.entries()) {
      const column = i % block.width;
      if (difference !== null) last[column]! += difference;
      values.push(difference === null ? Number.NaN : last[column]! * block.units[column]!);
    }
  }
  const [first] = blocks;
  return {
    sequence: Float64Array.from(sequence),
    stamps: Float64Array.from(stamps),
    width: first?.width ?? width,
    values: Float64Array.from(values),
  };
}

function sums(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((difference) => {
    sum += difference;
    return sum;
  });
}
