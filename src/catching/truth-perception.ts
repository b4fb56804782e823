import * as vec3 from "../math/vec3.js";
import type { HeadMeasurement } from "../planning/body/moving-base-path.js";
import type { CatchWorld, FlyingBall } from "../simulation/catch-world.js";
import type { BallPrediction } from "./arm-planner.js";
import { type CatchTimes, seconds } from "./catch-times.js";
import { DelayLine } from "./delay-line.js";
import type { CommandedJoints, Perception } from "./perception.js";
import { PerfectHeadSense } from "./perfect-head-sense.js";

/**
 * Perfect eyes: at every camera frame the true state of each ball in the air, delivered when a tracker would have it; and,
 * of a robot that has one, where the head truly is. As with a tracker a ball must have been seen in some frames before it
 * is confirmed.
 */
export class TruthPerception implements Perception {
  readonly #world: CatchWorld;
  readonly #times: CatchTimes;
  readonly #line = new DelayLine<BallPrediction>();
  readonly #head: PerfectHeadSense | null;
  #sightings = new Map<number, number>();

  constructor(world: CatchWorld, times: CatchTimes) {
    this.#world = world;
    this.#head = PerfectHeadSense.of(world);
    this.#times = times;
  }

  /** Exposes a frame if its time has come; what has arrived by now is returned. */
  step(nowNs: number): readonly BallPrediction[] {
    const { framePeriodNs, cameraNs, trackingNs } = this.#times;
    if (nowNs % framePeriodNs === 0) {
      for (const prediction of this.#expose(seconds(nowNs))) this.#line.put(prediction, nowNs + cameraNs + trackingNs);
    }
    return this.#line.take(nowNs);
  }

  observe(_nowNs: number, commanded: CommandedJoints): void {
    this.#head?.observe(commanded);
  }

  /** Without a head the robot is taken to be where it was told to be. */
  head(): HeadMeasurement | null {
    return this.#head?.measurement() ?? null;
  }

  #expose(time: number): BallPrediction[] {
    const balls = this.#world.flying(time);
    this.#sightings = new Map(balls.map(({ id }) => [id, (this.#sightings.get(id) ?? 0) + 1]));
    return balls.map((ball) => this.#see(ball, time));
  }

  #see(ball: FlyingBall, time: number): BallPrediction {
    const { framesToConfirm } = this.#times;
    const state = { time, position: vec3.create(), velocity: vec3.create(), drag: 0 };
    return {
      track: ball.id,
      state: this.#world.ballState(ball, time, state),
      covariance: null,
      lastSeen: time,
      confirmed: (this.#sightings.get(ball.id) ?? 0) >= framesToConfirm,
    };
  }
}
