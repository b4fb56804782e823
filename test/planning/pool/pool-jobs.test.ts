import { describe, expect, it } from "vitest";
import { allocatePacket } from "../../../src/channels/packet.js";
import * as pose from "../../../src/math/pose.js";
import * as quat from "../../../src/math/quat.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { PlacedKeepOut } from "../../../src/planning/pool/catch-question.js";
import { InlinePlanner } from "../../../src/planning/pool/inline-planner.module.js";
import { copyJob, readResult, writeJob, writeResult } from "../../../src/planning/pool/job-codec.module.js";
import { JobTask } from "../../../src/planning/pool/job-task.module.js";
import { compileKeepOut, KEEP_OUT_NUMBERS, writeKeepOut } from "../../../src/planning/pool/keep-out-numbers.js";
import { jobLimits, PlannerJob, PlannerResult } from "../../../src/planning/pool/planner-packets.module.js";
import { poolSize } from "../../../src/planning/pool/pool-options.js";
import { Check } from "../../../src/planning/problem/checks.js";
import { KeepOutSet } from "../../../src/planning/problem/keep-out.js";
import { MergedSolution } from "../../../src/planning/search/merged-solution.js";
import { Verdict } from "../../../src/planning/search/verify.js";
import { bitsOf, cold, lwrArm, QuestionMaker } from "./pool-questions.js";

describe("keep-out shapes as numbers", () => {
  it("compile to the very distances of the shapes", () => {
    const random = new Random("keep-out numbers");
    const shapes = Array.from({ length: 50 }, () => randomShape(random));
    const numbers = new Float64Array(shapes.length * KEEP_OUT_NUMBERS);
    writeKeepOut(shapes, numbers);
    const travelled = compileKeepOut(numbers, shapes.length);
    const direct = KeepOutSet.compile(
      shapes.map(({ geometry }, link) => ({ name: `${link}`, link, geometry })),
      (link) => shapes[link]!.baseFromLink,
    );
    for (let k = 0; k < 200; k++)
      expect(distances(travelled, random.fork(`${k}`))).toEqual(distances(direct, random.fork(`${k}`)));
  });
});

function distances(set: KeepOutSet, random: Random): number[] {
  const out = new Float64Array(set.count);
  set.evaluate(randomVector(random, 2), out, 0, new Float64Array(3 * set.count));
  return [...out];
}

function randomVector(random: Random, size: number): vec3.Vec3 {
  return vec3.create(random.uniformIn(-size, size), random.uniformIn(-size, size), random.uniformIn(-size, size));
}

function randomPose(random: Random): pose.Pose {
  return pose.fromQuatTranslation(random.rotation(quat.create()), randomVector(random, 1), pose.create());
}

function randomShape(random: Random): PlacedKeepOut {
  const baseFromLink = randomPose(random);
  const radius = random.uniformIn(0.05, 0.5);
  const [from, to] = [randomVector(random, 1), randomVector(random, 1)];
  switch (random.integer(5)) {
    case 0:
      return { baseFromLink, geometry: { type: "sphere", center: from, radius } };
    case 1:
      return { baseFromLink, geometry: { type: "capsule", from, to, radius } };
    case 2:
      return { baseFromLink, geometry: { type: "cylinder", from, to, radius } };
    case 3: {
      const halfSize = vec3.create(radius, 2 * radius, 0.1);
      return { baseFromLink, geometry: { type: "box", linkFromBox: randomPose(random), halfSize } };
    }
    default: {
      const normal = random.unitVector(vec3.create());
      return { baseFromLink, geometry: { type: "half-space", normal, offset: random.uniformIn(-1, 1) } };
    }
  }
}

describe("a job", () => {
  const question = new QuestionMaker(lwrArm).make(new Random("jobs"), "sure");
  const order = { solver: "sqp", deadline: 1, drill: "none" } as const;
  const job = allocatePacket(PlannerJob);
  const shape = question.keepOut[0]!;

  it.each([
    ["too many joints", { q0: new Float64Array(17) }, cold],
    ["limits of fewer joints", { maxVelocity: new Float64Array(3) }, cold],
    ["too many keep-out shapes", { keepOut: Array.from({ length: jobLimits.keepOut + 1 }, () => shape) }, cold],
    ["too long a posture", { posture: new Float64Array(65) }, cold],
    ["too fine a success curve", { success: { from: 0, step: 1, values: new Float64Array(513) } }, cold],
    ["checks that there are not", { checks: 8 }, cold],
    ["half a start", {}, { kind: "polish", starts: new Float64Array(12), iterations: 9 }],
    [
      "a start of another arm",
      {},
      { kind: "warm", start: new Float64Array(7), warmStart: new Float64Array(0), iterations: 9 },
    ],
    ["no number of iterations", {}, { ...cold, iterations: Number.NaN }],
  ] as const)("refuses %s", (_, change, search) => {
    expect(() => writeJob({ ...question, ...change }, { ...order, search }, job)).toThrowError(
      expect.objectContaining({ code: "FLY_POOL_JOB_SIZE" }),
    );
  });

  it("keeps what a plan is checked for", () => {
    const task = new JobTask(question.q0.length, question.keepOut.length);
    const copy = allocatePacket(PlannerJob);
    for (const checks of [0, Check.keepOut, Check.clearance, Check.motion, Check.keepOut + Check.motion]) {
      writeJob({ ...question, checks }, { ...order, search: cold }, job);
      copyJob(job, copy);
      task.read(copy);
      expect(task.checks).toBe(checks);
    }
  });
});

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
      random.shuffle(dealt);
      const all = new MergedSolution(7);
      for (const part of dealt) all.addPart(part);
      expect(bitsOf(all)).toEqual(expected);
    }
  });

  it("travel without the loss of a bit", async () => {
    const maker = new QuestionMaker(lwrArm);
    const inline = new InlinePlanner({ arms: [lwrArm] });
    const random = new Random("travelling");
    const packet = allocatePacket(PlannerResult);
    for (const mode of ["soft", "latest", "cool", "sure"] as const) {
      const { solution } = await inline.plan(maker.make(random, mode), { search: cold });
      const travelled = new MergedSolution(7);
      writeResult(solution, packet);
      readResult(packet, travelled);
      expect(bitsOf(travelled)).toEqual(bitsOf(solution));
    }
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
