import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest, longest first; begun late, it would be what all else has to wait for. */
const long: readonly string[] = [
  "run/real-time-faults",
  "run/run-settings",
  "web/",
  "live/",
  "docs/",
  "nodes/",
  "run/",
];

/** Place of a test file in the order; files of equal rank keep theirs. */
export function rankOf(path: string): number {
  const place = long.findIndex((part) => path.includes(`/test/${part}`));
  return place === -1 ? long.length : place;
}

/** Begins with what takes longest. Files that share a process come last, for vitest keeps one only from each to the next. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification): number =>
      project.config.isolate ? rankOf(moduleId) : Number.POSITIVE_INFINITY;
    return usual.sort((a, b) => compare(rank(a), rank(b)));
  }
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
