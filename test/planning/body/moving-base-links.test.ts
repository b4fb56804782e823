import { describe, expect, it } from "vitest";
import { FlightStatus } from "../../../src/flight/ball.js";
import * as pose from "../../../src/math/pose.js";
import * as vec3 from "../../../src/math/vec3.js";
import { baseFromLinksAt } from "../../../src/planning/body/moving-base-links.js";
import { KeepOutSet } from "../../../src/planning/problem/keep-out.js";
import { forwardKinematics, relativePose } from "../../../src/robot/kinematics/kinematics.js";
import { RobotState } from "../../../src/robot/state.js";
import { deep } from "../../support/deep.js";
import { ArmOnBody, justin, latest, ready, Throws } from "./body-setup.js";

const { model } = justin;
const side = new ArmOnBody("rightArm");
const throws = new Throws("links");
const standing = { q: ready, qd: new Float64Array(model.dofCount) };
const state = new RobotState(model);

/** The whole robot at `t`: its body by the decision's ramps, its arm by the solution's. */
function robotAt(t: number): RobotState {
  state.q.set(ready);
  side.path.placeBody(t, state.q);
  const arm = side.solution.ramps.positions(t, new Float64Array(7));
  for (const [i, dof] of side.arm.group.dofs.entries()) state.q[dof] = arm[i]!;
  forwardKinematics(state);
  return state;
}

describe("a catch planned from a moving base", () => {
  it("is one in the world: hand at the ball, facing it as the chest sees it, clear of the shapes where they are then", () => {
    let caught = 0;
    for (let id = 0; id < deep(12, 60); id++) {
      const flight = throws.flight(id);
      const body = side.rule.decide(standing, flight, 0, latest).ramps;
      if (!side.catches(flight, body)) continue;
      caught++;
      const t = side.solution.x.at(-1)!;
      const { worldFromLink } = robotAt(t);
      const worldFromHand = worldFromLink[side.arm.group.tipLink]!;
      const hand = pose.getTranslation(worldFromHand, vec3.create());
      expect(vec3.distance(hand, flight.position(t, vec3.create()))).toBeLessThan(1e-4);
      expect(facing(flight, t, worldFromHand)).toBeLessThan(-0.99999);
      const posture = ready.slice();
      const keepOut = new KeepOutSet(justin.keepOut, baseFromLinksAt(justin, side.path, posture, t));
      const inBase = pose.transformPointInverse(worldFromLink[side.path.baseLink]!, hand, vec3.create());
      const missing = Math.max(0, body.duration - t);
      expect(keepOut.clearance(inBase)).toBeGreaterThan(-1e-4 - missing);
    }
    expect(caught).toBeGreaterThan(3);
  });

  it("has every link where the whole robot's kinematics has it, and the world where it was measured", () => {
    const flight = throws.flight(1);
    const body = side.rule.decide(standing, flight, 0, latest).ramps;
    const head = justin.frames.head!;
    const slip = pose.fromRpyTranslation(0.01, -0.02, 0.015, 0.005, -0.004, 0.002, pose.create());
    const motion = { ramps: body, start: 0 };
    const posture = ready.slice();
    side.path.reset(flight, motion, null, 0, latest);
    side.path.placeBody(0.2, posture);
    state.q.set(posture);
    forwardKinematics(state);
    const measurement = {
      worldFromHead: pose.compose(slip, state.worldFromLink[head]!, pose.create()),
      neck: Float64Array.from(side.path.neckDofs, (dof) => posture[dof]!),
      body: Float64Array.from(side.path.bodyDofs, (dof) => posture[dof]!),
    };
    expect(side.path.reset(flight, motion, measurement, 0, latest)).toBe(FlightStatus.ok);
    const baseFromLink = baseFromLinksAt(justin, side.path, ready, 0.7);
    side.path.placeBody(0.7, state.q);
    forwardKinematics(state);
    for (const name of ["chest", "base", "head"]) {
      const link = model.linkNames.indexOf(name);
      expectSame(baseFromLink(link), relativePose(state, side.path.baseLink, link, pose.create()));
    }
    const worldFromBase = pose.compose(slip, state.worldFromLink[side.path.baseLink]!, pose.create());
    expectSame(baseFromLink(justin.frames.world), pose.invert(worldFromBase, pose.create()));
  });
});

function expectSame(a: pose.Pose, b: pose.Pose): void {
  for (let k = 0; k < 12; k++) expect(a[k]).toBeCloseTo(b[k]!, 9);
}

/** Cosine between the hand's z axis and the ball's velocity relative to the base, by differences. */
function facing(
  flight: { position(t: number, out: vec3.Vec3): vec3.Vec3 },
  t: number,
  worldFromHand: pose.Pose,
): number {
  const h = 1e-5;
  const z = vec3.create(worldFromHand[2], worldFromHand[5], worldFromHand[8]);
  const inBase = (at: number) => {
    const worldFromBase = side.path.worldFromBase(at, pose.create());
    return pose.transformPointInverse(worldFromBase, flight.position(at, vec3.create()), vec3.create());
  };
  const velocity = vec3.normalize(vec3.subtract(inBase(t + h), inBase(t - h), vec3.create()), vec3.create());
  pose.rotateVector(side.path.worldFromBase(t, pose.create()), velocity, velocity);
  return vec3.dot(z, velocity);
}
