import type { CatchTimes } from "../catching/catch-times.js";
import type { Handover, PlanReply } from "../messages/planning.js";
import type { Event } from "../messages/report.js";
import type { RealTimeClock } from "../runtime/clock.js";
import type { PaceChange } from "../runtime/clock-pace.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { LoopStatistics } from "../transport/loop-statistics.js";
import { type LoadFigures, RunLoad } from "./run-load.js";
import { isColdLoadNormal, SpeedGovernor } from "./speed-governor.js";

interface RunSpeedInput {
  readonly clock: RealTimeClock;
  readonly times: CatchTimes;
  /** How control keeps its time. */
  readonly statistics: LoopStatistics;
  /** Fixed, or chosen by the load. */
  readonly speed: number | "auto";
  /** Whether the robot's clock can be slowed down: that of a simulated robot can. */
  readonly robot: "simulated" | "real";
  /** Changes the pace of the simulated robot's clock; times are the machine's [ns]. */
  readonly follow: (change: PaceChange) => void;
  readonly report: (severity: Event["severity"], code: string, text: string) => void;
}

/** A change is made so long before it takes effect, by the wall clock [ns]: every thread and process then knows of it. */
const NOTICE_NS = 50e6;
const none: LoadFigures = { latency: Number.NaN, late: 0, plans: 0, missed: 0, stops: 0 };

/** How fast the time of a run goes, and the load that decides about it. */
export class RunSpeed {
  readonly #input: RunSpeedInput;
  readonly #load: RunLoad;
  readonly #governor: SpeedGovernor | null;
  #last = none;

  constructor(input: RunSpeedInput) {
    const { times, statistics, speed, robot } = input;
    if (robot === "real" && speed !== "auto" && speed !== 1) throw realRobot(speed);
    this.#input = input;
    this.#load = new RunLoad(times.cameraNs, statistics);
    this.#governor = robot === "simulated" && speed === "auto" ? new SpeedGovernor() : null;
  }

  answered(reply: PlanReply): void {
    this.#load.answered(reply);
  }

  readonly handedOver = (handover: Handover): void => this.#load.handedOver(handover);

  happened(event: Event): void {
    this.#load.happened(event);
  }

  /** Before the first throw: the speed that was asked for. */
  begin(): void {
    const { speed } = this.#input;
    if (speed !== "auto" && speed !== 1) this.#set(speed);
  }

  /** The load of a throw that is over. */
  afterThrow(): void {
    this.#last = this.#load.take();
    this.#input.report("debug", "load", textOf(this.#last));
  }

  /** Of the first trial throw: whether its load says nothing against the speed. */
  get isColdLoadNormal(): boolean {
    return isColdLoadNormal(this.#last);
  }

  /** What was between the last throw and now does not count. */
  discard(): void {
    this.#load.take();
  }

  /** After a trial throw: the highest speed that its load allows; whether that is the one it had. */
  choose(): "kept" | "lowered" {
    const before = this.#governor?.speed;
    if (this.#governor === null || this.#governor.choose(this.#last) === before) return "kept";
    this.#lower();
    return "lowered";
  }

  /** Between two throws: slower as soon as the load is too much, faster when there is time for it. */
  adapt(): void {
    const before = this.#governor?.speed ?? 1;
    const speed = this.#governor?.next(this.#last) ?? before;
    if (speed < before) this.#lower();
    else if (speed > before) {
      this.#set(speed);
      this.#input.report("info", "speed", `the machine has time again: the run goes on at speed ${speed}`);
    }
  }

  #lower(): void {
    const { speed } = this.#governor!;
    this.#set(speed);
    const load = `${textOf(this.#last)} in the last throw`;
    this.#input.report("warning", "speed", `the machine is busy (${load}): the run goes on at speed ${speed}`);
  }

  #set(speed: number): void {
    const { clock, follow } = this.#input;
    const zeroNs = Number(clock.origin.monotonicZeroNs);
    const { fromNs, atNs } = clock.setSpeed(speed, NOTICE_NS);
    follow({ fromNs: fromNs + zeroNs, atNs: atNs + zeroNs, speed });
  }
}

function textOf({ latency, late, plans, missed, stops }: LoadFigures): string {
  const toPlan = Number.isNaN(latency) ? "no plan" : `${Math.round(1e3 * latency)} ms from image to plan`;
  const ticks = `${(100 * missed).toFixed(1)} % of control's ticks missed`;
  return [toPlan, `${late} of ${plans} plans late`, ticks, ...(stops > 0 ? [`${stops} stops`] : [])].join(", ");
}

function realRobot(speed: number): FlycatcherError {
  const details = { path: "speed", expected: "1", found: String(speed) };
  return new FlycatcherError("FLY_SPEED_OF_REAL_ROBOT", "The time of a real robot cannot be slowed down", details);
}
