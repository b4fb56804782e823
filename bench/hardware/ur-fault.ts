import { setTimeout as pause } from "node:timers/promises";
import { DashboardClient } from "../../src/control/drivers/ur/dashboard-client.js";
import type { ComponentStatus } from "../../src/messages/report.js";
import type { JointState } from "../../src/messages/sensing.js";
import { takeEach } from "../../src/transport/port.js";
import type { RingInPort } from "../../src/transport/ring-ports.js";
import type { UrRun } from "./ur-run.js";
import { STALE_MS } from "./ur-wire-messages.js";
import type { WiredController } from "./wired-controller.js";

/** A fault amid a catch: how it is brought about, what must name it, and what ends it. */
export interface UrFault {
  readonly name: string;
  /** A word of an event, or, for what the robot goes on with, of the status of the robot's node. */
  readonly names: RegExp;
  /** Whether the robot must stop, or may go on. */
  readonly effect: "stops" | "may go on";
  bring(scene: UrScene): void;
  /** The network is fair again, a person has unlocked the robot: what else must be done before it goes on. */
  end?(scene: UrScene): void | Promise<void>;
}

/** Arm amid its motion [rad/s]; how long a throw may take to bring it there [ms]. */
const MOVING = 0.5;
const MOTION_MS = 8000;
/** Slower is rest [rad/s]; it must last. */
const AT_REST = 0.02;
const REST_FOR_MS = 300;
/** Longest time until the robot rests and the cause is named [ms]: the throw may be over first where it goes on. */
const REST_MS = 12_000;
/** A person waits so long before unlocking, at speed 1 [ms]. */
export const UNLOCK_MS = 5500;
const ANSWER_MS = 3000;
const POLL_MS = 10;

export class UrScene {
  readonly ur: UrRun;
  readonly wire: WiredController;
  readonly #joints: RingInPort<JointState>;
  readonly #status: RingInPort<ComponentStatus>;
  #speed = 0;
  #detail = "";

  constructor(ur: UrRun, wire: WiredController) {
    this.ur = ur;
    this.wire = wire;
    const { host } = ur.run;
    this.#joints = host.tap<JointState>("robot.state", "newest");
    this.#status = host.executor.tapStatus<ComponentStatus>();
  }

  /** Fastest joint that the run knows of [rad/s]. */
  get speed(): number {
    takeEach(this.#joints, Number.POSITIVE_INFINITY, ({ qd }) => {
      this.#speed = Math.max(...qd.map(Math.abs));
    });
    return this.#speed;
  }

  /** What the robot's node says of itself. */
  get detail(): string {
    takeEach(this.#status, Number.POSITIVE_INFINITY, ({ component, detail }) => {
      if (component === "robot") this.#detail = detail;
    });
    return this.#detail;
  }

  /** One line to the controller's own dashboard, as a person at the pendant. */
  async atPendant(...lines: readonly string[]): Promise<void> {
    const dashboard = await DashboardClient.connect("127.0.0.1", this.wire.dashboard, ANSWER_MS);
    for (const line of lines) {
      await dashboard.ask(line);
      await pause(300 / this.ur.run.clock.speed);
    }
    dashboard.close();
  }

  async holds(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    while (!(await condition())) {
      if (performance.now() > end) return false;
      await pause(POLL_MS);
    }
    return true;
  }

  /** Whether all joints have stood for a while, by the controller's states, or where the driver reads none, by the simulated robot. */
  async rests(timeoutMs: number): Promise<boolean> {
    let since = performance.now();
    return this.holds(async () => {
      const { speed } = await this.wire.report();
      if (speed > AT_REST && this.ur.mode?.isStanding !== true) since = performance.now();
      return performance.now() - since > REST_FOR_MS;
    }, timeoutMs);
  }
}

/** What of a fault went wrong; empty: nothing did. */
export async function suffer(scene: UrScene, fault: UrFault, ball: number): Promise<string[]> {
  const { ur, wire } = scene;
  const { run, events } = ur;
  if (!(await run.waits(30))) return ["the robot did not wait for a ball before it"];
  wire.weather({ staleMs: STALE_MS / run.clock.speed });
  const before = await wire.report();
  const from = events.length;
  const thrown = run.throwBalls([ball]);
  if (!(await scene.holds(() => scene.speed > MOVING, MOTION_MS))) return ["the robot did not move for the ball"];
  fault.bring(scene);
  const wrongs: string[] = [];
  const isNamed = () =>
    events.slice(from).some(({ text }) => fault.names.test(text)) ||
    (fault.effect === "may go on" && fault.names.test(scene.detail));
  if (!(await scene.holds(isNamed, REST_MS))) wrongs.push(`not named: ${scene.detail}`);
  if (fault.effect === "may go on") await thrown;
  if (!(await scene.rests(REST_MS))) wrongs.push("not at rest");
  wire.clear();
  await fault.end?.(scene);
  if (fault.effect === "stops") run.release();
  await thrown;
  if (!(await run.waits(30))) wrongs.push("does not wait for balls afterwards");
  const after = await wire.report();
  if (after.stale > before.stale) wrongs.push(`${after.stale - before.stale} set points from a stale state`);
  if (after.far > before.far) wrongs.push(`${after.far - before.far} starts from elsewhere`);
  return wrongs;
}
