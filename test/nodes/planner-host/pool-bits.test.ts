import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { PlannerPool } from "../../../src/nodes/planner-host/planner-pool.module.js";
import { InlinePlanner } from "../../../src/planning/pool/inline-planner.js";
import type { JobArm } from "../../../src/planning/pool/job-runner.js";
import type { JobPlanner, PlannerAnswer } from "../../../src/planning/pool/jobs.js";
import { PooledPlanService } from "../../../src/planning/pool/plan-service.js";
import { catchModes } from "../../../src/planning/problem/objectives.js";
import type { PlanAnswer } from "../../../src/planning/request/answer.js";
import { standardSettings } from "../../../src/planning/request/planner-settings.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import { RealTimeClock } from "../../../src/runtime/clock.js";
import { robots } from "../../planning/request/requests.js";
import { deep } from "../../support/deep.js";
import { burnTwoThreads } from "./pool-burner.js";
import { ArmRequestMaker, planOf, randomRequest } from "./pool-jobs.js";

const names = ["lwr-arm", "iiwa-14", "agile-justin", ...["panda"].slice(0, deep(0, 1))];
const arm: JobArm = { robot: "lwr-arm", group: "arm", starts: 8 };
const settings = { starts: 8 };
const random = new Random("pool bits");
/** A third of them with so many starts that these are shared out too. */
const requests = Array.from({ length: deep(9, 160) }, (_, k) => ({
  ...randomRequest(names[k % names.length]!, random, catchModes[k % catchModes.length]!),
  budget: { starts: k % 6 < 2 ? 24 : 8 },
}));
/** Torso and platform of one of the robots help: such requests are planned by workers like all others. */
const helped: PlanRequest[] = requests
  .filter(({ robot }) => robot === "agile-justin")
  .flatMap((request, k) => [
    { ...request, body: "rule" as const },
    { ...request, body: "rule" as const, group: "rightArm", start: { velocity: { torso1: k % 2 === 0 ? 0.2 : 0 } } },
  ]);
const all = [...requests, ...helped];
const never = new AbortController().signal;

/** Half of the requests one by one, so that each is shared out over all workers, and the others all at once. */
async function plansOf(planner: JobPlanner): Promise<PlanAnswer[]> {
  const clock = new RealTimeClock();
  const service = new PooledPlanService(planner, {
    robots,
    settings: { ...standardSettings, ...settings },
    clock,
    concurrency: 1,
  });
  const answers: PlanAnswer[] = [];
  for (const request of all.filter((_, k) => k % 2 === 0)) answers.push(await service.plan(request, never));
  const atOnce = all.filter((_, k) => k % 2 === 1).map((request) => service.plan(request, never));
  return answers.concat(await Promise.all(atOnce)).map(withoutTime);
}

/** A search of each live question and, from what it found, a solve for the ball a little later. */
async function livePlansOf(planner: JobPlanner): Promise<PlannerAnswer<"arm">[]> {
  const maker = new ArmRequestMaker(arm);
  const seeds = Array.from({ length: deep(6, 60) }, (_, k) => k);
  const followed = seeds.map(async (k) => {
    const mode = catchModes[k % catchModes.length]!;
    const request = maker.make(new Random(`live ${k}`), mode);
    const first = await planner.plan({ kind: "arm", arm: 0, request }, { priority: "live" });
    const previous = first.status === "answered" ? first.result.plan : null;
    const ball = { ...request.ball, time: request.ball.time + 0.002 };
    const next = { ...request, ball, previous, running: previous };
    return [first, await planner.plan({ kind: "arm", arm: 0, request: next }, { priority: "live" })];
  });
  return (await Promise.all(followed)).flat();
}

/** All but the time it took. */
function withoutTime({ statistics, ...answer }: PlanAnswer): PlanAnswer {
  return { ...answer, statistics: { ...statistics, milliseconds: 0 } };
}

describe("the number of workers", () => {
  let expected: PlanAnswer[];
  let expectedLive: PlannerAnswer<"arm">[];
  let endBurning: () => Promise<void>;

  beforeAll(async () => {
    const inline = new InlinePlanner({ robots: names, arms: [arm], settings });
    expected = await plansOf(inline);
    expectedLive = await livePlansOf(inline);
    endBurning = burnTwoThreads();
  }, 600_000);
  afterAll(() => endBurning());

  it("is asked about balls that can be caught, some with the body's help", () => {
    const caught = expected.filter(({ status }) => status === "solved");
    expect(caught.length).toBeGreaterThanOrEqual(expected.length / 2);
    expect(caught.filter(({ body }) => body === "moved").length).toBeGreaterThan(0);
    expect(expectedLive.some((answer) => answer.status === "answered" && answer.result.plan !== null)).toBe(true);
  });

  it.each([1, 2, 4])("changes no bit with two burning threads beside: %i", { timeout: 600_000 }, async (workers) => {
    const capacity = 2 * all.length;
    const options = { robots: names, arms: [arm], settings, capacity, warmUpRounds: 0, stuckTimeoutMs: 60_000 };
    const pool = await PlannerPool.start({ ...options, workers });
    try {
      expect(await plansOf(pool)).toEqual(expected);
      const { jobs, replaced } = pool.statistics();
      expect(replaced).toBe(0);
      // Each request is one job at least: none is planned in this thread, with the body's help or without.
      expect(jobs).toBeGreaterThanOrEqual(all.length);
      if (workers > 1) expect(jobs).toBeGreaterThan(all.length + workers);
      expect(await livePlansOf(pool)).toEqual(expectedLive);
    } finally {
      await pool.close();
    }
  });

  it("does not change what a request with the body's help is answered over all jobs", async () => {
    const pool = await PlannerPool.start({ robots: [], settings, workers: 1, warmUpRounds: 0, stuckTimeoutMs: 60_000 });
    const before = pool.statistics().jobs;
    const answer = await pool.plan(planOf(helped[0]!));
    expect(pool.statistics().jobs - before).toBe(1);
    const inline = await new InlinePlanner({ settings }).plan(planOf(helped[0]!));
    if (answer.status !== "answered" || inline.status !== "answered") throw new Error("not answered");
    expect(withoutTime(answer.result)).toEqual(withoutTime(inline.result));
    expect(answer.result.body).toBe("moved");
    await pool.close();
  });
});
