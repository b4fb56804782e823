import { describe, expect, it } from "vitest";
import * as vec3 from "../../src/math/vec3.js";
import type { Event } from "../../src/messages/report.js";
import { CatchingNode } from "../../src/nodes/catching.js";
import { EvaluatorNode } from "../../src/nodes/evaluator.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { type LockStepHost, type LockStepOptions, lockStepRun } from "../../src/run/lock-step-host.js";
import type { Run } from "../../src/run/run.js";
import type { Throw } from "../../src/simulation/world/throws.js";
import type { Node } from "../../src/transport/node.js";

/** It rises for longer than balls are followed. */
const rising: Throw = {
  id: 900,
  state: { time: 0, position: vec3.create(5, 0, 1.6), velocity: vec3.create(-1, 0, 16), drag: 0.032 },
  aim: vec3.create(),
  flightTime: 1,
  framePhase: 0,
};
const below: Throw = { ...rising, id: 901, state: { ...rising.state, position: vec3.create(5, 0, -1) } };

async function start(options: Partial<LockStepOptions> = {}): Promise<Run<LockStepHost>> {
  const robot = loadRobot("lwr-arm");
  return lockStepRun({ robot, world: "kinematic", perception: "truth", seed: 1, planner: { starts: 12 }, ...options });
}

/** Lets a node fail while it is `time` on the run's clock [s]. */
function failing(node: Node, from: number, until: number): void {
  const step = node.step.bind(node);
  node.step = (nowNs) => {
    if (nowNs >= 1e9 * from && nowNs < 1e9 * until) throw new Error("told to fail");
    return step(nowNs);
  };
}

describe("a run in lock-step in which something goes wrong", () => {
  it.each(["kinematic", "physics"] as const)(
    "drops balls that cannot fly in a %s world, and goes on",
    async (world) => {
      const run = await start({ world });
      const events = run.tap<Event>("robot.events");
      for (const ball of [rising, below]) {
        const [result] = await run.throwAll([ball]);
        expect(result).toMatchObject({ id: ball.id, outcome: "no-plan", reason: "it could not be thrown" });
        expect(events.take(run.nowNs)).toMatchObject({ code: "ball-dropped", source: "world" });
      }
      expect((await run.throwBalls([0]))[0]?.id).toBe(0);
      expect(events.take(run.nowNs)).toBeNull();
      await run.close();
    },
  );

  it("goes on without a node for a while, and catches when it is back", async () => {
    const failed: string[] = [];
    const run = await start({ onNodeError: (node) => failed.push(node) });
    failing(run.host.node("catching", CatchingNode)!, 2.2, 2.4);
    failing(run.host.node("evaluator", EvaluatorNode)!, 2.5, 2.6);
    await run.throwBalls([0]);
    expect(failed.filter((node) => node === "catching")).toHaveLength(200);
    expect(new Set(failed)).toEqual(new Set(["catching", "evaluator"]));
    const [next] = await run.throwBalls([1]);
    expect(next?.outcome).toBe("caught");
    await run.close();
  });

  it("ends with the first error where nothing takes it", async () => {
    const run = await start();
    failing(run.host.node("catching", CatchingNode)!, 2.2, 2.4);
    await expect(run.throwBalls([0])).rejects.toThrow("told to fail");
    await run.close();
  });
});
