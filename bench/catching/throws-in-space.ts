import type { BenchContext } from "../harness.js";
import { findInSpaceInParallel } from "./parallel-series.js";

/** Throws inside the catch space, and how many were looked at to find them. */
export interface ThrowsInSpace {
  readonly throws: readonly (readonly number[])[];
  readonly tried: number;
}

/** The first `wanted` throws of a seed, or pairs of throws, that are in the catch space. */
export async function throwsInSpace(
  { robot, seed, balls }: { readonly robot: string; readonly seed: number; readonly balls: number },
  wanted: number,
  { progress }: Pick<BenchContext, "progress">,
): Promise<ThrowsInSpace> {
  const throws: (readonly number[])[] = [];
  let tried = 0;
  while (throws.length < wanted) {
    const looked = Array.from({ length: wanted }, (_, k) =>
      Array.from({ length: balls }, (_, ball) => (tried + k) * balls + ball),
    );
    for (const [k, isInside] of (await findInSpaceInParallel({ robot, seed, throws: looked })).entries()) {
      if (throws.length === wanted) break;
      tried++;
      if (isInside) throws.push(looked[k]!);
    }
    progress(`catch space, ${balls === 1 ? "one ball" : `${balls} balls`}: ${throws.length} of ${tried}`);
  }
  return { throws, tried };
}
