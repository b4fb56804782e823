import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/runtime/package-root.js";
import { robotHash } from "../planning/reference.js";
import type { LongCatch } from "./long-search.js";

/** What long searches have found for one shipped robot, throw by throw; they take minutes of processor time. */
interface StoredCatches {
  readonly throwSeed: string;
  /** Of the robot they hold for: another robot has other optima. */
  readonly robotHash: string;
  readonly catches: readonly (LongCatch | null)[];
}

const folder = join(packageRoot, "bench", "reference", "robots");

/** Seed of the throws at one robot. */
export function throwSeed(seed: number): string {
  return `robots ${seed}`;
}

/** The catches stored for these throws at a robot as it is now; none if it or the throws are others. */
export function storedCatches(name: string, seed: string): readonly (LongCatch | null)[] {
  const file = join(folder, `${name}.json`);
  if (!existsSync(file)) return [];
  const stored = JSON.parse(readFileSync(file, "utf8")) as StoredCatches;
  return stored.throwSeed === seed && stored.robotHash === robotHash(name) ? stored.catches : [];
}

export function storeCatches(name: string, seed: string, catches: readonly (LongCatch | null)[]): void {
  const head = JSON.stringify({ throwSeed: seed, robotHash: robotHash(name) }).slice(0, -1);
  const lines = catches.map((best) => JSON.stringify(best === null ? null : rounded(best))).join(",\n");
  writeFileSync(join(folder, `${name}.json`), `${head},"catches":[\n${lines}\n]}\n`);
}

/** Far finer than the suite compares. */
function rounded({ cost, x }: LongCatch): LongCatch {
  return { cost: Number(cost.toPrecision(9)), x: x.map((value) => Number(value.toFixed(4))) };
}
