import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import type { CatchQuestion } from "../../../src/planning/pool/catch-question.js";
import { InlinePlanner } from "../../../src/planning/pool/inline-planner.module.js";
import type { PlannerArm } from "../../../src/planning/pool/planner-arm.js";
import type { CatchPlanner } from "../../../src/planning/pool/planner-interface.js";
import { PlannerPool } from "../../../src/planning/pool/planner-pool.module.js";
import { catchModes } from "../../../src/planning/request/request.js";
import { deep } from "../../support/deep.js";
import { burnTwoThreads } from "./pool-burner.js";
import { bitsOf, cold, lwrArm, QuestionMaker, warmFrom } from "./pool-questions.js";

const light: PlannerArm[] = [lwrArm, { robot: "iiwa-14", group: "arm", clearance: "hulls" }];
const heavy: PlannerArm[] = [
  { robot: "agile-justin", group: "rightArm", clearance: "hulls" },
  { robot: "panda", group: "arm", clearance: "hulls" },
];
const arms = light.concat(heavy.slice(0, deep(0, heavy.length)));
const random = new Random("pool bits");
const makers = arms.map((arm, index) => new QuestionMaker(arm, index));
const questions = Array.from({ length: deep(8, 200) }, (_, k) =>
  makers[Math.floor(k / catchModes.length) % makers.length]!.make(random, catchModes[k % catchModes.length]!),
);

/**
 * A cold search of each question and, from what it found, two solves one after the other: for half of the questions one
 * by one, so that each search is divided over all workers, and for the others all at once.
 */
async function answersOf(planner: CatchPlanner): Promise<object[]> {
  const answers: object[] = [];
  const oneByOne = questions.filter((_, k) => k % 2 === 0);
  for (const question of oneByOne) answers.push(await catchAndFollow(planner, question));
  const atOnce = questions.filter((_, k) => k % 2 === 1);
  return answers.concat(await Promise.all(atOnce.map((question) => catchAndFollow(planner, question))));
}

async function catchAndFollow(planner: CatchPlanner, question: CatchQuestion): Promise<object> {
  const first = await planner.plan(question, { search: cold });
  const second = await planner.plan(laterBy(question, 0.002), { search: warmFrom(first.solution) });
  const third = await planner.plan(laterBy(question, 0.004), { search: warmFrom(second.solution) });
  return [first, second, third].map(({ status, solution }) => ({ status, ...bitsOf(solution) }));
}

/** The ball a little later than was thought. */
function laterBy(question: CatchQuestion, seconds: number): CatchQuestion {
  return { ...question, ball: { ...question.ball, time: question.ball.time + seconds } };
}

describe("the number of workers", () => {
  let expected: object[];
  let endBurning: () => Promise<void>;

  beforeAll(async () => {
    expected = await answersOf(new InlinePlanner({ arms }));
    endBurning = burnTwoThreads();
  }, 600_000);
  afterAll(() => endBurning());

  it("is asked about balls that can be caught, and some that cannot", () => {
    const caught = expected.filter((answers) => (answers as { found: boolean }[])[0]!.found).length;
    expect(caught).toBeGreaterThanOrEqual(expected.length / 2);
  });

  it.each([1, 2, 4])("changes no bit with two burning threads beside: %i", { timeout: 600_000 }, async (workers) => {
    const capacity = questions.length;
    const pool = await PlannerPool.start({ arms, workers, capacity, practice: 0, stuckTimeoutMs: 20_000 });
    try {
      expect(await answersOf(pool)).toEqual(expected);
      const { jobs, replaced } = pool.statistics();
      expect(replaced).toBe(0);
      // A job for the starts and one a worker, for each search that was divided; and the two solves that follow.
      const divided = workers === 1 ? 1 : 1 + workers;
      expect(jobs).toBeGreaterThanOrEqual((questions.length / 2) * (divided + 2 + 3));
    } finally {
      await pool.close();
    }
  });
});
