import {
  defaultBoard,
  discCentre,
  HOLE,
  markedDiscs,
  type TargetBoard,
} from "../../../src/calibration/target/target-board.js";
import type { CameraModel } from "../../../src/camera/camera-model.js";
import type { GrayImage } from "../../../src/camera/gray-image.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";

/** Samples of a pixel in each direction: rays between those of the pixel's corners, which is exact to a millionth of a pixel. */
const SAMPLES = 4;

/** Draws the printed board as a lens sees it, ray by ray; shares nothing with what looks for it but the board's measures. */
export class BoardCamera {
  readonly #camera: CameraModel;
  /** Directions through the corners of all pixels, as points of the plane z = 1. */
  readonly #corners: Float64Array;

  constructor(camera: CameraModel) {
    this.#camera = camera;
    const { width, height } = camera;
    this.#corners = new Float64Array(2 * (width + 1) * (height + 1));
    const ray = vec3.create();
    for (let y = 0, at = 0; y <= height; y++) {
      for (let x = 0; x <= width; x++, at += 2) {
        if (!camera.ray(x - 0.5, y - 0.5, ray)) throw new Error("the lens has no ray there");
        this.#corners[at] = ray[0] / ray[2];
        this.#corners[at + 1] = ray[1] / ray[2];
      }
    }
  }

  /** `blur` is the standard deviation of a Gaussian [px], `noise` that of each pixel [gray values]. */
  draw(
    cameraFromBoard: pose.Pose,
    { blur, noise, seed, board = defaultBoard }: { blur: number; noise: number; seed: number; board?: TargetBoard },
  ): GrayImage {
    const { width, height } = this.#camera;
    const light = new Float64Array(width * height);
    const boardFromCamera = pose.invert(cameraFromBoard, pose.create());
    const shade = shadeOf(board);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) light[y * width + x] = this.#pixel(x, y, boardFromCamera, shade);
    }
    const seen = blurred(light, width, height, blur);
    const random = new Random(seed);
    const pixels = Uint8Array.from(seen, (value) =>
      Math.min(255, Math.max(0, Math.round(value + noise * random.normal()))),
    );
    return { width, height, pixels };
  }

  #pixel(x: number, y: number, boardFromCamera: pose.Pose, shade: (x: number, y: number) => number): number {
    const b = boardFromCamera;
    const stride = 2 * (this.#camera.width + 1);
    const at = y * stride + 2 * x;
    const c = this.#corners;
    let sum = 0;
    for (let i = 0; i < SAMPLES; i++) {
      for (let j = 0; j < SAMPLES; j++) {
        const [s, t] = [(j + 0.5) / SAMPLES, (i + 0.5) / SAMPLES];
        const mix = (k: number) =>
          (1 - t) * ((1 - s) * c[at + k]! + s * c[at + 2 + k]!) +
          t * ((1 - s) * c[at + stride + k]! + s * c[at + stride + 2 + k]!);
        const [dx, dy] = [mix(0), mix(1)];
        const down = b[6] * dx + b[7] * dy + b[8];
        const far = -b[11] / down;
        sum +=
          far > 0
            ? shade(b[9] + far * (b[0] * dx + b[1] * dy + b[2]), b[10] + far * (b[3] * dx + b[4] * dy + b[5]))
            : 60;
      }
    }
    return sum / (SAMPLES * SAMPLES);
  }
}

/** Brightness of the board at a place; of the room beyond its edge. */
function shadeOf(board: TargetBoard): (x: number, y: number) => number {
  const { columns, rows, spacing, radius } = board;
  const marks = markedDiscs(board);
  const edge = 2.5 * radius;
  return (x, y) => {
    const isPaper = x > -edge && y > -edge && x < (columns - 1) * spacing + edge && y < (rows - 1) * spacing + edge;
    // A room of broad stripes.
    if (!isPaper) return 70 + 40 * Math.sin(9 * x + 7 * y);
    const [column, row] = [Math.round(x / spacing), Math.round(y / spacing)];
    if (column < 0 || row < 0 || column >= columns || row >= rows) return 205;
    const [u, v] = discCentre(board, column, row);
    const away = Math.hypot(x - u, y - v);
    const isHole = away < HOLE * radius && marks.some(([c, r]) => c === column && r === row);
    return away < radius && !isHole ? 25 : 205;
  };
}

function blurred(light: Float64Array, width: number, height: number, sigma: number): Float64Array {
  const reach = Math.ceil(4 * sigma);
  const kernel = Array.from({ length: 2 * reach + 1 }, (_, k) => Math.exp(-0.5 * ((k - reach) / sigma) ** 2));
  const total = kernel.reduce((sum, value) => sum + value, 0);
  const pass = (from: Float64Array, step: number, length: number, index: (i: number, k: number) => number) => {
    const out = new Float64Array(from.length);
    for (let i = 0; i < from.length / length; i++) {
      for (let k = 0; k < length; k++) {
        let sum = 0;
        for (let n = -reach; n <= reach; n++) {
          sum += kernel[n + reach]! * from[index(i, Math.min(length - 1, Math.max(0, k + n)))]!;
        }
        out[index(i, k)] = sum / total;
      }
    }
    return step === 0 ? from : out;
  };
  const across = pass(light, 1, width, (row, column) => row * width + column);
  return pass(across, 1, height, (column, row) => row * width + column);
}

/** Where a person holds the board: before the camera, near and far, tilted and turned, drawn from a seed. */
export function heldBoards(count: number, seed: number, board: TargetBoard = defaultBoard): pose.Pose[] {
  const random = new Random(seed);
  const middle = vec3.create(0.5 * (board.columns - 1) * board.spacing, 0.5 * (board.rows - 1) * board.spacing, 0);
  return Array.from({ length: count }, (_, k) => {
    const far = 0.42 + 0.2 * random.uniform();
    const tilt = 0.25 + 0.5 * random.uniform();
    const direction = (2 * Math.PI * k) / count;
    const [roll, pitch] = [tilt * Math.cos(direction), tilt * Math.sin(direction)];
    const turned = pose.fromRpyTranslation(roll, pitch, 0.6 * (random.uniform() - 0.5), 0, 0, 0, pose.create());
    const centre = pose.transformPoint(turned, middle, vec3.create());
    const [x, y] = [0.14 * far * 2 * (random.uniform() - 0.5), 0.1 * far * 2 * (random.uniform() - 0.5)];
    pose.setTranslation(turned, vec3.create(x - centre[0], y - centre[1], far - centre[2]), turned);
    return turned;
  });
}
