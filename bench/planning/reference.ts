import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/runtime/package-root.js";
import type { PlanningCase } from "./cases.js";
import type { ReferenceCatch } from "./reference-search.js";

/** A case with the best catch that is known for it; null where none is. */
export interface ReferenceCase extends PlanningCase {
  readonly best: ReferenceCatch | null;
}

export interface PlanningReference {
  readonly command: string;
  readonly date: string;
  /** Of the robot it was made with: another robot has other optima. */
  readonly robotHash: string;
  readonly cases: readonly ReferenceCase[];
}

export const referenceFile: string = join(packageRoot, "bench", "reference", "planning.json");

export function readReference(): PlanningReference {
  const reference = JSON.parse(readFileSync(referenceFile, "utf8")) as PlanningReference;
  if (reference.robotHash !== robotHash())
    throw new Error(`agile-justin has changed since ${referenceFile} was made: run ${reference.command}`);
  return reference;
}

export function robotHash(): string {
  const folder = join(packageRoot, "data", "robots", "agile-justin");
  const hash = createHash("sha256");
  for (const file of ["agile-justin.urdf", "robot.json"]) hash.update(readFileSync(join(folder, file)));
  return hash.digest("hex");
}
