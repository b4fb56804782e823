import { attachChannel } from "../../channels/channel.js";
import { defaultBall } from "../../flight/ball.js";
import * as vec3 from "../../math/vec3.js";
import { BallPrediction as PredictionPacket } from "../../messages/ball-prediction.js";
import { type ClockOrigin, clockFrom } from "../../runtime/clock.js";
import { requestRealTime } from "../../runtime/real-time-priority.js";
import { stopRequested, workerInput, workerReady } from "../../runtime/worker-context.js";
import { createRecordedBall, WorldRecord } from "../../simulation/robot-sim/world-record.js";
import { Heartbeats } from "../../transport/heartbeats.js";
import type { BallPrediction } from "../arm-planner.js";
import type { CatchTimes } from "../catch-times.js";
import { DelayLine } from "../delay-line.js";
import type { LiveHandles } from "./live-channels.module.js";
import { LivePart } from "./live-input.js";
import { PartStatus } from "./part-status.module.js";
import { writePrediction } from "./prediction-codec.module.js";
import { maxTrueBalls, TrueWorld } from "./true-world.module.js";

/** What the thread with perfect eyes is started with. */
export interface TruthSeeingInput {
  readonly clock: ClockOrigin;
  readonly channels: LiveHandles;
  readonly heartbeats: SharedArrayBuffer;
  readonly times: CatchTimes;
  readonly priority: number;
}

const PATIENCE_MS = 20;

/** At every camera frame the true state of each ball in the air, delivered when a tracker would have it. */
class TruthEyes {
  readonly #times: CatchTimes;
  readonly #line = new DelayLine<BallPrediction>();
  readonly #ball = createRecordedBall();
  #sightings = new Map<number, number>();
  #nextFrameNs = 0;

  constructor(times: CatchTimes) {
    this.#times = times;
  }

  look(record: WorldRecord, timeNs: number): void {
    const { framePeriodNs, cameraNs, trackingNs, framesToConfirm } = this.#times;
    if (timeNs < this.#nextFrameNs) return;
    this.#nextFrameNs = (Math.floor(timeNs / framePeriodNs) + 1) * framePeriodNs;
    const time = timeNs / 1e9;
    const sightings = new Map<number, number>();
    for (let k = 0; k < record.ballCount; k++) {
      const { id, isFlying, position, velocity } = record.ball(k, this.#ball);
      if (!isFlying) continue;
      const seen = (this.#sightings.get(id) ?? 0) + 1;
      sightings.set(id, seen);
      const state = {
        time,
        position: vec3.copy(position, vec3.create()),
        velocity: vec3.copy(velocity, vec3.create()),
        drag: defaultBall.drag,
      };
      const prediction = { track: id, state, covariance: null, lastSeen: time, confirmed: seen >= framesToConfirm };
      this.#line.put(prediction, timeNs + cameraNs + trackingNs);
    }
    this.#sightings = sightings;
  }

  take(nowNs: number): readonly BallPrediction[] {
    return this.#line.take(nowNs);
  }
}

const input = workerInput<TruthSeeingInput>();
const clock = clockFrom(input.clock);
const world = attachChannel(input.channels.world, TrueWorld).openGetPort("every");
const predictions = attachChannel(input.channels.predictions, PredictionPacket).openPutPort();
const heartbeats = new Heartbeats(input.heartbeats);
const eyes = new TruthEyes(input.times);
const status = new PartStatus(input.channels.status, "seeing");
if (input.priority > 0) requestRealTime(input.priority);
workerReady();
while (!stopRequested()) {
  const packet = world.receive(PATIENCE_MS);
  const begun = clock.nowNs();
  heartbeats.beat(LivePart.seeing);
  if (packet !== null) {
    eyes.look(new WorldRecord(maxTrueBalls, 0, packet.numbers), packet.t.nanoseconds);
    world.release(packet);
  }
  for (const prediction of eyes.take(clock.nowNs())) {
    writePrediction(prediction, predictions.reserve());
    predictions.publish();
  }
  if (packet !== null) status.worked((clock.nowNs() - begun) / 1e9);
  status.lost = world.lost;
  status.waiting = world.waiting;
  status.step(clock.nowNs());
}
