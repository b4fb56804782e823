import type { LiveRun } from "../../src/catching/live/live-run.module.js";
import type { Metrics } from "../harness.js";

/** From the exposure of the newest image in a prediction to the tick at which the plan made of it begins. */
export class ImageToCommand {
  readonly #delays: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor({ channels }: LiveRun) {
    const predictions = channels.predictions.openGetPort("every");
    const plans = channels.plans.openGetPort("every");
    let exposure = Number.NaN;
    this.#timer = setInterval(() => {
      for (let packet = plans.tryReceive(); packet !== null; packet = plans.tryReceive()) {
        const delay = packet.tStart.seconds - exposure;
        if (packet.closesHand && delay > 0 && delay < 1) this.#delays.push(1e3 * delay);
        plans.release(packet);
      }
      for (let packet = predictions.tryReceive(); packet !== null; packet = predictions.tryReceive()) {
        if (packet.confirmed) exposure = packet.tLastMeasurement.seconds;
        predictions.release(packet);
      }
    }, 1);
  }

  metrics(): Metrics {
    const sorted = this.#delays.toSorted((a, b) => a - b);
    const at = (p: number) => sorted[Math.ceil(p * sorted.length) - 1] ?? Number.NaN;
    return { image_to_command_ms_p50: at(0.5), image_to_command_ms_p95: at(0.95), plans: sorted.length };
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
