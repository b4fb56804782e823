import type { CameraIntrinsics } from "../../camera/camera-model.js";
import * as cholesky from "../../math/cholesky.js";
import * as pose from "../../math/pose.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { defaultSolverOptions, LevenbergMarquardt } from "../solver/levenberg-marquardt.js";
import { NormalEquations } from "../solver/normal-equations.js";
import { fitHomography, focalLengthOf, planePose } from "./homography.js";
import { discCentre, type TargetBoard } from "./target-board.js";
import type { SeenDisc } from "./target-finder.js";
import { FOUND_INTRINSICS, intrinsicsOf, TargetProblem, type TargetState, type TargetView } from "./target-problem.js";

/** A camera whose intrinsics are to be found. */
export interface TargetCamera {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** What was found of one camera. */
export interface CalibratedCamera {
  readonly name: string;
  readonly intrinsics: CameraIntrinsics;
  /** Standard deviations of fx, fy, cx, cy, k1, k2, p1, p2. */
  readonly sigmas: Float64Array;
  readonly cameraFromFirst: pose.Pose;
  /** Of its translation [m], then its rotation [rad], in the first camera's frame; zero of the first. */
  readonly poseSigmas: Float64Array;
  /** Root mean square of the residuals of a coordinate [px]. */
  readonly residual: number;
  readonly views: number;
}

export interface CameraCalibration {
  readonly cameras: readonly CalibratedCamera[];
  /** firstFromBoard at each moment that was used; null at others. */
  readonly boards: readonly (pose.Pose | null)[];
  /** Seen minus expected [px], with the place in the image. */
  readonly residuals: readonly {
    readonly camera: number;
    readonly u: number;
    readonly v: number;
    readonly du: number;
    readonly dv: number;
  }[];
  readonly discs: { readonly used: number; readonly dropped: number };
  /** Of a measured coordinate [px]. */
  readonly pixelSigma: number;
}

/** A camera needs this many views of the board. */
const FEWEST_VIEWS = 4;
/** Residuals beyond so many standard deviations are of what is no disc of the board. */
const OUTLIER = 4.5;
/** A focal length that is less well known than this share is not worth anything. */
const LARGEST_SPREAD = 0.02;
/** Residuals are in pixels, of which a disc's centre is known to some hundredths. */
const solverOptions = { ...defaultSolverOptions, gainTolerance: 1e-9 };

/**
 * Intrinsics of one to eight cameras and where they are to each other, from views of the printed board. Moments in which two cameras
 * saw the board join them; every camera must be joined to the first.
 */
export function calibrateCameras(
  board: TargetBoard,
  cameras: readonly TargetCamera[],
  views: readonly TargetView[],
): CameraCalibration {
  for (const [k, { name }] of cameras.entries()) {
    const count = views.filter(({ camera }) => camera === k).length;
    if (count < FEWEST_VIEWS) throw unseen(`${FEWEST_VIEWS} views of the board by camera ${name}`, `${count}`);
  }
  const moments = [...new Set(views.map(({ moment }) => moment))].sort((a, b) => a - b);
  const numbered = views.map((view) => ({ ...view, moment: moments.indexOf(view.moment) }));
  const state = startState(board, cameras, numbered, moments.length);
  const first = solved(board, cameras, numbered, state);
  const kept = withoutOutliers(first.problem, numbered, first.sigma);
  const dropped = countDiscs(numbered) - countDiscs(kept);
  const { problem, sigma, covariance } = dropped === 0 ? first : solved(board, cameras, kept, state);
  const residuals = residualsOf(problem);
  const result = cameras.map((camera, k) => {
    const own = residuals.filter(({ camera: number }) => number === k);
    const squares = own.reduce((sum, { du, dv }) => sum + du * du + dv * dv, 0);
    const at = FOUND_INTRINSICS * k;
    const poseAt = FOUND_INTRINSICS * cameras.length + 6 * (k - 1);
    return {
      name: camera.name,
      intrinsics: intrinsicsOf(state.intrinsics[k]!, camera),
      sigmas: covariance.slice(at, at + FOUND_INTRINSICS),
      cameraFromFirst: state.cameras[k]!,
      poseSigmas: k === 0 ? new Float64Array(6) : covariance.slice(poseAt, poseAt + 6),
      residual: Math.sqrt(squares / (2 * own.length)),
      views: kept.filter(({ camera: number }) => number === k).length,
    };
  });
  for (const { name, intrinsics, sigmas } of result) {
    const share = sigmas[0]! / intrinsics.fx;
    if (!(share < LARGEST_SPREAD)) {
      const found = `${(100 * share).toFixed(1)} % for camera ${name}`;
      throw unseen(
        `views that tell the focal length to ${100 * LARGEST_SPREAD} %: tilted, and all over the image`,
        found,
      );
    }
  }
  const last = moments.at(-1)!;
  const boards = Array.from({ length: last + 1 }, (_, moment) => state.boards[moments.indexOf(moment)] ?? null);
  return { cameras: result, boards, residuals, discs: { used: countDiscs(kept), dropped }, pixelSigma: sigma };
}

function countDiscs(views: readonly TargetView[]): number {
  return views.reduce((sum, { discs }) => sum + discs.length, 0);
}

interface Solved {
  readonly problem: TargetProblem;
  readonly sigma: number;
  /** Standard deviations of all parameters. */
  readonly covariance: Float64Array;
}

/** Fits all parameters, in place. */
function solved(
  board: TargetBoard,
  cameras: readonly TargetCamera[],
  views: readonly TargetView[],
  state: TargetState,
): Solved {
  const problem = new TargetProblem(board, views, cameras, state);
  const { size } = problem;
  const normal = new NormalEquations(size);
  const { reason, cost } = new LevenbergMarquardt(normal, solverOptions).solve(problem);
  // Derivatives of the discs' centres are not exactly those of their areas: no descent means that none is left.
  if (!Number.isFinite(cost) || reason === "not-finite") throw unseen("views that a camera model explains", reason);
  const freedom = 2 * countDiscs(views) - size;
  if (freedom <= 0) throw unseen("more discs than parameters", `${countDiscs(views)} discs`);
  const sigma = Math.sqrt((2 * cost) / freedom);
  const inverse = new Float64Array(size * size);
  if (cholesky.factor(normal.matrix, size, inverse) !== cholesky.MatrixStatus.ok) {
    throw unseen(
      "views that determine all parameters",
      "some that do not: tilt the board, and move it all over the image",
    );
  }
  cholesky.invert(inverse, size, inverse);
  const covariance = Float64Array.from({ length: size }, (_, k) => sigma * Math.sqrt(inverse[k * size + k]!));
  return { problem, sigma, covariance };
}

function residualsOf(problem: TargetProblem): CameraCalibration["residuals"] {
  const residuals: { camera: number; u: number; v: number; du: number; dv: number }[] = [];
  problem.eachResidual((du, dv, { camera }, { u, v }) => void residuals.push({ camera, u, v, du, dv }));
  return residuals;
}

function withoutOutliers(problem: TargetProblem, views: readonly TargetView[], sigma: number): TargetView[] {
  const wrong = new Set<SeenDisc>();
  problem.eachResidual((du, dv, _, disc) => {
    if (Math.max(Math.abs(du), Math.abs(dv)) > OUTLIER * sigma) wrong.add(disc);
  });
  return views.map((view) => ({ ...view, discs: view.discs.filter((disc) => !wrong.has(disc)) }));
}

/** Cameras without distortion, each view's board by its homography, cameras joined by moments that two of them share. */
function startState(
  board: TargetBoard,
  cameras: readonly TargetCamera[],
  views: readonly TargetView[],
  moments: number,
): TargetState {
  const homographies = views.map((view) => homographyOf(board, view));
  const intrinsics = cameras.map(({ width, height }, k) => {
    const own = homographies.filter((_, n) => views[n]!.camera === k);
    const [cx, cy] = [0.5 * (width - 1), 0.5 * (height - 1)];
    const focal = focalLengthOf(own, cx, cy);
    const f = focal > 0.2 * width && focal < 20 * width ? focal : width;
    return Float64Array.from([f, f, cx, cy, 0, 0, 0, 0]);
  });
  const boardIn = views.map(({ camera }, n) => planePose(homographies[n]!, [...intrinsics[camera]!], pose.create()));
  const fromFirst: (pose.Pose | null)[] = cameras.map((_, k) => (k === 0 ? pose.create() : null));
  const boards: (pose.Pose | null)[] = Array.from({ length: moments }, () => null);
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const [n, { camera, moment }] of views.entries()) {
      const cameraFromFirst = fromFirst[camera]!;
      const firstFromBoard = boards[moment]!;
      if (cameraFromFirst !== null && firstFromBoard === null) {
        boards[moment] = pose.compose(pose.invert(cameraFromFirst, pose.create()), boardIn[n]!, pose.create());
        isNew = true;
      } else if (cameraFromFirst === null && firstFromBoard !== null) {
        fromFirst[camera] = pose.compose(boardIn[n]!, pose.invert(firstFromBoard, pose.create()), pose.create());
        isNew = true;
      }
    }
  }
  const alone = fromFirst.indexOf(null);
  if (alone >= 0) {
    throw unseen(
      `moments in which camera ${cameras[alone]!.name} and another one saw the board`,
      "none that joins it to the first",
    );
  }
  return { intrinsics, cameras: fromFirst as pose.Pose[], boards: boards as pose.Pose[] };
}

function homographyOf(board: TargetBoard, { discs }: TargetView): Float64Array {
  const points = discs.map(({ column, row, u, v }) => {
    const [x, y] = discCentre(board, column, row);
    return { x, y, u, v };
  });
  const homography = fitHomography(points);
  if (homography !== null) return homography;
  throw unseen("discs in more than one row", "all of one view on a line");
}

function unseen(expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_CALIBRATION_TARGET", "the cameras cannot be calibrated by these views", {
    expected,
    found,
  });
}
