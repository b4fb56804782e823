import { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import { forwardKinematics, jointsFromDofs } from "../../robot/kinematics/kinematics.js";
import type { JointGroup, Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import type { Challenges } from "./challenges.js";
import { CoordinateHistory } from "./coordinate-history.js";
import { ElasticChain, type RigidMotion } from "./elastic-chain.js";
import { buildHeadChain, type ChainFrame, type ElasticMode, type HeadChain } from "./head-chain.js";
import { Oscillator } from "./oscillator.js";
import { fastReaction, StructureReaction } from "./reaction.js";
import { StaticDeflection } from "./static-deflection.js";
import { WheelSlip } from "./wheel-slip.js";

interface TrueHeadOptions {
  readonly challenges: Challenges;
  readonly seed: number | string;
  /** Step of the simulation [s]. */
  readonly period?: number;
  /** How far back the motion is remembered [s]. */
  readonly memory?: number;
}

/** A torso bends after its load this fast, without ringing; the ringing is in the modes. */
const DEFLECTION_FREQUENCY_HZ = 6;

/** How fast the torso gets softer or stiffer when its challenge is changed [1/s]. */
const BENDING_RATE = 1;

/**
 * A step of load that stays lets a lightly damped mode swing to twice its rest; but arms never start with all joints at
 * their greatest acceleration. With this factor hasty catches (`ReachingMotion`) swing to the stated peak, give or take.
 */
const OVERSHOOT = 1.5;

/**
 * The head and chest as they really move, which no encoder says: the commanded joints, bent under the weight of what
 * they carry, shaking from the reaction of the arms, on a platform whose wheels slip. Fed with the joints' motion once
 * a period, it answers for any time it remembers. The same seed and motion give the same bits.
 *
 * @example
 * const head = new TrueHead(robot, { challenges: fullChallenges, seed: 1 });
 * head.start(0, ready);
 * while (head.time < 2) head.step(q, qd, qdd); // as they are one period later
 * head.headAt(1.2345, motion);
 */
export class TrueHead {
  readonly robot: Robot;
  /** [s] */
  readonly period: number;
  readonly #state: RobotState;
  readonly #joints: Float64Array;
  readonly #jointRates: Float64Array;
  readonly #plan: HeadChain;
  readonly #chain: ElasticChain;
  readonly #history: CoordinateHistory;
  readonly #deflections: readonly JointDeflection[];
  readonly #modes: readonly ModeVibration[];
  readonly #slip: WheelSlip;
  readonly #challenges: Challenges;
  /** Greatest slip of a motion as the sidecar has it [m]. */
  readonly #maxSlip: number;
  /** How much of the deflection there is by now: follows its challenge, but not at once. */
  readonly #bending: Float64Array;
  readonly #baseDofs: readonly number[];
  readonly #value: Float64Array;
  readonly #rate: Float64Array;
  readonly #acceleration: Float64Array;
  readonly #slipState = new Float64Array(4);

  constructor(robot: Robot, options: TrueHeadOptions) {
    const { challenges, seed, period = 0.001, memory = 2 } = options;
    const elasticity = robot.sidecar.simulation?.elasticity;
    this.robot = robot;
    this.period = period;
    this.#state = new RobotState(robot.model);
    this.#joints = new Float64Array(robot.model.linkCount);
    this.#jointRates = new Float64Array(robot.model.linkCount);
    const modes = elasticity?.modes ?? [];
    this.#plan = buildHeadChain(robot, modes);
    this.#chain = new ElasticChain(this.#plan.elements);
    const size = this.#plan.elements.length;
    this.#history = new CoordinateHistory(size, period, Math.ceil(memory / period) + 2);
    this.#value = new Float64Array(size);
    this.#rate = new Float64Array(size);
    this.#acceleration = new Float64Array(size);
    this.#challenges = challenges;
    this.#bending = Float64Array.of(challenges.deflection);
    this.#deflections = makeDeflections(robot, this.#state, this.#plan, period);
    this.#modes = modes.map((mode, m) => {
      const element = this.#plan.elements.findIndex((candidate) => candidate.mode === m);
      return makeVibration(robot, this.#state, element, mode, period);
    });
    this.#maxSlip = elasticity?.maxSlip ?? 0;
    this.#slip = new WheelSlip(challenges.slip * this.#maxSlip, new Random(seed).fork("slip"), period);
    this.#baseDofs = robot.model.groups.find(({ kind }) => kind === "base")?.dofs ?? [];
  }

  /** Time of the newest step [s]; NaN before `start`. */
  get time(): number {
    return this.#history.newest;
  }

  /** Begins at `time` [s], at rest in `q` with the torso bent as it is under the load. */
  start(time: number, q: Float64Array): void {
    this.#place(q);
    this.#state.qd.fill(0);
    this.#bending[0] = this.#challenges.deflection;
    for (const { oscillator, load } of this.#deflections)
      oscillator.settle(this.#bending[0]! * load.evaluate(this.#state));
    for (const { oscillator } of this.#modes) oscillator.settle(0);
    this.#history.restart(time);
    this.#jointRates.fill(0);
    this.#collect();
  }

  /** One period on, to where the joints have position `q`, speed `qd` and acceleration `qdd`, all in model order. */
  step(q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    this.#place(q);
    jointsFromDofs(this.robot.model, qd, this.#jointRates);
    this.#bend();
    for (let k = 0; k < this.#deflections.length; k++) {
      const { oscillator, load } = this.#deflections[k]!;
      oscillator.step(this.#bending[0]! * load.evaluate(this.#state));
    }
    for (let k = 0; k < this.#modes.length; k++) {
      const { oscillator, reaction, gain } = this.#modes[k]!;
      const strength = this.#challenges.vibration * gain;
      oscillator.step(strength === 0 ? 0 : strength * reaction.evaluate(this.#state, qd, qdd));
    }
    this.#slip.greatest = this.#challenges.slip * this.#maxSlip;
    this.#slip.step(this.#baseEffort(qdd));
    this.#collect();
  }

  /** A torso that is made softer or stiffer sinks or rises in about a second, not with a jolt. */
  #bend(): void {
    const step = BENDING_RATE * this.period;
    const missing = this.#challenges.deflection - this.#bending[0]!;
    const isNear = Math.abs(missing) <= step;
    this.#bending[0] = isNear ? this.#challenges.deflection : this.#bending[0]! + Math.sign(missing) * step;
  }

  /** The head's motion at `time` [s]; false if it is not within the memory. */
  headAt(time: number, out: RigidMotion): boolean {
    return this.#evaluate(time, this.#plan.head, out);
  }

  /** The chest's. */
  chestAt(time: number, out: RigidMotion): boolean {
    return this.#evaluate(time, this.#plan.chest, out);
  }

  /** That of the IMU's link. */
  imuAt(time: number, out: RigidMotion): boolean {
    return this.#evaluate(time, this.#plan.imu, out);
  }

  /** How far mode number `mode` of the sidecar is out of its rest now [rad or m]. */
  vibration(mode: number): number {
    return this.#modes[mode]?.oscillator.value ?? 0;
  }

  #evaluate(time: number, frame: ChainFrame, out: RigidMotion): boolean {
    if (!this.#history.evaluate(time, this.#value, this.#rate, this.#acceleration)) return false;
    this.#chain.evaluate(frame.count, frame.tail, this.#value, this.#rate, this.#acceleration, out);
    return true;
  }

  #place(q: Float64Array): void {
    const { model } = this.robot;
    this.#state.q.set(q);
    forwardKinematics(this.#state);
    this.#joints.set(this.#state.jointPosition.subarray(0, model.linkCount));
  }

  /** Writes the coordinates of all elements to the history. */
  #collect(): void {
    const { elements } = this.#plan;
    this.#slip.read(this.#slipState);
    for (let i = 0; i < elements.length; i++) {
      const j = elements[i]!.joint;
      this.#value[i] = j < 0 ? 0 : this.#joints[j]!;
      this.#rate[i] = j < 0 ? 0 : this.#jointRates[j]!;
    }
    for (let i = 0; i < 2; i++) {
      this.#value[i] = this.#slipState[i]!;
      this.#rate[i] = this.#slipState[i + 2]!;
    }
    this.#addAll(this.#deflections);
    this.#addAll(this.#modes);
    this.#history.push(this.#value, this.#rate);
  }

  #addAll(parts: readonly { readonly element: number; readonly oscillator: Oscillator }[]): void {
    for (let k = 0; k < parts.length; k++) {
      const { element, oscillator } = parts[k]!;
      this.#value[element] = this.#value[element]! + oscillator.value;
      this.#rate[element] = this.#rate[element]! + oscillator.rate;
    }
  }

  /** The platform's acceleration as a share of its greatest: that of the dof that accelerates most. */
  #baseEffort(qdd: Float64Array): number {
    const { maxAcceleration } = this.robot.model;
    let greatest = 0;
    for (let k = 0; k < this.#baseDofs.length; k++) {
      const dof = this.#baseDofs[k]!;
      const effort = qdd[dof]! / maxAcceleration[dof]!;
      if (Math.abs(effort) > Math.abs(greatest)) greatest = effort;
    }
    return greatest;
  }
}

interface JointDeflection {
  readonly element: number;
  readonly oscillator: Oscillator;
  readonly load: StaticDeflection;
}

interface ModeVibration {
  readonly element: number;
  readonly oscillator: Oscillator;
  readonly reaction: StructureReaction;
  /** Rest position per reaction [rad/(N·m) or m/N]. */
  readonly gain: number;
}

function makeDeflections(robot: Robot, state: RobotState, plan: HeadChain, period: number): JointDeflection[] {
  const { compliance = {}, maxDeflection = 0 } = robot.sidecar.simulation?.elasticity ?? {};
  return Object.entries(compliance).flatMap(([name, value]) => {
    const joint = robot.model.jointNames.indexOf(name);
    const element = plan.elements.findIndex((candidate) => candidate.joint === joint);
    if (joint < 0 || element < 0) return [];
    const load = new StaticDeflection(state, joint, value, maxDeflection, robot.gravityDirection);
    return [{ element, oscillator: new Oscillator(DEFLECTION_FREQUENCY_HZ, 1, period), load }];
  });
}

function makeVibration(
  robot: Robot,
  state: RobotState,
  element: number,
  mode: ElasticMode,
  period: number,
): ModeVibration {
  const { model } = robot;
  const axis = vec3.normalize(vec3.create(...mode.axis), vec3.create());
  const groups = mode.excitedBy.flatMap((name): JointGroup[] => model.groups.filter((group) => group.name === name));
  const place = { link: model.linkNames.indexOf(mode.link), motion: mode.motion, axis };
  const reference = fastReaction(state, place, groups, robot.postures.get("ready") ?? new Float64Array(model.dofCount));
  return {
    element,
    oscillator: new Oscillator(mode.frequencyHz, mode.dampingRatio, period),
    reaction: new StructureReaction(state, place, groups),
    gain: reference > 0 ? mode.peak / (OVERSHOOT * reference) : 0,
  };
}
