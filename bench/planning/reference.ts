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

/** What of the sidecar has no say in planning from the posture `ready`. */
const unconcerned = new Set(["description", "cameras", "stereo", "imu", "encoders", "markers", "simulation"]);

/** Of all that the optima of a shipped robot's cases depend on. */
export function robotHash(name = "agile-justin"): string {
  const folder = join(packageRoot, "data", "robots", name);
  const sidecar = JSON.parse(readFileSync(join(folder, "robot.json"), "utf8")) as Record<string, unknown>;
  const { postures, ...rest } = sidecar as { readonly postures: Readonly<Record<string, unknown>> };
  const text = JSON.stringify(Object.entries(rest).filter(([key]) => !unconcerned.has(key)));
  // When a hand begins to close does not matter to a plan from rest.
  const concerned = JSON.parse(text, (key, value: unknown) => (key === "closingLead" ? undefined : value)) as unknown;
  const hash = createHash("sha256").update(readFileSync(join(folder, `${name}.urdf`)));
  return hash.update(JSON.stringify([concerned, postures.ready])).digest("hex");
}
