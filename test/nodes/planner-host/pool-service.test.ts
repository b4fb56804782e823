import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPlanService } from "../../../src/nodes/planner-host/start-plan-service.module.js";
import { InlinePlanService, type PlanService, PooledPlanService } from "../../../src/planning/pool/plan-service.js";
import type { PlanAnswer } from "../../../src/planning/request/answer.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import { resolveConfig } from "../../../src/runtime/config.js";
import { request, robots } from "../../planning/request/requests.js";

const never = new AbortController().signal;
/** One of them cannot be loaded. */
const names = ["iiwa-14", "lwr-arm", "agile-justin", "no-such-robot"];

function start(execution: "workers" | "inline", workers = 2): Promise<PlanService> {
  const planning = { execution, workers, starts: 8 };
  const config = resolveConfig({ overrides: [{ robot: "lwr-arm", run: { clock: "lock-step" }, planning }] });
  return startPlanService({ config, robots, names, warmUpRounds: 0 });
}

/** All but the time it took. */
function withoutTime({ statistics, ...answer }: PlanAnswer): object {
  return { ...answer, statistics: { ...statistics, milliseconds: 0 } };
}

describe("the plan service of a configuration", () => {
  let workers: PlanService;
  let inline: PlanService;
  beforeAll(async () => {
    workers = await start("workers");
    inline = await start("inline");
  }, 60_000);
  afterAll(() => Promise.all([workers.close(), inline.close()]));

  it("plans where it says", () => {
    expect(workers).toBeInstanceOf(PooledPlanService);
    expect(workers.concurrency).toBe(2);
    expect(inline).toBeInstanceOf(InlinePlanService);
  });

  const requests: [string, PlanRequest][] = [
    ["a soft catch", request()],
    ["a sure catch", request({ mode: "sure" })],
    ["another robot", request({ robot: "iiwa-14", mode: "latest" })],
    [
      "keep-out shapes to add",
      request({ handKeepOut: [{ name: "lamp", type: "sphere", center: [0.6, 0.2, 1.2], radius: 0.1 }] }),
    ],
    ["an arm that cannot be there in time", request({ limits: { accelerationScale: 0.01 } })],
    [
      "two arms, torso and platform helping",
      {
        robot: "agile-justin",
        body: "rule",
        ball: { state: { time: -0.27, position: [5, 0, 1.5], velocity: [-6, -0.9, 3.2] } },
      },
    ],
    ["a moving start", request({ start: { velocity: [0.3, -0.2, 0.1, 0.2, -0.4, 0.1, 0.2] } })],
  ];
  it("gives the same motion in threads as without", async () => {
    const move = {
      robot: "panda",
      start: { position: { arm1: -0.7, arm2: 0.6, arm4: -1.9 } },
      goal: { joints: { arm1: 0.7, arm2: 0.6, arm4: -1.9 } },
      obstacles: [
        { name: "post", type: "sphere" as const, center: [0.55, 0, 0.8] as [number, number, number], radius: 0.12 },
      ],
    };
    const answers = [await workers.move(move, never), await inline.move(move, never)];
    const [one, other] = answers.map(({ statistics, ...answer }) => ({ ...answer, samples: statistics.samples }));
    expect(one).toEqual(other);
    expect(one!.status).toBe("planned");
  });

  it.each(requests)("gives the same bits in threads as without: %s", async (_, value) => {
    expect(withoutTime(await workers.plan(value, never))).toEqual(withoutTime(await inline.plan(value, never)));
  });

  it("answers many at a time", async () => {
    const [expected] = await Promise.all([inline.plan(request(), never)]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => workers.plan(request(), never)));
    for (const answer of answers) expect(withoutTime(answer)).toEqual(withoutTime(expected));
  });
});
