import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { poolSize } from "../../../src/nodes/planner-host/pool-options.js";
import { InlinePlanner } from "../../../src/planning/pool/inline-planner.js";
import { reviveJob, reviveResult } from "../../../src/planning/pool/job-messages.js";
import { catchModes } from "../../../src/planning/problem/objectives.js";
import { MergedSolution } from "../../../src/planning/search/merged-solution.js";
import { Verdict } from "../../../src/planning/search/verify.js";
import { shuffle } from "../../support/random-draws.js";
import { ArmRequestMaker, bitsOf, randomRequest } from "./pool-jobs.js";

describe("solutions", () => {
  /** What polishing one start might give; few values, so that there are ties. */
  function randomResult(random: Random): MergedSolution {
    const result = new MergedSolution(7);
    result.starts = 1;
    result.iterations = random.integer(50);
    result.evaluations = random.integer(100);
    result.leastViolation = random.integer(4);
    result.refusal = random.integer(4) === 0 ? Verdict.keepOut : Verdict.ok;
    result.leastViolated.fill(random.uniform());
    if (random.integer(3) === 0) return result;
    result.found = true;
    result.optimal = random.integer(2) === 0;
    result.cost = random.integer(4);
    for (let i = 0; i < 8; i++) result.x[i] = random.normal();
    for (let i = 0; i < 7; i++) result.ramps.end[i] = result.x[i]!;
    result.setWarmStart(Float64Array.from({ length: 20 }, () => random.normal()));
    return result;
  }

  function merged(results: readonly MergedSolution[], indices: readonly number[]): MergedSolution {
    const best = new MergedSolution(7);
    for (const index of indices) best.addStart(results[index]!, index);
    return best;
  }

  it("merge to the same, whoever polished which start and in whichever order the parts come", () => {
    const random = new Random("merging");
    for (let round = 0; round < 300; round++) {
      const results = Array.from({ length: 1 + random.integer(12) }, () => randomResult(random));
      const indices = results.map((_, index) => index);
      const expected = bitsOf(merged(results, indices));
      const parts = 1 + random.integer(5);
      const dealt = Array.from({ length: parts }, (_, part) =>
        merged(
          results,
          indices.filter((k) => k % parts === part),
        ),
      );
      shuffle(random, dealt);
      const all = new MergedSolution(7);
      for (const part of dealt) all.addPart(part);
      expect(bitsOf(all)).toEqual(expected);
    }
  });

  it("of the parts of a search are those of the whole, and travel without the loss of a bit", async () => {
    const inline = new InlinePlanner({ settings: { starts: 9 } });
    const random = new Random("travelling");
    for (const mode of catchModes) {
      const request = randomRequest("lwr-arm", random, mode);
      const search = async (part: number, parts: number) => {
        const answer = await inline.plan({ kind: "search", request, arm: 0, part: { part, parts } });
        if (answer.status !== "answered") throw new Error(answer.status);
        return structuredClone(answer.result);
      };
      const parts = await Promise.all([2, 0, 1].map((part) => search(part, 3)));
      const revived = parts.map((part) => (reviveResult("search", part) as MergedSolution[])[0]!);
      const all = new MergedSolution(7);
      for (const part of revived) all.addPart(part);
      const plan = await inline.plan({ kind: "plan", request });
      const answer = await inline.plan({ kind: "answer", request, found: [[all]] });
      if (plan.status !== "answered" || answer.status !== "answered") throw new Error("not answered");
      const untimed = { ...answer.result.statistics, milliseconds: plan.result.statistics.milliseconds };
      expect({ ...answer.result, statistics: untimed }).toEqual(plan.result);
    }
  });
});

describe("a live question", () => {
  it("is answered alike after it has passed between threads", async () => {
    const arm = { robot: "lwr-arm", group: "arm", starts: 4 };
    const inline = new InlinePlanner({ arms: [arm] });
    const job = { kind: "arm", arm: 0, request: new ArmRequestMaker(arm).make(new Random("live"), "soft") } as const;
    const answer = await inline.plan(job);
    expect(await inline.plan(reviveJob(structuredClone(job)))).toEqual(answer);
    if (answer.status !== "answered" || answer.result.plan === null) throw new Error("no plan");
    expect(reviveResult("arm", structuredClone(answer.result))).toEqual(answer.result);
  });
});

describe("the size of a pool", () => {
  it.each([
    [0, 1, 0, 1],
    [0, 2, 0, 1],
    [0, 8, 0, 7],
    [0, 2, 1, 2],
    [0, 8, 1, 7],
    [3, 2, 0, 3],
    [1, 8, 1, 2],
  ] as const)("for %i wanted on %i cores with %i reserved is %i", (wanted, cores, live, size) => {
    expect(poolSize(wanted, cores, live)).toBe(size);
  });
});
