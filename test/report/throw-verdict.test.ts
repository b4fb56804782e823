import { describe, expect, it } from "vitest";
import { gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import * as pose from "../../src/math/pose.js";
import * as vec3 from "../../src/math/vec3.js";
import type { PlanReport } from "../../src/report/report-types.js";
import { type JudgingFlight, throwVerdict } from "../../src/report/throw-verdict.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";

const robot = loadRobot("lwr-arm");
const arm = robot.model.groups.find(({ hand }) => hand !== undefined)!.name;

function judged(): JudgingFlight {
  const path = new Flight();
  const state = { time: 0, position: vec3.create(4, 0, 1.2), velocity: vec3.create(-5, 0, 3), drag: 0 };
  path.reset(state, gravity(), 0, 1.5);
  return { source: "truth", ball: { path, released: 0, lands: 1.5 } };
}

/** A hand that closed 20 cm beside the ball. */
function besides() {
  const worldFromHand = pose.create();
  const { ball } = judged();
  const place = ball.path.position(0.7, vec3.create());
  worldFromHand.set([0, 0, 1, 0, 1, 0, -1, 0, 0, place[0], place[1] + 0.2, place[2]]);
  return { arm, track: 1, time: 0.7, told: worldFromHand, worldFromHand, velocity: vec3.create() };
}

function plan(tCatch: number | null, handover: string | null): PlanReport {
  const known = { arm, id: 1, asked: 0.1, known: 0.13, search: "cold", position: null, objective: null, moved: null };
  const reason = tCatch === null ? "too fast: a joint stays 1° behind" : null;
  return { ...known, successProbability: null, tCatch, reason, handover } as unknown as PlanReport;
}

describe("the verdict of a replayed throw", () => {
  it("is that a ball was missed, if the motion in execution was a catch", () => {
    for (const plans of [[plan(0.7, "accepted")], [plan(0.7, "accepted"), plan(null, null)]]) {
      const verdict = throwVerdict(robot, besides(), judged(), plans, 2);
      expect(verdict.outcome).toBe("missed");
      expect(verdict.lateral).toBeCloseTo(0.2, 6);
    }
  });

  it("is that it was out of reach, and why, if that only came near to one", () => {
    const plans = [plan(0.7, "accepted"), plan(null, "accepted")];
    const verdict = throwVerdict(robot, besides(), judged(), plans, 2);
    expect(verdict).toMatchObject({
      outcome: "not reachable",
      lateral: null,
      reason: "too fast: a joint stays 1° behind",
    });
  });

  it("is that it was caught, whatever was planned, if the hand was there", () => {
    const grasp = besides();
    grasp.worldFromHand[10] -= 0.2;
    const velocity = judged().ball.path.velocity(0.7, vec3.create());
    vec3.normalize(velocity, velocity);
    // z of the hand against the ball's velocity, y as it is.
    const x = vec3.cross(vec3.create(0, 1, 0), vec3.scale(velocity, -1, vec3.create()), vec3.create());
    for (let k = 0; k < 3; k++) {
      grasp.worldFromHand[3 * k] = x[k]!;
      grasp.worldFromHand[3 * k + 1] = k === 1 ? 1 : 0;
      grasp.worldFromHand[3 * k + 2] = -velocity[k]!;
    }
    expect(throwVerdict(robot, grasp, judged(), [plan(null, "accepted")], 2).outcome).toBe("caught");
  });
});
