import type { ThrowResult } from "../../src/catching/run-summary.js";
import type { Overlay } from "../../src/robot/sidecar/overlay-schema.js";
import { noChallenges } from "../../src/simulation/head-motion/challenges.js";
import { playInParallel } from "./parallel-series.js";
import type { SeriesRequest } from "./series.js";

/** The arm whose lag with set points was measured by its users. */
export const LATE_ROBOT = "ur10e-net";

/** Throws at a UR10e whose arm follows its commands `delayMs` late, with its planner knowing it or not. */
export async function throwsWithDelay(
  delayMs: number,
  knowledge: "known" | "unknown",
  { seed, throws }: Pick<SeriesRequest, "seed" | "throws">,
): Promise<ThrowResult[]> {
  const calibration = delayed(knowledge === "known" ? delayMs : 0);
  const setting = { truth: delayed(delayMs), calibration, challenges: noChallenges };
  const request: SeriesRequest = {
    robot: LATE_ROBOT,
    seed,
    world: "physics",
    perception: "points",
    throws,
    ...setting,
  };
  return (await playInParallel(request)).flat();
}

function delayed(milliseconds: number): Overlay {
  const made = { schemaVersion: 1, date: "2026-11-18", version: "bench" } as const;
  return { ...made, commandDelays: { arm: milliseconds / 1000 } };
}
