import type { LiveRun } from "../../src/catching/live/live-run.module.js";
import type { Metrics } from "../harness.js";

/** Longest delay that can be one [ms]: a plan that was carried out much later rests on an answer of long ago. */
const LONGEST = 1000;

/** From the exposure of the newest image in a question to the tick at which the plan that answers it begins. */
export class ImageToCommand {
  readonly #delays: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor({ channels }: LiveRun) {
    const answers = channels.answers.openGetPort("every");
    const plans = channels.plans.openGetPort("every");
    /** Exposure of the image in each arm's last questions [s], by arm and number. */
    const exposures = new Map<string, number>();
    this.#timer = setInterval(() => {
      for (let packet = answers.tryReceive(); packet !== null; packet = answers.tryReceive()) {
        exposures.set(`${packet.group.read()} ${packet.id}`, packet.tSeen.seconds);
        answers.release(packet);
      }
      for (let packet = plans.tryReceive(); packet !== null; packet = plans.tryReceive()) {
        const exposure = exposures.get(`${packet.group.read()} ${packet.id}`);
        const delay = exposure === undefined ? Number.NaN : 1e3 * (packet.tStart.seconds - exposure);
        if (packet.closesHand && delay < LONGEST) this.#delays.push(delay);
        plans.release(packet);
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
