import { describe, expect, it } from "vitest";
import {
  chooseConfigurations,
  ExpectedInformation,
} from "../../../src/calibration/configurations/choose-configurations.js";
import { type ArmCandidate, CandidateSampler } from "../../../src/calibration/configurations/sample-candidates.js";
import { expectedNoise } from "../../../src/calibration/procedure/fit-calibration.js";
import { CameraModel } from "../../../src/camera/camera-model.js";
import { factor, logDeterminant } from "../../../src/math/cholesky.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { RobotState } from "../../../src/robot/state.js";
import { bruteForceDistance, type Point } from "../../collision/brute-force-distance.js";
import { rig, robot, smallChoice } from "../recordings.js";

const home = robot.postures.get("ready")!;
const noise = expectedNoise(rig, 10, 0.3);
const chosen = chooseConfigurations(rig, home, noise, new Random("choice"), smallChoice);

/** The robot in a configuration, at a time of its sweep. */
function stateAt({ arm, positions, sweep }: ArmCandidate, time: number): RobotState {
  const state = new RobotState(robot.model);
  const [q, qd, qdd] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)];
  state.q.set(home);
  for (const [i, dof] of rig.arms[arm]!.group.dofs.entries()) state.q[dof] = positions[i]!;
  sweep.evaluate(time, q, qd, qdd);
  for (const [i, dof] of rig.neck.dofs.entries()) state.q[dof] = q[i]!;
  forwardKinematics(state);
  return state;
}

describe("chosen configurations", () => {
  it("are as many as asked for, of both arms, none twice", () => {
    expect(chosen).toHaveLength(16);
    expect(chosen.filter(({ arm }) => arm === 0)).toHaveLength(8);
    expect(new Set(chosen.map(({ positions }) => positions.join())).size).toBe(16);
  });

  it("keep joint limits throughout the sweep", () => {
    const { lower, upper } = robot.model;
    for (const candidate of chosen) {
      const { positions, sweep } = candidate;
      const [q, qd, qdd] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)];
      const dofs = rig.arms[candidate.arm]!.group.dofs;
      expect(dofs.every((dof, i) => positions[i]! >= lower[dof]! && positions[i]! <= upper[dof]!)).toBe(true);
      for (let t = 0; t < sweep.duration; t += 0.02) {
        sweep.evaluate(t, q, qd, qdd);
        expect(rig.neck.dofs.every((dof, i) => q[i]! >= lower[dof]! && q[i]! <= upper[dof]!)).toBe(true);
      }
    }
  });

  it("show the marker to both cameras", () => {
    const cameras = rig.cameras.map((camera) => new CameraModel(camera));
    for (const candidate of chosen) {
      const { marker } = rig.arms[candidate.arm]!;
      const state = stateAt(candidate, 0);
      const point = pose.transformPoint(state.worldFromLink[marker.link]!, marker.position, vec3.create());
      for (const [side, camera] of cameras.entries()) {
        const seen = pose.transformPointInverse(state.worldFromLink[rig.cameras[side]!.link]!, point, vec3.create());
        const pixel = new Float64Array(2);
        expect(camera.project(seen, pixel)).toBe(true);
        expect(camera.isInside(pixel[0]!, pixel[1]!, 20)).toBe(true);
        expect(vec3.norm(seen)).toBeGreaterThan(0.35);
      }
    }
  });

  it("are free of contact on the way and in the sweep, by an independent distance", () => {
    for (const candidate of chosen.slice(0, 6)) {
      const times = Array.from({ length: 4 }, (_, k) => (k * candidate.sweep.duration) / 3);
      const states = times.map((time) => stateAt(candidate, time));
      const way = new RobotState(robot.model);
      way.q.set(home);
      const q = new Float64Array(candidate.dofs.length);
      candidate.approach.positions(candidate.approach.duration / 2, q);
      for (const [i, dof] of candidate.dofs.entries()) way.q[dof] = q[i]!;
      forwardKinematics(way);
      for (const state of [...states, way]) {
        for (const [a, b] of robot.pairs) expect(clearance(state, a, b)).toBeGreaterThan(0);
      }
    }
  });

  it("tell more than configurations at random", () => {
    const expectation = new ExpectedInformation(rig, home, noise);
    const random = new Random("at random");
    const sampler = new CandidateSampler(rig, home, smallChoice.sampling);
    const some = [0, 1].flatMap((arm) => sampler.sample(arm, smallChoice.perArm, random));
    const told = (candidates: readonly ArmCandidate[]) => {
      const total = expectation.prior();
      for (const candidate of candidates) {
        const information = expectation.of(candidate);
        for (let i = 0; i < total.length; i++) total[i] = total[i]! + information[i]!;
      }
      factor(total, expectation.size, total);
      return logDeterminant(total, expectation.size);
    };
    expect(told(chosen)).toBeGreaterThan(told(some) + 5);
  });

  it("are the same for the same seed", () => {
    const again = chooseConfigurations(rig, home, noise, new Random("choice"), smallChoice);
    expect(again.map(({ positions }) => positions)).toEqual(chosen.map(({ positions }) => positions));
  });
});

/** Distance of two bodies. */
function clearance(state: RobotState, a: number, b: number): number {
  const [first, second] = [placed(state, a), placed(state, b)];
  return bruteForceDistance(first, second) - robot.hulls[a]!.radius - robot.hulls[b]!.radius;
}

function placed(state: RobotState, body: number): Point[] {
  const { link, points } = robot.hulls[body]!;
  return Array.from({ length: points.length / 3 }, (_, i) => {
    const point = vec3.create(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!);
    pose.transformPoint(state.worldFromLink[link]!, point, point);
    return [point[0], point[1], point[2]];
  });
}
