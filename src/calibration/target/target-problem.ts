import { type CameraIntrinsics, CameraModel } from "../../camera/camera-model.js";
import * as lie from "../../math/lie.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { LeastSquaresProblem } from "../solver/levenberg-marquardt.js";
import type { NormalEquations } from "../solver/normal-equations.js";
import { discCentre, type TargetBoard } from "./target-board.js";
import type { SeenDisc } from "./target-finder.js";

/** The board as one camera saw it at one moment. */
export interface TargetView {
  /** Numbers of camera and moment. */
  readonly camera: number;
  readonly moment: number;
  readonly discs: readonly SeenDisc[];
}

/** What is to be found: intrinsics of each camera, cameraFromFirst of each, firstFromBoard at each moment. */
export interface TargetState {
  readonly intrinsics: Float64Array[];
  readonly cameras: pose.Pose[];
  readonly boards: pose.Pose[];
}

/** Parameters of a camera that are found: fx, fy, cx, cy, k1, k2, p1, p2. */
export const FOUND_INTRINSICS = 8;
const POSE = 6;
/** Corners of the polygon by which a disc's image is measured. */
const CORNERS = 24;

/**
 * The residuals of all discs and their derivatives. What is measured is the centre of the area of a disc's image, which is not the image
 * of its centre: a polygon of its rim is projected. Derivatives are those of the centre, whose difference does not change the fit.
 */
export class TargetProblem implements LeastSquaresProblem {
  readonly size: number;
  readonly state: TargetState;
  readonly #board: TargetBoard;
  readonly #views: readonly TargetView[];
  readonly #sizes: readonly { readonly width: number; readonly height: number }[];
  readonly #saved: TargetState;
  #models: CameraModel[] = [];
  readonly #cameraFromBoard = pose.create();
  readonly #point = vec3.create();
  readonly #inFirst = vec3.create();
  readonly #pixel = new Float64Array(2);
  readonly #byPoint = new Float64Array(6);
  readonly #byIntrinsics = new Float64Array(18);
  readonly #row = [new Float64Array(0), new Float64Array(0)];
  readonly #step = pose.create();

  constructor(
    board: TargetBoard,
    views: readonly TargetView[],
    sizes: readonly { readonly width: number; readonly height: number }[],
    state: TargetState,
  ) {
    this.state = state;
    this.#board = board;
    this.#views = views;
    this.#sizes = sizes;
    this.#saved = copyOfState(state);
    this.size = FOUND_INTRINSICS * sizes.length + POSE * (sizes.length - 1) + POSE * state.boards.length;
    this.#row = [new Float64Array(this.size), new Float64Array(this.size)];
  }

  readonly variables = {
    retract: (step: Float64Array) => this.#retract(step),
    save: () => copyState(this.state, this.#saved),
    restore: () => copyState(this.#saved, this.state),
  };

  cost(): number {
    let cost = 0;
    const isKnown = this.eachResidual((du, dv) => {
      cost += 0.5 * (du * du + dv * dv);
    });
    return isKnown ? cost : Number.POSITIVE_INFINITY;
  }

  /** Calls `take` with seen minus expected [px] of each disc; false where the model has no image of one. */
  eachResidual(take: (du: number, dv: number, view: TargetView, disc: SeenDisc) => void): boolean {
    if (!this.#makeModels()) return false;
    for (const view of this.#views) {
      this.#place(view);
      for (const disc of view.discs) {
        if (!this.#expect(this.#models[view.camera]!, disc)) return false;
        take(disc.u - this.#pixel[0]!, disc.v - this.#pixel[1]!, view, disc);
      }
    }
    return true;
  }

  linearize(normal: NormalEquations): number {
    normal.clear();
    let cost = 0;
    const isKnown = this.eachResidual((du, dv, view, disc) => {
      cost += 0.5 * (du * du + dv * dv);
      this.#derive(view, disc);
      this.#add(normal, view, -du, -dv);
    });
    normal.finish();
    return isKnown ? cost : Number.POSITIVE_INFINITY;
  }

  #makeModels(): boolean {
    const { intrinsics } = this.state;
    if (!intrinsics.every((values) => values.every(Number.isFinite) && values[0]! > 0 && values[1]! > 0)) return false;
    this.#models = intrinsics.map((values, k) => new CameraModel(intrinsicsOf(values, this.#sizes[k]!)));
    return true;
  }

  #place({ camera, moment }: TargetView): void {
    pose.compose(this.state.cameras[camera]!, this.state.boards[moment]!, this.#cameraFromBoard);
  }

  /** Where the centre of a disc's area must be, to `#pixel`. */
  #expect(model: CameraModel, { column, row }: SeenDisc): boolean {
    const [x, y] = discCentre(this.#board, column, row);
    const { radius } = this.#board;
    let [lastU, lastV, area, u, v] = [0, 0, 0, 0, 0];
    let [firstU, firstV] = [0, 0];
    for (let k = 0; k <= CORNERS; k++) {
      const angle = (2 * Math.PI * (k % CORNERS)) / CORNERS;
      vec3.set(x + radius * Math.cos(angle), y + radius * Math.sin(angle), 0, this.#point);
      pose.transformPoint(this.#cameraFromBoard, this.#point, this.#point);
      if (!model.project(this.#point, this.#pixel)) return false;
      if (k === 0) [firstU, firstV] = [this.#pixel[0]!, this.#pixel[1]!];
      // About the first corner, which keeps the digits.
      const [nextU, nextV] = [this.#pixel[0]! - firstU, this.#pixel[1]! - firstV];
      const cross = lastU * nextV - nextU * lastV;
      area += cross;
      u += cross * (lastU + nextU);
      v += cross * (lastV + nextV);
      [lastU, lastV] = [nextU, nextV];
    }
    this.#pixel[0] = firstU + u / (3 * area);
    this.#pixel[1] = firstV + v / (3 * area);
    return true;
  }

  /** d(u, v)/d(parameters) of a view's disc, to `#row`. */
  #derive({ camera, moment }: TargetView, { column, row }: SeenDisc): void {
    const model = this.#models[camera]!;
    const [x, y] = discCentre(this.#board, column, row);
    const [first, second] = this.#row as [Float64Array, Float64Array];
    first.fill(0);
    second.fill(0);
    const inBoard = vec3.set(x, y, 0, this.#point);
    const inFirst = pose.transformPoint(this.state.boards[moment]!, inBoard, this.#inFirst);
    const inCamera = pose.transformPoint(this.state.cameras[camera]!, inFirst, vec3.create());
    model.projectIntrinsicsJacobian(inCamera, this.#pixel, this.#byIntrinsics);
    for (let k = 0; k < FOUND_INTRINSICS; k++) {
      first[FOUND_INTRINSICS * camera + k] = this.#byIntrinsics[k]!;
      second[FOUND_INTRINSICS * camera + k] = this.#byIntrinsics[9 + k]!;
    }
    model.projectWithJacobian(inCamera, this.#pixel, this.#byPoint);
    if (camera > 0) this.#derivePose(this.#cameraColumn(camera), this.state.cameras[camera]!, inFirst);
    this.#derivePose(this.#boardColumn(moment), this.#cameraFromBoard, vec3.set(x, y, 0, this.#point));
  }

  /** p = R·(y + ρ + φ × y) + t: by ρ it is R, by φ it is −R·[y]×. */
  #derivePose(at: number, target: pose.Pose, y: vec3.Vec3): void {
    const d = this.#byPoint;
    for (let r = 0; r < 2; r++) {
      const row = this.#row[r]!;
      const g = [0, 1, 2].map(
        (c) => d[3 * r]! * target[c]! + d[3 * r + 1]! * target[3 + c]! + d[3 * r + 2]! * target[6 + c]!,
      );
      const [gx, gy, gz] = g as [number, number, number];
      row.set([gx, gy, gz, y[1] * gz - y[2] * gy, y[2] * gx - y[0] * gz, y[0] * gy - y[1] * gx], at);
    }
  }

  #cameraColumn(camera: number): number {
    return FOUND_INTRINSICS * this.#sizes.length + POSE * (camera - 1);
  }

  #boardColumn(moment: number): number {
    return FOUND_INTRINSICS * this.#sizes.length + POSE * (this.#sizes.length - 1) + POSE * moment;
  }

  /** Only the columns that a view depends on are not zero. */
  #add(normal: NormalEquations, { camera, moment }: TargetView, ru: number, rv: number): void {
    const columns: number[] = [];
    for (let k = 0; k < FOUND_INTRINSICS; k++) columns.push(FOUND_INTRINSICS * camera + k);
    if (camera > 0) for (let k = 0; k < POSE; k++) columns.push(this.#cameraColumn(camera) + k);
    for (let k = 0; k < POSE; k++) columns.push(this.#boardColumn(moment) + k);
    const [first, second] = this.#row as [Float64Array, Float64Array];
    for (const i of columns) {
      normal.gradient[i] = normal.gradient[i]! + first[i]! * ru + second[i]! * rv;
      for (const j of columns) {
        if (j > i) break;
        const at = i * normal.size + j;
        normal.matrix[at] = normal.matrix[at]! + first[i]! * first[j]! + second[i]! * second[j]!;
      }
    }
  }

  #retract(step: Float64Array): void {
    const { intrinsics, cameras, boards } = this.state;
    intrinsics.forEach((values, c) => {
      for (let k = 0; k < FOUND_INTRINSICS; k++) values[k] = values[k]! + step[FOUND_INTRINSICS * c + k]!;
    });
    const move = (target: pose.Pose, at: number) =>
      pose.compose(target, lie.se3Exp(step.slice(at, at + POSE), this.#step), target);
    cameras.forEach((camera, c) => {
      if (c > 0) move(camera, this.#cameraColumn(c));
    });
    boards.forEach((board, m) => {
      move(board, this.#boardColumn(m));
    });
  }
}

export function intrinsicsOf(
  [fx, fy, cx, cy, k1, k2, p1, p2]: Float64Array,
  { width, height }: { readonly width: number; readonly height: number },
): CameraIntrinsics {
  const distortion = { k1: k1!, k2: k2!, p1: p1!, p2: p2!, k3: 0 };
  return { width, height, fx: fx!, fy: fy!, cx: cx!, cy: cy!, distortion };
}

function copyOfState({ intrinsics, cameras, boards }: TargetState): TargetState {
  const copy = (poses: pose.Pose[]) => poses.map((one) => pose.copy(one, pose.create()));
  return { intrinsics: intrinsics.map((values) => values.slice()), cameras: copy(cameras), boards: copy(boards) };
}

function copyState(from: TargetState, to: TargetState): void {
  from.intrinsics.forEach((values, k) => {
    to.intrinsics[k]!.set(values);
  });
  from.cameras.forEach((camera, k) => {
    pose.copy(camera, to.cameras[k]!);
  });
  from.boards.forEach((board, k) => {
    pose.copy(board, to.boards[k]!);
  });
}
