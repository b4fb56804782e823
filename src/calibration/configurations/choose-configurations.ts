import { factor, logDeterminant, MatrixStatus } from "../../math/cholesky.js";
import type { Random } from "../../math/random.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { ArmGeometry } from "../measurements/arm-geometry.js";
import { MarkerModel, Side } from "../measurements/marker-model.js";
import { createNeckMotion } from "../measurements/spatial-motion.js";
import type { CalibrationRig } from "../parameters/calibration-rig.js";
import { createParameters, type RobotParameters } from "../parameters/robot-parameters.js";
import { markersOf, type PreparedHold } from "../recording/prepared-recording.js";
import { BandLimit } from "../signal/band-limit.js";
import { JointPath } from "../signal/joint-path.js";
import { CalibrationProblem, type MeasurementNoise } from "../solver/calibration-problem.js";
import { NormalEquations } from "../solver/normal-equations.js";
import {
  type ArmCandidate,
  type CandidateOptions,
  CandidateSampler,
  defaultCandidateOptions,
} from "./sample-candidates.js";

export const defaultChoice = {
  /** Configurations to hold, for each arm. */
  perArm: 10,
  /** Candidates to choose from, for each arm. */
  candidates: 60,
  sampling: defaultCandidateOptions as CandidateOptions,
};
export type ChoiceOptions = Readonly<typeof defaultChoice>;

/** Fewer than this for an arm cannot tell its joints apart. */
const LEAST_PER_ARM = 4;
/** Expected information is summed over images and IMU samples this far apart [s], weighed for those between. */
const IMAGE_STEP = 0.2;
const IMU_STEP = 0.4;
const FILTER_RATE = 10;
const NECK_RATE = 200;
/** Markers are not found nearer to the border [px]. */
const BORDER = 10;

/**
 * Chooses arm configurations that tell the most: from candidates sampled at random, greedily the one that raises the
 * determinant of the expected information matrix most (D-optimal), the arms taking turns. What is known before, the usual
 * spread of each parameter, keeps the determinant positive from the first choice on; it does not enter the fit.
 */
export function chooseConfigurations(
  rig: CalibrationRig,
  home: Float64Array,
  noise: MeasurementNoise,
  random: Random,
  options: ChoiceOptions = defaultChoice,
): ArmCandidate[] {
  const sampler = new CandidateSampler(rig, home, options.sampling);
  const expectation = new ExpectedInformation(rig, home, noise);
  const pools = rig.arms.map(({ group }, arm) => {
    const candidates = sampler.sample(arm, options.candidates, random.fork(group.name));
    if (candidates.length < Math.min(options.perArm, LEAST_PER_ARM)) {
      throw new FlycatcherError("FLY_CALIBRATION_CONFIGURATIONS", `the head sees too little of ${group.name}`, {
        expected: `at least ${LEAST_PER_ARM} configurations`,
        found: String(candidates.length),
      });
    }
    return candidates.map((candidate) => ({ candidate, information: expectation.of(candidate) }));
  });
  const total = expectation.prior();
  const chosen: ArmCandidate[] = [];
  for (let round = 0; round < options.perArm; round++) {
    for (const pool of pools) {
      const best = mostInformative(pool, total, expectation.size);
      if (best < 0) continue;
      const [{ candidate, information }] = pool.splice(best, 1) as [Rated];
      for (let i = 0; i < total.length; i++) total[i] = total[i]! + information[i]!;
      chosen.push(candidate);
    }
  }
  return chosen;
}

interface Rated {
  readonly candidate: ArmCandidate;
  readonly information: Float64Array;
}

function mostInformative(pool: readonly Rated[], total: Float64Array, size: number): number {
  const trial = new Float64Array(total.length);
  let [best, most] = [-1, Number.NEGATIVE_INFINITY];
  for (const [k, { information }] of pool.entries()) {
    for (let i = 0; i < trial.length; i++) trial[i] = total[i]! + information[i]!;
    if (factor(trial, size, trial) !== MatrixStatus.ok) continue;
    const value = logDeterminant(trial, size);
    if (value > most) [best, most] = [k, value];
  }
  return best;
}

/** What holding a configuration would tell of each parameter, by the robot as believed. */
export class ExpectedInformation {
  readonly size: number;
  readonly #rig: CalibrationRig;
  readonly #home: Float64Array;
  readonly #noise: MeasurementNoise;
  readonly #parameters: RobotParameters;
  readonly #arms: readonly ArmGeometry[];
  readonly #marker: MarkerModel;

  constructor(rig: CalibrationRig, home: Float64Array, noise: MeasurementNoise) {
    this.#rig = rig;
    this.#home = home;
    this.#parameters = createParameters(rig);
    this.size = this.#parameters.set.columnCount;
    this.#arms = rig.arms.map((_, arm) => new ArmGeometry(rig, arm, this.#parameters, home, "model"));
    this.#marker = new MarkerModel(rig, this.#parameters, home);
    const images = Math.sqrt(IMAGE_STEP * rig.cameras[0].rateHz);
    const samples = Math.sqrt(IMU_STEP * FILTER_RATE);
    this.#noise = {
      pixel: noise.pixel / images,
      gyroscope: noise.gyroscope / samples,
      accelerometer: noise.accelerometer / samples,
    };
  }

  /** 1/spread² on the diagonal. */
  prior(): Float64Array {
    const matrix = new Float64Array(this.size * this.size);
    for (const [i, { spread }] of this.#parameters.set.free.entries()) matrix[i * this.size + i] = 1 / spread ** 2;
    return matrix;
  }

  of(candidate: ArmCandidate): Float64Array {
    const hold = this.#imagine(candidate);
    const problem = new CalibrationProblem(
      this.#rig,
      this.#parameters,
      {
        posture: this.#home,
        holds: [hold],
        imuRate: FILTER_RATE,
        rasters: { cameras: [NO_RASTER, NO_RASTER], imu: NO_RASTER },
        rawImuCount: 0,
      },
      this.#noise,
    );
    const normal = new NormalEquations(this.size);
    problem.linearize(normal);
    return normal.matrix;
  }

  #imagine({ arm, positions, sweep }: ArmCandidate): PreparedHold {
    const neck = imaginedPath(sweep);
    const posture = { positions, torques: new Float64Array(positions.length) };
    this.#arms[arm]!.evaluate(posture);
    const { cameraDelay, imuDelay } = this.#parameters;
    const times = steps(neck, IMAGE_STEP);
    const samples = steps(neck, IMU_STEP);
    const motion = createNeckMotion(this.#rig.neck.dofs.length);
    const seen = [Side.left, Side.right].flatMap((side) =>
      times.flatMap((time) => {
        neck.evaluate(time, motion);
        if (!this.#isSeen(side, arm, motion.q)) return [];
        return [{ side, stamp: time + cameraDelay.value[0]!, u: this.#marker.pixel[0]!, v: this.#marker.pixel[1]! }];
      }),
    );
    return {
      arm,
      posture,
      neck,
      markers: markersOf(seen),
      imu: {
        count: samples.length,
        stamp: Float64Array.from(samples, (time) => time + imuDelay.value[0]!),
        values: new Float64Array(6 * samples.length),
      },
    };
  }

  #isSeen(side: Side, arm: number, neck: Float64Array): boolean {
    if (!this.#marker.predict(side, this.#arms[arm]!.point, neck)) return false;
    const { width, height } = this.#rig.cameras[side];
    const [u, v] = [this.#marker.pixel[0]!, this.#marker.pixel[1]!];
    return u >= BORDER && v >= BORDER && u <= width - 1 - BORDER && v <= height - 1 - BORDER;
  }
}

const NO_RASTER = { start: 0, period: 1, jitter: 0, standardError: 0 };

function imaginedPath(sweep: ArmCandidate["sweep"]): JointPath {
  const count = Math.floor(sweep.duration * NECK_RATE) + 1;
  const n = sweep.swings.length;
  const positions = Array.from({ length: n }, () => new Float64Array(count));
  const [q, qd, qdd] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  for (let k = 0; k < count; k++) {
    sweep.evaluate(k / NECK_RATE, q, qd, qdd);
    for (let i = 0; i < n; i++) positions[i]![k] = q[i]!;
  }
  return new JointPath({ start: 0, period: 1 / NECK_RATE, positions }, new BandLimit(FILTER_RATE));
}

function steps({ begin, end }: JointPath, step: number): number[] {
  return Array.from({ length: Math.floor((end - begin) / step) }, (_, k) => begin + (k + 0.5) * step);
}
