import { robotFingerprint } from "../../control/udp/frame.js";
import type { FrameKey } from "../../control/udp/frame-key.js";
import { RobotServer } from "../../control/udp/robot-server.module.js";
import type { RobotModel } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { RobotEnd } from "../controllers/robot-end.js";
import { UR_JOINTS } from "../controllers/ur/ur-modes.js";
import { UrServer } from "../controllers/ur/ur-server.module.js";

export const robotProtocols = ["udp", "ur"] as const;
/** How a simulated robot is led: by the cyclic UDP protocol, or as a controller of Universal Robots is. */
export type RobotProtocol = (typeof robotProtocols)[number];

export interface RobotEndOptions {
  readonly protocol: RobotProtocol;
  readonly host: string;
  /** Of the UDP protocol, or of RTDE, where primary interface and dashboard have the next two; 0 lets the system choose. */
  readonly port: number;
  /** What the UDP protocol asks for, if anything. */
  readonly key: FrameKey | null;
  /** Cycles in a row without a command after which a robot of the UDP protocol brakes by itself. */
  readonly missedCycles: number;
  readonly model: RobotModel;
  /** Where the joints stand at first. */
  readonly start: Float64Array;
  /** Period of the simulation [s]. */
  readonly timestep: number;
}

export interface OpenedEnd {
  readonly end: RobotEnd;
  /** What follows commands late: the joints as the robot's description says, or the controller itself. */
  readonly lag: "joints" | "controller";
  /** UDP port; 0 where there is none. */
  readonly udp: number;
  /** Where a client finds it, as `--robot-address` takes it, without the world. */
  readonly address: string;
}

/** Cycles without any word after which a client counts as gone. */
const GONE_CYCLES = 2000;
/**
 * How far a joint may be sent in a cycle, in multiples of its speed limit: two commands may come in one cycle and none in the
 * next. The robot's own limiter keeps the joint within its limits.
 */
const STEP_TOLERANCE = 4;
/** A joint without a speed limit may go this far [rad or m], and this fast [rad/s or m/s]. */
const FREE_STEP = 0.1;
const FREE_SPEED = 100;
/** How fast a command may be, in multiples of the speed limit: what brakes from a measured speed may begin a little above it. */
const SPEED_TOLERANCE = 1.25;
/** Period of a controller of the e-Series [s]. */
const UR_PERIOD = 0.002;

/** Opens the robot's end of a protocol. */
export function openRobotEnd(options: RobotEndOptions): Promise<OpenedEnd> {
  return options.protocol === "udp" ? openUdp(options) : openUr(options);
}

async function openUdp({ host, port, key, missedCycles, model, timestep }: RobotEndOptions): Promise<OpenedEnd> {
  const session = { count: model.dofCount, fingerprint: robotFingerprint(model), ...boundsOf(model, timestep) };
  const end = await RobotServer.listen({ host, port, key, ...session, missedCycles, goneCycles: GONE_CYCLES });
  return { end, lag: "joints", udp: end.port, address: `${host}:${end.port}?` };
}

/** How far and how fast the robot's protocol lets the joints be sent. */
function boundsOf({ maxVelocity }: RobotModel, timestep: number) {
  const isLimited = (speed: number) => speed < 1e6;
  return {
    maxStep: maxVelocity.map((speed) => (isLimited(speed) ? STEP_TOLERANCE * speed * timestep : FREE_STEP)),
    maxSpeed: maxVelocity.map((speed) => (isLimited(speed) ? SPEED_TOLERANCE * speed : FREE_SPEED)),
  };
}

async function openUr({ host, port, model, start, timestep }: RobotEndOptions): Promise<OpenedEnd> {
  const { dofCount, lower, upper, maxVelocity } = model;
  if (dofCount !== UR_JOINTS) {
    throw new FlycatcherError("FLY_CONTROLLER_JOINTS", "a controller of Universal Robots drives six joints", {
      ...{ path: "--protocol", expected: `a robot with ${UR_JOINTS} joints`, found: `one with ${dofCount}` },
    });
  }
  const next = (k: number) => (port === 0 ? 0 : port + k);
  const ports = { rtde: port, primary: next(1), dashboard: next(2) };
  const end = await UrServer.listen({ host, ports, start, lower, upper, maxVelocity, period: UR_PERIOD, timestep });
  const { rtde, primary, dashboard } = end.ports;
  return {
    end,
    lag: "controller",
    udp: 0,
    address: `ur://${host}?rtde=${rtde}&primary=${primary}&dashboard=${dashboard}&`,
  };
}
