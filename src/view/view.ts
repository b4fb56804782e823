import { StandingDistances } from "../collision/pairs/standing-distances.js";
import type { MotionPart } from "../control/robot-motion.js";
import type { ControlState, JointCommand, MonitorState } from "../messages/control.js";
import type { PageMessage, SafetyMessage, StateMessage } from "../messages/page.js";
import type { Handover, Motion } from "../messages/planning.js";
import type { Predictions } from "../messages/prediction.js";
import type { ArmStates, Event } from "../messages/report.js";
import type { Circles, Image, JointState } from "../messages/sensing.js";
import type { TrueFlight, TrueWorld } from "../messages/world.js";
import type { Robot } from "../robot/robot.js";
import type { BrakingOptions } from "../safety/braking/braking-intervals.js";
import { type InPort, takeEach, takeNewest } from "../transport/port.js";
import { previewOf } from "./image-preview.js";
import { rampNumbers } from "./plan-words.js";
import type { ImagePacket, PosePacket } from "./pose-packet.js";
import { PredictionPath } from "./prediction-path.js";
import type { SweptPacket } from "./swept-packet.js";
import { SweptVolumes } from "./swept-volumes.js";

/** The out-ports of a run that a view taps. */
export interface ViewPorts {
  readonly predictions: InPort<Predictions>;
  readonly motions: InPort<Motion>;
  readonly handovers: InPort<Handover>;
  readonly circles: readonly InPort<Circles>[];
  /** Where whole images pass; none where they are asked for one by one. */
  readonly images: readonly InPort<Image>[];
  readonly states: InPort<ArmStates>;
  readonly control: InPort<ControlState>;
  readonly monitor: InPort<MonitorState>;
  readonly commands: InPort<JointCommand>;
  readonly joints: InPort<JointState>;
  readonly world: InPort<TrueWorld>;
  readonly flights: InPort<TrueFlight>;
  readonly events: readonly InPort<Event>[];
}

/** Where what is seen goes. */
export interface ViewTarget {
  publish(message: PageMessage): void;
  /** An image, where one is wanted. */
  publishImage(image: ImagePacket): void;
}

/** Control that has sent no command for so long does not lead the robot [s]: what it said last is no longer so. */
const SILENT = 1;
/** Pairs of bodies that are published. */
const PAIRS = 8;

/**
 * What a page gets of a run, in lock-step, in threads or replayed: one tap on the graph. It only takes: when it is late it misses
 * messages, and nothing waits for it.
 */
export class View {
  wantsImages = false;
  readonly #robot: Robot;
  readonly #parts: readonly MotionPart[];
  readonly #ports: ViewPorts;
  readonly #target: ViewTarget;
  readonly #paths = new PredictionPath();
  readonly #pairs: NearestPairs;
  readonly #q: Float64Array;
  readonly #brakingOptions: BrakingOptions;
  #swept: SweptVolumes | null = null;
  #command: JointCommand | null = null;
  /** When it came [s]. */
  #commandTime = 0;
  #world: TrueWorld | null = null;
  #jointTime = Number.NaN;
  #braking: number | null = null;
  #states: ArmStates | null = null;
  #control: ControlState | null = null;
  #hasNewState = false;

  /** `reactionTime`: from a command to the beginning of a brake at most [s]; by default the monitor's. */
  constructor(robot: Robot, parts: readonly MotionPart[], ports: ViewPorts, target: ViewTarget, reactionTime?: number) {
    this.#brakingOptions = reactionTime === undefined ? {} : { reactionTime };
    this.#robot = robot;
    this.#parts = parts;
    this.#ports = ports;
    this.#target = target;
    this.#pairs = new NearestPairs(robot);
    this.#q = new Float64Array(robot.model.dofCount);
  }

  /** Takes what has come by `nowNs`, and publishes it. */
  poll(nowNs: number): void {
    const { ports, target, time } = { ports: this.#ports, target: this.#target, time: nowNs / 1e9 };
    takeEach(ports.flights, nowNs, ({ ball }) => target.publish({ type: "ball", time, ball }));
    takeEach(ports.predictions, nowNs, ({ balls }) => {
      for (const ball of balls) {
        const { track, confirmed, lastSeen: tExposure } = ball;
        target.publish({ type: "prediction", time, track, confirmed, tExposure, path: this.#paths.points(ball) });
      }
    });
    for (const port of ports.circles) takeEach(port, nowNs, (circles) => this.#publishCircles(circles));
    for (const port of ports.images) takeEach(port, nowNs, (image) => this.showImage(image));
    takeEach(ports.motions, nowNs, (motion) => this.#publishMotion(motion, time));
    takeEach(ports.handovers, nowNs, ({ part, id: plan, outcome }) =>
      target.publish({ type: "handover", time, plan, part, outcome }),
    );
    for (const port of ports.events) {
      takeEach(port, nowNs, ({ severity, source, code, text }) =>
        target.publish({ type: "event", time, severity, source, code, text }),
      );
    }
    this.#takeStates(nowNs);
  }

  #takeStates(nowNs: number): void {
    const { states, control, monitor, commands, joints } = this.#ports;
    const newStates = takeNewest(states, nowNs);
    const newControl = takeNewest(control, nowNs);
    this.#hasNewState ||= newStates !== null || newControl !== null;
    this.#states = newStates ?? this.#states;
    this.#control = newControl ?? this.#control;
    this.#braking = takeNewest(monitor, nowNs)?.distance ?? this.#braking;
    const command = takeNewest(commands, nowNs);
    if (command !== null) {
      this.#command = command;
      this.#commandTime = nowNs / 1e9;
    }
    const measured = takeNewest(joints, nowNs);
    if (measured === null) return;
    this.#q.set(measured.q);
    this.#jointTime = measured.time;
  }

  #publishCircles({ camera: side, exposureNs, arrivalNs, u, v, r, score }: Circles): void {
    const { stereo, cameras } = this.#robot;
    const camera = stereo === undefined ? undefined : cameras[stereo[side]];
    if (camera === undefined || u.length === 0) return;
    const { width, height } = camera;
    const [time, tExposure] = [arrivalNs / 1e9, exposureNs / 1e9];
    const circles = Array.from(u, (_, k) => [u[k]!, v[k]!, r[k]!, score[k]!] as const);
    this.#target.publish({ type: "circles", time, camera: side, tExposure, width, height, circles });
  }

  /** An image, if images are wanted. */
  showImage(image: Image): void {
    if (!this.wantsImages || image.pixels.length === 0) return;
    this.#target.publishImage(previewOf(image));
  }

  #publishMotion({ part, id, tStart, ramps, track, tCatch, objective }: Motion, time: number): void {
    const joints = this.#parts.find(({ name }) => name === part)?.dofs ?? [];
    const ball = track < 0 ? { track: -1, tCatch: null, objective: null } : { track, tCatch, objective };
    const numbers = rampNumbers(ramps, joints.length);
    this.#target.publish({ type: "plan", time, id, part, ...ball, tStart, joints: [...joints], ramps: numbers });
  }

  /** Whether the arms, or control, have a state that was not published yet. */
  get hasNewState(): boolean {
    return this.#hasNewState;
  }

  /** What the robot is about; null before it is known. */
  state(time: number): StateMessage | null {
    const { phase = "safe", reason = null, isAtFault = false, isReady = false } = this.#control ?? {};
    if (this.#states === null) return null;
    this.#hasNewState = false;
    const { arms } = this.#states;
    if (this.#command !== null && time > this.#commandTime + SILENT) {
      const monitor = { phase, reason: "control is silent: what is shown is old" };
      return { type: "state", time, activity: "fault", monitor, arms };
    }
    const isBusy = !this.#states.isWaiting;
    const moving = isBusy ? "busy" : "waiting";
    const activity = isAtFault ? "fault" : !isReady ? "starting" : phase !== "safe" ? "stopped" : moving;
    return { type: "state", time, activity, monitor: { phase, reason: reason ?? "" }, arms };
  }

  safety(time: number): SafetyMessage {
    return { type: "safety", time, braking: this.#braking, pairs: this.#pairs.at(this.#q, PAIRS) };
  }

  /** The volumes that the bodies can sweep until the robot stands; null before the first command. */
  swept(): SweptPacket | null {
    if (this.#command === null) return null;
    const { time, q, qd, qdd } = this.#command;
    this.#swept ??= new SweptVolumes(this.#robot, this.#brakingOptions);
    return this.#swept.compute(time, q, qd, qdd);
  }

  /** A robot that stands at `q`, before anything is known of it. */
  standing(nowNs: number, q: Float64Array, out: PosePacket): void {
    out.time = nowNs / 1e9;
    out.joints.set(q);
    closingOf(this.#robot, q, out.hands);
  }

  /** The robot and the balls at `nowNs`, as they truly are where that is known; false before the first state. */
  pose(nowNs: number, out: PosePacket): boolean {
    this.#world = takeNewest(this.#ports.world, nowNs) ?? this.#world;
    if (Number.isNaN(this.#jointTime)) return false;
    const truth = this.#world;
    const isJointTruth = truth !== null && truth.joints.length === this.#q.length;
    const q = isJointTruth ? truth.joints : this.#q;
    out.time = isJointTruth ? truth.time : this.#jointTime;
    out.joints.set(q);
    closingOf(this.#robot, q, out.hands);
    if (truth === null) return true;
    out.head.set(truth.head.worldFromBody);
    out.balls = truth.balls.map(({ id, position }) => ({ id, position: [position[0], position[1], position[2]] }));
    return true;
  }
}

/** How far each hand is closed, from its fingers: 0 open, 1 closed; 0 for a hand without fingers. */
function closingOf({ hands }: Robot, q: Float64Array, out: Float32Array): void {
  for (const [k, { dofs, open, closed }] of hands.entries()) {
    let share = 0;
    let travel = 0;
    for (const [i, dof] of dofs.entries()) {
      const way = closed[i]! - open[i]!;
      share += (q[dof]! - open[i]!) * Math.sign(way);
      travel += Math.abs(way);
    }
    out[k] = travel > 0 ? Math.min(1, Math.max(0, share / travel)) : 0;
  }
}

/** The pairs of bodies that are nearest to each other as the robot stands. */
export class NearestPairs {
  readonly #robot: Robot;
  readonly #distances: StandingDistances;

  constructor(robot: Robot) {
    this.#robot = robot;
    this.#distances = new StandingDistances(robot);
  }

  /** The `count` nearest at `q`, nearest first. */
  at(q: Float64Array, count: number): SafetyMessage["pairs"] {
    const { hulls, pairs } = this.#robot;
    this.#distances.place(q);
    const all = pairs.map(([a, b], k) => ({
      a: hulls[a]!.name,
      b: hulls[b]!.name,
      distance: this.#distances.measure(k),
    }));
    return all.sort((one, other) => one.distance - other.distance).slice(0, count);
  }
}
