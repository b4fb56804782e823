import { MotionCheck } from "../../collision/motion-check.js";
import * as pose from "../../math/pose.js";
import { QrWorkspace } from "../../math/qr.js";
import type { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import { JointRamps } from "../../motion/joint-ramps.js";
import { RampStatus } from "../../motion/ramp.js";
import { KinematicChain } from "../../robot/kinematics/chain.js";
import { forwardKinematics, stateAt } from "../../robot/kinematics/kinematics.js";
import type { RobotState } from "../../robot/state.js";
import type { CalibrationRig } from "../parameters/calibration-rig.js";
import { HeadSweep } from "./head-sweep.js";

/** An arm configuration that could be held, and the sweep of the head that would look at it. */
export interface ArmCandidate {
  /** Index of the rig's arms. */
  readonly arm: number;
  /** Of the arm's joints [rad]. */
  readonly positions: Float64Array;
  readonly sweep: HeadSweep;
  /** Dofs that move from the home posture to it and back: the arm's and the neck's. */
  readonly dofs: readonly number[];
  /** Proven free of contact. */
  readonly approach: JointRamps;
}

export const defaultSweep = {
  /** How long the head moves at each configuration [s]. */
  duration: 8,
  /** Farthest from the middle, of each joint of the neck from base to tip [rad]: the marker then crosses most of the image. */
  amplitudes: [0.4, 0.3],
  /** [Hz]; without a common measure, so that the marker's path does not close on itself. */
  frequencies: [0.61, 0.43],
};
type SweepOptions = Readonly<typeof defaultSweep>;

export const defaultCandidateOptions = {
  /** Distance of the marker from the cameras [m]. */
  nearest: 0.4,
  farthest: 1.1,
  /** Clearance of the bodies [m]: the robot is not yet calibrated. */
  clearance: 0.02,
  /** Random configurations after which to stop looking. */
  maxSamples: 60_000,
  sweep: defaultSweep as SweepOptions,
};
export type CandidateOptions = Readonly<typeof defaultCandidateOptions>;

/** Joints keep away from their limits by this part of their range. */
const LIMIT_PART = 0.03;
/** A marker is seen up to this angle between its outward direction and the way to the camera: 70°. */
const FACING = Math.cos((70 * Math.PI) / 180);
/** Approaches take this many times the least time: nothing shall shake long. */
const UNHURRIED = 2.5;

/**
 * Arm configurations at random that can serve: within joint limits, the marker in view of both cameras and facing them, the
 * head able to sweep about it, and arm and head free of contact on the way there from the home posture and throughout the
 * sweep.
 */
export class CandidateSampler {
  readonly #rig: CalibrationRig;
  readonly #home: Float64Array;
  readonly #options: CandidateOptions;
  readonly #state: RobotState;
  readonly #aim: NeckAim;
  readonly #approaches: readonly MotionCheck[];
  readonly #sweeps: MotionCheck;

  /** @param home position of every dof between configurations */
  constructor(rig: CalibrationRig, home: Float64Array, options: CandidateOptions = defaultCandidateOptions) {
    this.#rig = rig;
    this.#home = home;
    this.#options = options;
    this.#state = stateAt(rig.robot.model, home);
    const { worldFromLink } = this.#state;
    const head = worldFromLink[rig.headLink]!;
    const eyes = rig.cameras.map(({ link }) => pose.composeInverse(head, worldFromLink[link]!, pose.create()));
    this.#aim = new NeckAim(rig, eyes, home);
    const margin = options.clearance;
    this.#approaches = rig.arms.map(
      ({ group }) => new MotionCheck(rig.robot, [...group.dofs, ...rig.neck.dofs], margin),
    );
    this.#sweeps = new MotionCheck(rig.robot, rig.neck.dofs, margin);
  }

  /** Up to `count` candidates for an arm; fewer if random configurations run out. */
  sample(arm: number, count: number, random: Random): ArmCandidate[] {
    const found: ArmCandidate[] = [];
    for (let k = 0; k < this.#options.maxSamples && found.length < count; k++) {
      const candidate = this.#try(arm, random);
      if (candidate !== null) found.push(candidate);
    }
    return found;
  }

  #try(arm: number, random: Random): ArmCandidate | null {
    const { group } = this.#rig.arms[arm]!;
    const { lower, upper } = this.#rig.robot.model;
    const positions = Float64Array.from(group.dofs, (dof) => {
      const margin = LIMIT_PART * (upper[dof]! - lower[dof]!);
      return random.uniformIn(lower[dof]! + margin, upper[dof]! - margin);
    });
    const phase = random.uniformIn(0, 2 * Math.PI);
    const neck = this.#look(arm, positions);
    if (neck === null) return null;
    const sweep = designSweep(this.#rig, neck, phase, this.#options.sweep);
    if (sweep === null || !this.#isSweepFree(sweep)) return null;
    const dofs = [...group.dofs, ...this.#rig.neck.dofs];
    const approach = this.#approach(arm, dofs, positions, neck);
    return approach === null ? null : { arm, positions, sweep, dofs, approach };
  }

  /** Neck positions from which both cameras see the marker; leaves the state there. */
  #look(arm: number, positions: Float64Array): Float64Array | null {
    const { neck, arms, cameras } = this.#rig;
    const { group, marker } = arms[arm]!;
    const state = this.#state;
    for (const [i, dof] of group.dofs.entries()) state.q[dof] = positions[i]!;
    forwardKinematics(state);
    const point = pose.transformPoint(state.worldFromLink[marker.link]!, marker.position, vec3.create());
    const angles = Float64Array.from(neck.dofs, (dof) => this.#home[dof]!);
    if (!this.#aim.aim(point, angles)) return null;
    for (const [i, dof] of neck.dofs.entries()) state.q[dof] = angles[i]!;
    forwardKinematics(state);
    const outwards = this.#outwards(arm);
    const isSeen = cameras.every(({ link }) => this.#isSeenFrom(state.worldFromLink[link]!, point, outwards));
    return isSeen ? angles : null;
  }

  /** From the last joint's axis to the marker, in root axes: the way a marker pasted on the wrist faces. */
  #outwards(arm: number): vec3.Vec3 {
    const { group, marker } = this.#rig.arms[arm]!;
    const state = this.#state;
    const last = this.#rig.robot.model.dofJoint[group.dofs.at(-1)!]!;
    const axis = vec3.create(
      ...(state.worldAxis.subarray(3 * last, 3 * last + 3) as unknown as [number, number, number]),
    );
    const place = pose.transformPoint(state.worldFromLink[marker.link]!, marker.position, vec3.create());
    const from = pose.getTranslation(state.worldFromLink[last]!, vec3.create());
    const away = vec3.subtract(place, from, vec3.create());
    vec3.addScaled(away, axis, -vec3.dot(away, axis), away);
    return vec3.normalize(away, away);
  }

  #isSeenFrom(worldFromCamera: pose.Pose, point: vec3.Vec3, outwards: vec3.Vec3): boolean {
    const { nearest, farthest } = this.#options;
    const toCamera = vec3.subtract(pose.getTranslation(worldFromCamera, vec3.create()), point, vec3.create());
    const distance = vec3.norm(toCamera);
    const isNear = distance >= nearest && distance <= farthest;
    // A marker on the axis itself shows no side.
    const faces = vec3.norm(outwards) === 0 || vec3.dot(toCamera, outwards) >= FACING * distance;
    return isNear && faces;
  }

  /** Along the edges of the box in which the head sweeps and across it. */
  #isSweepFree({ swings }: HeadSweep): boolean {
    const corner = (signs: readonly number[]) =>
      Float64Array.from(swings, ({ middle, amplitude }, i) => middle + (signs[i % 2] ?? 1) * amplitude);
    const corners = [corner([-1, -1]), corner([1, -1]), corner([1, 1]), corner([-1, 1])];
    const ways = [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 0],
      [0, 2],
      [1, 3],
    ] as const;
    const { dofs } = this.#rig.neck;
    return ways.every(([from, to]) => {
      const ramps = plannedRamps(this.#rig, dofs, corners[from]!, corners[to]!);
      return ramps !== null && this.#sweeps.isFree(ramps, this.#state.q);
    });
  }

  #approach(arm: number, dofs: readonly number[], positions: Float64Array, neck: Float64Array): JointRamps | null {
    const from = Float64Array.from(dofs, (dof) => this.#home[dof]!);
    const ramps = plannedRamps(this.#rig, dofs, from, Float64Array.of(...positions, ...neck));
    return ramps !== null && this.#approaches[arm]!.isFree(ramps, this.#home) ? ramps : null;
  }
}

/** Unhurried ramps from rest to rest. */
export function plannedRamps(
  { robot }: CalibrationRig,
  dofs: readonly number[],
  from: Float64Array,
  to: Float64Array,
): JointRamps | null {
  const { maxVelocity, maxAcceleration } = robot.model;
  const wmax = Float64Array.from(dofs, (dof) => maxVelocity[dof]!);
  const amax = Float64Array.from(dofs, (dof) => maxAcceleration[dof]!);
  const least = from.map((start, i) => {
    const way = Math.abs(to[i]! - start);
    return Math.max((2 * way) / wmax[i]!, 2 * Math.sqrt(way / amax[i]!));
  });
  const ramps = new JointRamps(dofs.length);
  const duration = UNHURRIED * Math.max(...least);
  const status = ramps.plan(from, new Float64Array(dofs.length), to, duration, wmax, amax);
  return status === RampStatus.ok ? ramps : null;
}

/** Filters keep nothing of their first and last second, and delays shift what they keep. */
const REST = 1.1;
const RISE = 1.5;
/** Joint limits are kept by this much [rad]. */
const LIMIT_MARGIN = 0.03;
/** A sweep that must be smaller than this part of what is wanted is not worth it. */
const LEAST_PART = 0.4;

/** The sweep about a middle, as wide as wanted or as the neck's limits allow; null where that is too little. */
function designSweep(
  rig: CalibrationRig,
  middle: Float64Array,
  phase: number,
  options: SweepOptions,
): HeadSweep | null {
  const { lower, upper } = rig.robot.model;
  const swings = rig.neck.dofs.map((dof, i) => {
    const wanted = options.amplitudes[i % options.amplitudes.length]!;
    const room = Math.min(middle[i]! - lower[dof]!, upper[dof]! - middle[i]!) - LIMIT_MARGIN;
    return {
      middle: middle[i]!,
      amplitude: Math.min(wanted, room),
      frequency: options.frequencies[i % options.frequencies.length]!,
      phase: phase + i,
    };
  });
  const isWide = swings.every(
    ({ amplitude }, i) => amplitude >= LEAST_PART * options.amplitudes[i % options.amplitudes.length]!,
  );
  return isWide ? new HeadSweep(swings, options.duration, RISE, REST) : null;
}

const STEPS = 12;
const DIFFERENCE = 1e-5;
/** The middle between the cameras must look at the point this closely [rad]. */
const TOLERANCE = 1e-3;

/** Turns the head towards a point: the middle between the cameras, along the mean of their axes. By Gauss and Newton. */
class NeckAim {
  readonly #chain: KinematicChain;
  readonly #eyes: readonly pose.Pose[];
  readonly #count: number;
  readonly #residual = new Float64Array(2);
  readonly #moved = new Float64Array(2);
  readonly #jacobian: Float64Array;
  readonly #step: Float64Array;
  readonly #qr: QrWorkspace;
  readonly #point = vec3.create();

  /** @param eyes headFromCamera of both cameras */
  constructor(rig: CalibrationRig, eyes: readonly pose.Pose[], posture: Float64Array) {
    this.#chain = new KinematicChain(rig.robot.model, 0, rig.headLink, rig.neck.dofs, posture);
    this.#eyes = eyes;
    this.#count = rig.neck.dofs.length;
    this.#jacobian = new Float64Array(2 * this.#count);
    this.#step = new Float64Array(this.#count);
    this.#qr = new QrWorkspace(2, this.#count);
  }

  /** Neck positions that look at a point of the root frame, to `q`, which holds a first guess; false if there are none. */
  aim(point: vec3.Vec3, q: Float64Array): boolean {
    for (let step = 0; step < STEPS; step++) {
      if (!this.#offAxis(point, q, this.#residual)) return false;
      if (Math.hypot(this.#residual[0]!, this.#residual[1]!) < TOLERANCE) return true;
      for (let i = 0; i < this.#count; i++) {
        const kept = q[i]!;
        q[i] = kept + DIFFERENCE;
        this.#offAxis(point, q, this.#moved);
        q[i] = kept;
        for (let row = 0; row < 2; row++) {
          this.#jacobian[row * this.#count + i] = (this.#moved[row]! - this.#residual[row]!) / DIFFERENCE;
        }
      }
      this.#qr.factor(this.#jacobian);
      this.#qr.solve(this.#residual, this.#step);
      for (let i = 0; i < this.#count; i++) q[i] = q[i]! - Math.max(-0.5, Math.min(0.5, this.#step[i]!));
    }
    return false;
  }

  /** Mean direction of the point in the cameras, x/z and y/z; false behind them. */
  #offAxis(point: vec3.Vec3, q: Float64Array, out: Float64Array): boolean {
    this.#chain.update(q);
    out.fill(0);
    for (const eye of this.#eyes) {
      pose.transformPointInverse(this.#chain.baseFromTip, point, this.#point);
      pose.transformPointInverse(eye, this.#point, this.#point);
      if (!(this.#point[2] > 0.05)) return false;
      out[0] = out[0]! + this.#point[0] / this.#point[2] / this.#eyes.length;
      out[1] = out[1]! + this.#point[1] / this.#point[2] / this.#eyes.length;
    }
    return true;
  }
}
