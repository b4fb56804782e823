import { Random } from "../math/random.js";
import { LostFrame, MAX_POINTS, Points } from "../messages/sensing.js";
import type { Robot } from "../robot/robot.js";
import { FrameFates } from "../simulation/frame-fates.js";
import type { TrueScene } from "../simulation/simulated-world.js";
import type { Node } from "../transport/node.js";
import type { PortsOf } from "../transport/port.js";
import type { SimulatedCameraOptions } from "./simulated-camera.js";

export const simulatedPointsPorts = { in: {}, out: { points: Points, lost: LostFrame } } as const;

export type SimulatedPointsOptions = Pick<
  SimulatedCameraOptions,
  "framePeriodNs" | "cameraNs" | "seed" | "challenges" | "occlusions"
>;

/** Standard deviation of a point that motion capture measures, in each direction [m]. */
const POINT_SIGMA = 0.003;

/** Motion capture: every ball's centre, with noise. */
export class SimulatedPointsNode implements Node {
  readonly #ports: PortsOf<typeof simulatedPointsPorts>;
  readonly #scene: TrueScene;
  readonly #options: SimulatedPointsOptions;
  readonly #fates: FrameFates;
  readonly #random: Random;
  #frames = 0;

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
  }

  step(nowNs: number): number {
    const { framePeriodNs } = this.#options;
    if (nowNs % framePeriodNs === 0) this.#expose(nowNs);
    return (Math.floor(nowNs / framePeriodNs) + 1) * framePeriodNs;
  }

  #expose(nowNs: number): void {
    const { isLost, delayNs } = this.#fates.next();
    const frame = this.#frames++;
    const measured = this.#measure(nowNs / 1e9);
    const { points, lost } = this.#ports.out;
    const exposureNs = nowNs;
    if (isLost) lost.put({ frame, exposureNs }, nowNs);
    else
      points.put(
        { frame, exposureNs, arrivalNs: nowNs + this.#options.cameraNs + delayNs, ...measured },
        nowNs + delayNs,
      );
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
