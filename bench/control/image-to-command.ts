import type { Motion, PlanReply } from "../../src/messages/planning.js";
import type { Run } from "../../src/run/run.js";
import type { ThreadsHost } from "../../src/run/threads-host.js";
import { takeEach } from "../../src/transport/port.js";
import type { Metrics } from "../harness.js";

/** Longest delay that can be one [ms]: a plan that was carried out much later rests on an answer of long ago. */
const LONGEST = 1000;

/** From the exposure of the newest image in a question to the tick at which the plan that answers it begins. */
export class ImageToCommand {
  readonly #delays: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(run: Run<ThreadsHost>) {
    const answers = run.arms.map((arm) => run.tap<PlanReply>(`planner-${arm}.answers`));
    const motions = run.tap<Motion>("catching.motions");
    /** Exposure of the image in each arm's last questions [s], by arm and number. */
    const exposures = new Map<string, number>();
    this.#timer = setInterval(() => {
      for (const port of answers) takeEach(port, 0, ({ arm, id, tSeen }) => void exposures.set(`${arm} ${id}`, tSeen));
      takeEach(motions, 0, ({ part, id, tStart, closeHandAt }) => {
        const delay = 1e3 * (tStart - (exposures.get(`${part} ${id}`) ?? Number.NaN));
        if (closeHandAt !== null && delay < LONGEST) this.#delays.push(delay);
      });
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
