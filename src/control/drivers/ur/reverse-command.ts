import { JOINTS } from "./rtde-recipe.js";

/** What our program on the robot does with a command. */
export const ReverseMode = { stop: -2, idle: 0, servo: 1 } as const;
export type ReverseMode = (typeof ReverseMode)[keyof typeof ReverseMode];

/** Eight 32-bit integers, big-endian: read time-out [ms], six values, mode. */
export const COMMAND_SIZE = 32;
/** Values are sent as integers, by this factor. */
export const SCALE = 1e6;

/**
 * Writes a command into `out`. The time-out is how long the program waits for the command after this one [ms]; 0: for ever.
 *
 * @example
 * encodeReverseCommand(ReverseMode.idle, 0, noJoints, bytes); // keeps the program alive without a motion
 */
export function encodeReverseCommand(mode: ReverseMode, timeoutMs: number, q: Float64Array, out: Buffer): void {
  out.writeInt32BE(timeoutMs, 0);
  for (let i = 0; i < JOINTS; i++) out.writeInt32BE(Math.round((q[i] ?? 0) * SCALE), 4 + 4 * i);
  out.writeInt32BE(mode, 28);
}
