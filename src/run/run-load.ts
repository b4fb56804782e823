import { quantiles } from "../math/statistics.js";
import type { Handover, PlanReply } from "../messages/planning.js";
import type { Event } from "../messages/report.js";
import { BrakeReason, brakeWords } from "../safety/monitor/monitor-words.js";
import type { LoopStatistics } from "../transport/loop-statistics.js";

/** How a machine kept up with a run over a stretch of it, say a throw; times are the run's. */
export interface LoadFigures {
  /** From the arrival of an image to the plan that follows from it, three quarters of them faster [s]; NaN without any. */
  readonly latency: number;
  /** Plans that came too late to be carried out, and all that were looked at. */
  readonly late: number;
  readonly plans: number;
  /** Share of control's ticks that were missed. */
  readonly missed: number;
  /** How often the robot was stopped because commands or states were late. */
  readonly stops: number;
}

/** End of the text of a brake for states of the robot that came late. */
const STALE = brakeWords(BrakeReason.staleState);
/** Quantile of the latencies that counts. */
const P = 0.75;

/** Gathers what plans and control say of the load. */
export class RunLoad {
  readonly #cameraNs: number;
  readonly #statistics: LoopStatistics;
  readonly #latencies: number[] = [];
  #late = 0;
  #plans = 0;
  #stops = 0;
  #ticks = 0;
  #missed = 0;

  /** `cameraNs`: from an exposure to its arrival, which takes as long on every machine. */
  constructor(cameraNs: number, statistics: LoopStatistics) {
    this.#cameraNs = cameraNs;
    this.#statistics = statistics;
  }

  readonly answered = ({ tSeen, answeredNs }: PlanReply): void => {
    this.#latencies.push((answeredNs - this.#cameraNs) / 1e9 - tSeen);
  };

  readonly handedOver = ({ outcome }: Handover): void => {
    this.#plans++;
    if (outcome === "late") this.#late++;
  };

  /** Whether an event says that the robot was stopped for what came late. */
  happened({ code, text }: Pick<Event, "code" | "text">): void {
    if (code === "robot-stopped" || (code === "brake" && text.endsWith(STALE))) this.#stops++;
  }

  /** Since the last call. */
  take(): LoadFigures {
    const { ticks, missed } = this.#statistics;
    const [newTicks, newMissed] = [ticks - this.#ticks, missed - this.#missed];
    const figures = {
      latency: quantiles(this.#latencies, [P])[0]!,
      late: this.#late,
      plans: this.#plans,
      missed: newTicks > 0 ? newMissed / (newTicks + newMissed) : 0,
      stops: this.#stops,
    };
    this.#latencies.length = 0;
    [this.#late, this.#plans, this.#stops, this.#ticks, this.#missed] = [0, 0, 0, ticks, missed];
    return figures;
  }
}
