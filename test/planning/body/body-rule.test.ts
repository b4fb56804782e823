import { describe, expect, it } from "vitest";
import type { FlightPath } from "../../../src/flight/ball.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { JointRamps } from "../../../src/motion/joint-ramps.js";
import { type BodyDecision, BodyRule } from "../../../src/planning/body/body-rule.js";
import { createNearestApproach, findNearestApproach } from "../../../src/planning/body/nearest-approach.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import type { Robot } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { deep } from "../../support/deep.js";
import { ArmOnBody, justin, latest, ready, Throws } from "./body-setup.js";

const { model } = justin;
const arms = ["leftArm", "rightArm"].map((group) => new ArmOnBody(group));
const standing = { q: ready, qd: new Float64Array(model.dofCount) };
const throws = new Throws("body rule");
const state = new RobotState(model);

/** The robot with its body where the ramps have it at `t`. */
function robotAt(rule: BodyRule, ramps: JointRamps, t: number, q = ready): RobotState {
  state.q.set(q);
  const body = ramps.positions(t, new Float64Array(ramps.count));
  for (const [i, dof] of rule.dofs.entries()) state.q[dof] = body[i]!;
  forwardKinematics(state);
  return state;
}

/** Least distance of the path to the hand, sampled finely: an independent look at what the rule should make smaller. */
function distanceToPath(flight: FlightPath, hand: vec3.Vec3): number {
  let least = Number.POSITIVE_INFINITY;
  for (let t = 0; t <= latest; t += 1e-3)
    least = Math.min(least, vec3.distance(flight.position(t, vec3.create()), hand));
  return least;
}

const linkOf = (name: string): number => model.linkNames.indexOf(name);
const tipOf = (group: string): number => model.groups.find(({ name }) => name === group)!.tipLink;

describe("the body rule", () => {
  it("moves the hand nearer to the path of nearly every throw, in time", () => {
    let moved = 0;
    const count = deep(40, 300);
    for (let id = 0; id < count; id++) {
      const flight = throws.flight(id);
      for (const { rule, arm } of arms) {
        const decision = rule.decide(standing, flight, 0, latest);
        if (!decision.moves) continue;
        moved++;
        const tip = tipOf(arm.group.name);
        const before = pose.getTranslation(robotAt(rule, decision.ramps, 0).worldFromLink[tip]!, vec3.create());
        const after = pose.getTranslation(robotAt(rule, decision.ramps, 2).worldFromLink[tip]!, vec3.create());
        expect(decision.approach.distance).toBeCloseTo(distanceToPath(flight, before), 2);
        expect(decision.distanceAfter).toBeCloseTo(distanceToPath(flight, after), 2);
        expect(decision.distanceAfter).toBeLessThan(decision.approach.distance);
        expect(decision.ramps.duration).toBeLessThan(decision.approach.time - 0.09);
      }
    }
    expect(moved).toBeGreaterThan(0.95 * 2 * count);
  });

  it("keeps every limit, that of the coupled joint too, and the chest upright, from any start", () => {
    const random = new Random("body limits");
    const rule = arms[1]!.rule;
    const [q, qd, qdd] = [0, 0, 0].map(() => new Float64Array(rule.dofs.length)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    for (let id = 0; id < deep(60, 300); id++) {
      const start = randomStart(rule, random);
      const { ramps } = rule.decide(start, throws.flight(id), 0, latest);
      for (let t = 0; t <= ramps.duration; t += 0.01) {
        ramps.evaluate(t, q, qd, qdd);
        for (const [i, dof] of rule.dofs.entries()) {
          const speedLimit = Math.max(model.maxVelocity[dof]!, Math.abs(start.qd[dof]!));
          expect(within(q[i]!, model.lower[dof]!, model.upper[dof]!)).toBe(true);
          expect(within(qd[i]!, -speedLimit, speedLimit)).toBe(true);
          expect(within(qdd[i]!, -model.maxAcceleration[dof]!, model.maxAcceleration[dof]!)).toBe(true);
        }
        const { worldFromLink, jointPosition } = robotAt(rule, ramps, t, start.q);
        const fourth = linkOf("chest");
        expect(within(jointPosition[fourth]!, model.jointLower[fourth]!, model.jointUpper[fourth]!)).toBe(true);
        expect(worldFromLink[fourth]![8]).toBeCloseTo(1, 12);
      }
    }
  });

  it("begins where the body is and as it moves, and ends at rest", () => {
    const random = new Random("body continuity");
    const rule = arms[0]!.rule;
    for (let id = 0; id < 40; id++) {
      const start = randomStart(rule, random);
      const { ramps } = rule.decide(start, throws.flight(id), 0, latest);
      expect([...ramps.q0]).toEqual(rule.dofs.map((dof) => start.q[dof]));
      expect([...ramps.w0]).toEqual(rule.dofs.map((dof) => start.qd[dof]));
      const [q, qd] = [new Float64Array(ramps.count), new Float64Array(ramps.count)];
      ramps.evaluate(ramps.duration - 1e-9, q, qd, new Float64Array(ramps.count));
      for (let i = 0; i < ramps.count; i++) expect(Math.abs(qd[i]!)).toBeLessThan(1e-6);
    }
  });

  it("leaves the joints alone that the sidecar gives no displacement", () => {
    const { rule } = arms[0]!;
    const { ramps } = rule.decide(standing, throws.flight(3), 0, latest);
    const names = rule.dofs.map((dof) => model.dofNames[dof]);
    for (const name of ["baseX", "baseYaw"]) expect(ramps.end[names.indexOf(name)]).toBe(0);
    const farthest = justin.sidecar.bodyRule!.parts.flatMap(({ group, maxDisplacement }) =>
      model.groups.find(({ name }) => name === group)!.dofs.map((dof, k) => [dof, maxDisplacement[k]!] as const),
    );
    for (const [dof, limit] of farthest) {
      const i = rule.dofs.indexOf(dof);
      expect(Math.abs(ramps.end[i]! - ramps.q0[i]!)).toBeLessThanOrEqual(limit + 1e-12);
    }
  });

  it("stays, or comes to rest, when the ball is there too soon or already comes to the hand", () => {
    const { rule, arm } = arms[1]!;
    const soon = rule.decide(standing, throws.flight(0), 0, 0.1);
    expect(soon.moves).toBe(false);
    expect([...soon.ramps.end]).toEqual([...soon.ramps.q0]);
    const start = { q: ready, qd: new Float64Array(model.dofCount) };
    start.qd[rule.dofs[1]!] = -0.7;
    const braking = rule.decide(start, throws.flight(0), 0, 0.1);
    expect(braking.moves).toBe(false);
    expect(braking.ramps.duration).toBeCloseTo(0.7 / model.maxAcceleration[rule.dofs[1]!]!, 9);
    const hand = pose.getTranslation(robotAt(rule, soon.ramps, 0).worldFromLink[tipOf(arm.group.name)]!, vec3.create());
    expect(rule.decide(standing, straightTo(hand), 0, latest).moves).toBe(false);
  });

  it("is not there where the sidecar has none", () => {
    const table = loadRobot("lwr-arm");
    expect(BodyRule.of(table, table.model.groups[0]!)).toBeNull();
    const bare: Robot = { ...justin, sidecar: { ...justin.sidecar, bodyRule: { parts: [] } } };
    expect(BodyRule.of(bare, model.groups.at(-1)!)).toBeNull();
  });

  it("gives the same bits again", () => {
    const { rule } = arms[0]!;
    const first = rule.decide(standing, throws.flight(5), 0, latest);
    rule.decide(standing, throws.flight(6), 0, latest);
    expect(numbers(rule.decide(standing, throws.flight(5), 0, latest))).toEqual(numbers(first));
  });

  it("lets each arm catch more", { timeout: deep(30_000, 600_000) }, () => {
    const counts = { none: 0, rule: 0 };
    const count = deep(20, 250);
    for (let id = 0; id < count; id++) {
      const flight = throws.flight(id);
      for (const arm of arms) {
        if (arm.catches(flight, arm.standing())) counts.none++;
        if (arm.catches(flight, arm.rule.decide(standing, flight, 0, latest).ramps)) counts.rule++;
      }
    }
    expect(counts.rule).toBeGreaterThan(counts.none * 1.1);
  });
});

describe("the nearest approach", () => {
  it("is found to the sampling's precision and better", () => {
    const random = new Random("approach");
    for (let id = 0; id < 100; id++) {
      const flight = throws.flight(id);
      const point = vec3.create(random.uniformIn(-0.5, 1), random.uniformIn(-1, 1), random.uniformIn(0.3, 2));
      const found = findNearestApproach(flight, point, 0, latest, createNearestApproach());
      expect(found.distance).toBeLessThanOrEqual(distanceToPath(flight, point) + 1e-9);
      expect(found.distance).toBeCloseTo(vec3.distance(flight.position(found.time, vec3.create()), point), 12);
      const isInside = found.time > 1e-6 && found.time < latest - 1e-6;
      const across = vec3.subtract(found.position, point, vec3.create());
      if (isInside) expect(Math.abs(vec3.dot(across, flight.velocity(found.time, vec3.create())))).toBeLessThan(1e-4);
    }
  });
});

/** Body joints somewhere within their limits, moving, with room to stop. */
function randomStart(rule: BodyRule, random: Random) {
  const start = { q: ready.slice(), qd: new Float64Array(model.dofCount) };
  for (const dof of rule.dofs) {
    start.qd[dof] = random.uniformIn(-0.3, 0.3);
    start.q[dof] = Math.max(model.lower[dof]! + 0.15, ready[dof]! + random.uniformIn(-0.6, 0.6));
  }
  return start;
}

/** A path that ends in `hand` and stays there. */
function straightTo(hand: vec3.Vec3): FlightPath {
  const away = (t: number) => 6 * Math.max(0, 0.8 - t);
  const position = (t: number, out: vec3.Vec3) => vec3.set(hand[0] + away(t), hand[1], hand[2], out);
  const none = (_: number, out: vec3.Vec3) => vec3.set(0, 0, 0, out);
  return { begin: 0, end: 2, position, velocity: none, acceleration: none, evaluate: (t, p) => void position(t, p) };
}

function within(x: number, low: number, high: number): boolean {
  return x >= low - 1e-9 && x <= high + 1e-9;
}

function numbers({ ramps, distanceAfter, approach }: BodyDecision): number[] {
  return [...ramps.end, ...ramps.a, distanceAfter, approach.time];
}
