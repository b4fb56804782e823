/** Positions over time in arrays of their own, in order of time. */
export interface Samples {
  /** [s] */
  readonly time: Float64Array;
  /** [m]. [count × 3] */
  readonly position: Float64Array;
}

/** One free flight of a recording and what was seen of the ball before it. */
export interface RecordedThrow {
  readonly name: string;
  /** The ball before the release and in flight. */
  readonly samples: Samples;
  /** Index of the first sample in flight, and one past the last. */
  readonly begin: number;
  readonly end: number;
}

/** The samples from `begin` to before `end`; views, not copies. */
export function slice({ time, position }: Samples, begin: number, end: number): Samples {
  return { time: time.subarray(begin, end), position: position.subarray(3 * begin, 3 * end) };
}

/** Samples in memory of their own, from lists of time, x, y, z. */
export function samplesOf(rows: readonly (readonly number[])[]): Samples {
  const time = Float64Array.from(rows, (row) => row[0]!);
  const position = new Float64Array(3 * rows.length);
  for (const [k, row] of rows.entries()) position.set([row[1]!, row[2]!, row[3]!], 3 * k);
  return { time, position };
}
