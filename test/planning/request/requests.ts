import type { PlanRequest } from "../../../src/planning/request/request.js";
import type { RobotSource } from "../../../src/planning/request/resolve-request.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import type { Robot } from "../../../src/robot/robot.js";

const loaded = new Map<string, Robot>();

/** The shipped robots, each loaded once for all tests of a file. */
export const robots: RobotSource = {
  get(name) {
    const robot = loaded.get(name) ?? loadRobot(name);
    loaded.set(name, robot);
    return robot;
  },
};

/** A ball that every shipped arm on a table can catch. */
export const tableThrow = { position: [4.5, 0.1, 1.4], velocity: [-4.6, 0, 4.1] };

export function request(overrides: Partial<PlanRequest> = {}): PlanRequest {
  return { robot: "lwr-arm", ball: { state: tableThrow }, ...overrides };
}

export function diagonalCovariance(positionSigma: number, velocitySigma: number): number[][] {
  return Array.from({ length: 6 }, (_, r) =>
    Array.from({ length: 6 }, (_, c) => (r === c ? (r < 3 ? positionSigma : velocitySigma) ** 2 : 0)),
  );
}
