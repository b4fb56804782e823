import { Random } from "../math/random.js";
import { LostFrame, MAX_POINTS, Points } from "../messages/sensing.js";
import { TrueWorld } from "../messages/world.js";
import type { Robot } from "../robot/robot.js";
import { FrameFates } from "../simulation/frame-fates.js";
import type { TrueScene } from "../simulation/simulated-world.js";
import type { StreamedScene } from "../simulation/streamed-scene.js";
import type { Node } from "../transport/node.js";
import type { PortsOf } from "../transport/port.js";
import type { SimulatedCameraOptions } from "./simulated-camera.js";
import { TrueWorldReader } from "./true-world-reader.js";

export const simulatedPointsPorts = { in: { world: TrueWorld }, out: { points: Points, lost: LostFrame } } as const;

export interface SimulatedPointsOptions
  extends Pick<SimulatedCameraOptions, "framePeriodNs" | "cameraNs" | "seed" | "challenges" | "occlusions"> {
  /** The world that comes over a wire; null where it is simulated in the same thread. */
  readonly stream?: StreamedScene | null;
}

/** Standard deviation of a point that motion capture measures, in each direction [m]. */
const POINT_SIGMA = 0.003;
/** When the world at a frame's time is not known yet, it is looked for again after this long [ns]. */
const RETRY_NS = 1e6;

/** Motion capture: every ball's centre, with noise. */
export class SimulatedPointsNode implements Node {
  readonly #ports: PortsOf<typeof simulatedPointsPorts>;
  readonly #scene: TrueScene;
  readonly #options: SimulatedPointsOptions;
  readonly #fates: FrameFates;
  readonly #random: Random;
  readonly #world: TrueWorldReader;
  readonly #stream: StreamedScene | null;
  #frames = 0;
  #lastFrameNs = -1;

  constructor(
    ports: PortsOf<typeof simulatedPointsPorts>,
    robot: Robot,
    scene: TrueScene,
    options: SimulatedPointsOptions,
  ) {
    this.#ports = ports;
    this.#scene = scene;
    this.#options = options;
    this.#fates = new FrameFates(robot, options.challenges, options.seed);
    this.#random = new Random(options.seed).fork("points");
    this.#stream = options.stream ?? null;
    this.#world = new TrueWorldReader(ports.in.world, this.#stream);
  }

  step(nowNs: number): number {
    const { framePeriodNs } = this.#options;
    this.#world.take(nowNs);
    const frameNs = Math.floor(nowNs / framePeriodNs) * framePeriodNs;
    if (frameNs > this.#lastFrameNs) {
      if (this.#stream?.isKnown(frameNs / 1e9) === false) return nowNs + RETRY_NS;
      this.#lastFrameNs = frameNs;
      this.#expose(frameNs);
    }
    return frameNs + framePeriodNs;
  }

  #expose(exposureNs: number): void {
    const { isLost, delayNs } = this.#fates.next();
    const frame = this.#frames++;
    const measured = this.#measure(exposureNs / 1e9);
    const { points, lost } = this.#ports.out;
    const arrivalNs = exposureNs + this.#options.cameraNs + delayNs;
    // In lock-step the edge has the latency.
    const putNs = this.#stream === null ? exposureNs + delayNs : arrivalNs;
    if (isLost) lost.put({ frame, exposureNs }, exposureNs);
    else points.put({ frame, exposureNs, arrivalNs, ...measured }, putNs);
  }

  #measure(time: number): Pick<Points, "position" | "covariance"> {
    const isOccluded = this.#options.occlusions.some(({ from, until }) => from <= time && time <= until);
    const balls = isOccluded ? [] : this.#scene.ballsAt(time).slice(0, MAX_POINTS);
    const position = new Float64Array(3 * balls.length);
    const covariance = new Float64Array(9 * balls.length);
    for (const [i, ball] of balls.entries()) {
      for (let k = 0; k < 3; k++) {
        position[3 * i + k] = ball.position[k]! + POINT_SIGMA * this.#random.normal();
        covariance[9 * i + 4 * k] = POINT_SIGMA ** 2;
      }
    }
    return { position, covariance };
  }
}
