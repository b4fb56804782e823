import { FlycatcherError } from "../../../runtime/errors.js";
import type {
  DriverCapabilities,
  DriverCommand,
  DriverFactory,
  DriverSite,
  DriverState,
  RobotDriver,
} from "../../driver.js";
import { DashboardClient } from "./dashboard-client.js";
import { ReverseServer } from "./reverse-server.js";
import { RtdeClient } from "./rtde-client.js";
import { JOINTS, UrState } from "./rtde-recipe.js";
import {
  faultWords,
  isFullSpeed,
  isSafetyOrMode,
  isUntrue,
  RuntimeState,
  standingFault,
  type UrFault,
} from "./ur-modes.js";
import type { UrOptions } from "./ur-options.js";
import { checkReach, UrProgramRun } from "./ur-program-start.js";
import { makeReady } from "./ur-ready.js";
import { UrWatch } from "./ur-watch.js";
import { comesTrue, pause } from "./wait.js";

/** How long the controller may take to answer [ms]. */
const ANSWER_MS = 3000;
const FIRST_STATE_MS = 5000;
/** After a loss the controller still holds the old connection for about this long [ms]. */
const RECONNECT_MS = 1000;
/** Without a state for this long the robot counts as silent [ns]. */
const SILENCE_NS = 100e6;
/** States after the end of the program in which the controller may name the cause. */
const STATES_TO_NAME = 10;
/** States in a row below full speed that are no passing dip. */
const SLOW_STATES = 10;
/** The first command must begin this near to where the joints stand [rad]. */
const NEAR = 0.05;
/** Share by which a command may be farther than a joint can go, and how much [rad]. */
const REACH_SHARE = 1.2;
const REACH_MARGIN = 0.002;

export const createUrDriver: DriverFactory = (site, options) => new UrDriver(site, options as UrOptions);

/** A robot by Universal Robots: state by RTDE, a set point each cycle to our own program on the robot. */
export class UrDriver implements RobotDriver {
  readonly #site: DriverSite;
  readonly #options: UrOptions;
  #rtde: RtdeClient | null = null;
  #reverse: ReverseServer | null = null;
  #dashboard: DashboardClient | null = null;
  readonly #program = new UrProgramRun();
  #watch: UrWatch | null = null;
  /** Joints of the newest state, and its modes. */
  readonly #state = new UrState();
  #stateNs = Number.NEGATIVE_INFINITY;
  #isNew = false;
  #isFollowing = false;
  #isRemote: boolean | null = null;
  #fault: UrFault = "no-connection";
  /** States that may still name the cause of the program's end. */
  #unnamed = 0;
  #slow = 0;
  /** Newest error that the controller has reported by RTDE. */
  #message = "";
  readonly #last = new Float64Array(JOINTS);
  #lastTime = Number.NaN;

  constructor(site: DriverSite, options: UrOptions) {
    this.#site = site;
    this.#options = options;
    if (site.joints.length === JOINTS) return;
    throw new FlycatcherError("FLY_DRIVER_JOINTS", `a robot by Universal Robots has six joints`, {
      path: `group ${site.group}`,
      expected: "6 joints that move",
      found: String(site.joints.length),
    });
  }

  get capabilities(): DriverCapabilities {
    return {
      device: "arm",
      joints: JOINTS,
      clock: "run",
      rate: this.#rtde?.rate ?? 0,
      commands: ["position"],
      streaming: true,
      feedForward: false,
      brakes: true,
    };
  }

  /** While the controller has not named the cause of the program's end, there is none. */
  get fault(): UrFault {
    return this.#isFollowing || this.#unnamed > 0 ? "none" : this.#fault;
  }

  /** What the driver may end by itself, it may go on after by itself. */
  get needsRelease(): boolean {
    const { unlock, powerOn } = this.#options;
    if (this.fault === "protective-stop") return !unlock;
    if (this.fault === "power-off" || this.fault === "brakes-on") return !powerOn;
    return isSafetyOrMode(this.fault) || isUntrue(this.fault);
  }

  get detail(): string {
    const { payload, speedSlider, refused, extrapolated } = this.#state;
    const { lost = 0, stale = 0 } = this.#watch?.counts ?? {};
    const unreadable = this.#rtde?.unreadable ?? 0;
    return [
      faultWords(this.fault),
      `${lost} states lost, ${stale} late, ${unreadable} unreadable`,
      ...(this.#isRemote === null ? [] : [this.#isRemote ? "remote control" : "local control"]),
      ...(Number.isNaN(payload) ? [] : [`payload ${payload.toFixed(2)} kg`]),
      ...(Number.isNaN(speedSlider) ? [] : [`speed slider ${Math.round(100 * speedSlider)} %`]),
      ...(refused > 0 ? [`${refused} commands refused by the robot`] : []),
      ...(extrapolated > 0 ? [`${extrapolated} steps bridged`] : []),
      ...[this.#message, this.#program.message].filter((text) => text !== ""),
    ].join("; ");
  }

  async open(): Promise<void> {
    const { host, dashboard, listen, reverse, timeoutMs } = this.#options;
    await this.#connect();
    checkReach(this.#options, this.#rtde!.addresses.robot);
    // PolyScope X has no dashboard, and the robot can do without.
    this.#dashboard = await DashboardClient.connect(host, dashboard, ANSWER_MS).catch(() => null);
    this.#isRemote = (await this.#dashboard?.isRemote()) ?? null;
    const onEnd = () => this.#end();
    this.#reverse = await ReverseServer.listen({ host: listen, port: reverse, timeoutMs, onEnd });
  }

  async #connect(): Promise<void> {
    const { host, rtde: port } = this.#options;
    this.#watch = null;
    this.#stateNs = Number.NEGATIVE_INFINITY;
    this.#rtde = await RtdeClient.connect({
      ...{ host, port, timeoutMs: ANSWER_MS },
      onState: (state) => this.#take(state),
      onText: ({ level, text }) => {
        if (level <= 1) this.#message = text;
      },
      onEnd: () => this.#fail("silent"),
    });
    if (!(await comesTrue(() => this.#watch !== null && this.#watch.counts.received > 0, FIRST_STATE_MS))) {
      throw new FlycatcherError("FLY_ROBOT_UNREACHABLE", "the robot answered but does not report its state");
    }
    this.#checkPosture();
  }

  /** A robot that stands where ours cannot is another one. */
  #checkPosture(): void {
    for (const [i, { name, lower, upper }] of this.#site.joints.entries()) {
      const q = this.#state.q[i]!;
      if (q >= lower - NEAR && q <= upper + NEAR) continue;
      throw new FlycatcherError("FLY_ROBOT_MISMATCH", "the robot stands where the one configured cannot", {
        path: name,
        expected: `${lower.toFixed(3)} to ${upper.toFixed(3)} rad`,
        found: q.toFixed(3),
      });
    }
  }

  async start(): Promise<void> {
    if (this.#rtde?.isOpen !== true) {
      await pause(RECONNECT_MS);
      await this.#connect();
    }
    if (this.#options.unlock || this.#options.powerOn || this.#dashboard !== null) await this.#prepare();
    const standing = standingFault(this.#state.robotMode, this.#state.safetyMode);
    if (standing !== "none") throw notReady(faultWords(standing));
    await this.#run();
  }

  async #prepare(): Promise<void> {
    const { host, dashboard } = this.#options;
    if (this.#dashboard?.isOpen !== true) {
      this.#dashboard = await DashboardClient.connect(host, dashboard, ANSWER_MS);
    }
    await makeReady(this.#dashboard, this.#options, this.#state);
    this.#isRemote = await this.#dashboard.isRemote();
    if (this.#isRemote === false) throw notReady("the robot is in local control: switch it to remote control");
  }

  /** Sends the program, and waits until it runs and has connected. */
  async #run(): Promise<void> {
    const reverse = this.#reverse!;
    await this.#program.start(this.#options, reverse, this.#rtde!.addresses);
    const isPlaying = () => this.#state.runtimeState === RuntimeState.playing;
    if (!(await comesTrue(isPlaying, ANSWER_MS)) || !reverse.isConnected) {
      reverse.drop();
      throw notReady("the program on the robot ended at once");
    }
    this.#slow = 0;
    this.#unnamed = 0;
    this.#lastTime = Number.NaN;
    this.#fault = "none";
    this.#isFollowing = true;
    this.#site.received();
  }

  #take(state: UrState): void {
    const arrivalNs = this.#site.nowNs();
    this.#watch ??= new UrWatch(this.#site.joints, this.#rtde?.rate || 500);
    const verdict = this.#watch.take(state, arrivalNs / 1e9);
    if (verdict === "stale") return;
    if (verdict !== "new") {
      // What comes after it is not to be trusted either: all is set up again.
      this.#rtde?.close();
      this.#fail(verdict);
      return;
    }
    copy(state, this.#state);
    this.#stateNs = arrivalNs;
    this.#isNew = true;
    this.#judge();
    this.#site.received();
  }

  /** Whether the robot, by its newest state, still follows. */
  #judge(): void {
    const { robotMode, safetyMode, runtimeState, speedScaling } = this.#state;
    const standing = standingFault(robotMode, safetyMode);
    if (!this.#isFollowing) {
      this.#name(standing);
      return;
    }
    this.#slow = isFullSpeed(speedScaling) ? 0 : this.#slow + 1;
    if (standing !== "none") this.#fail(standing);
    else if (runtimeState !== RuntimeState.playing) this.#end();
    else if (this.#slow >= SLOW_STATES) this.#fail("speed-slider");
  }

  /** The program has ended: the controller says why in one of its next states, or does not. */
  #end(): void {
    if (!this.#isFollowing) return;
    this.#isFollowing = false;
    this.#fault = "program-ended";
    this.#unnamed = STATES_TO_NAME;
    this.#reverse?.drop();
  }

  #name(standing: UrFault): void {
    if (standing !== "none") this.#fault = standing;
    if (this.#unnamed > 0) this.#unnamed = standing === "none" ? this.#unnamed - 1 : 0;
  }

  #fail(fault: UrFault): void {
    this.#isFollowing = false;
    this.#unnamed = 0;
    this.#fault = fault;
    this.#reverse?.drop();
    this.#site.received();
  }

  receive(out: DriverState): boolean {
    const silent = this.#site.nowNs() - this.#stateNs > SILENCE_NS;
    if (silent && (this.#isFollowing || this.#unnamed > 0)) this.#fail("silent");
    if (!this.#isNew || this.#watch === null) return false;
    this.#isNew = false;
    out.time = this.#watch.time;
    out.cycle = Math.round(this.#state.timestamp * (this.#rtde?.rate ?? 0)) >>> 0;
    out.q.set(this.#state.q);
    out.qd.set(this.#state.qd);
    return true;
  }

  send({ q, time }: DriverCommand): void {
    if (!this.#isFollowing) return;
    const fault = this.#faultOf(q, time);
    if (fault !== "none") {
      this.#fail(fault);
      return;
    }
    this.#last.set(q);
    this.#lastTime = time;
    this.#reverse!.servo(q);
  }

  /** The first command begins where the joints stand, and the next ones where a joint can get to. */
  #faultOf(q: Float64Array, time: number): UrFault {
    const isFirst = Number.isNaN(this.#lastTime);
    const from = isFirst ? this.#state.q : this.#last;
    const elapsed = isFirst ? 0 : Math.max(0, time - this.#lastTime);
    for (let i = 0; i < JOINTS; i++) {
      const reach = isFirst ? NEAR : REACH_SHARE * this.#site.joints[i]!.maxSpeed * elapsed + REACH_MARGIN;
      if (!Number.isFinite(q[i]!)) return "command-not-finite";
      if (Math.abs(q[i]! - from[i]!) > reach) return "command-jump";
    }
    return "none";
  }

  stop(): void {
    if (this.#isFollowing) this.#fail("program-ended");
  }

  async close(): Promise<void> {
    this.#isFollowing = false;
    await this.#reverse?.close();
    this.#program.close();
    this.#dashboard?.close();
    this.#rtde?.close();
  }
}

function notReady(why: string): FlycatcherError {
  return new FlycatcherError("FLY_ROBOT_NOT_READY", why);
}

function copy(from: UrState, to: UrState): void {
  to.q.set(from.q);
  to.qd.set(from.qd);
  const { timestamp, speedScaling, runtimeState, robotMode, safetyMode } = from;
  const { speedSlider, payload, refused, extrapolated } = from;
  Object.assign(to, { timestamp, speedScaling, runtimeState, robotMode, safetyMode });
  Object.assign(to, { speedSlider, payload, refused, extrapolated });
}
