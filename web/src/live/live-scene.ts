import type { PlanMessage } from "../../../src/messages/page.js";
import type { Page } from "../page.js";
import { RobotDisplay } from "../scene/robot-display.js";
import type { LiveStore } from "./live-store.js";
import type { RobotFacts } from "./robot-facts.js";

/** Draws the live run: every pose at once, predictions and plans as they come. */
export class LiveScene {
  readonly display: RobotDisplay;
  readonly #store: LiveStore;
  readonly #ends: (() => void)[];
  readonly #ghost: Float64Array;
  #isAwaited = false;

  constructor(container: HTMLElement, { store, stream, rendering }: Page, facts: RobotFacts) {
    this.#store = store;
    this.#ghost = new Float64Array(facts.scene.joints.length);
    this.display = new RobotDisplay(container, facts.scene, rendering);
    this.display.onSwept = (wish) => stream.watch("swept", wish);
    this.#ends = [
      stream.swept.add((volumes) => this.display.showSwept(volumes)),
      () => stream.watch("swept", "off"),
      store.poses.add(() => this.#pose()),
      store.changes.add((type) => {
        if (type === "prediction" || type === "ball" || type === "throw") this.#predict();
        if (type === "plan" || type === "handover" || type === "ball" || type === "throw") this.#plan();
        if (type === "safety" && store.safety !== null) this.display.showSafety(store.safety);
        this.display.view.invalidate();
      }),
    ];
    const { hello } = store;
    if (hello !== null) {
      this.display.balls.radius = hello.facts.ballRadius;
      this.display.launch.airDrag = hello.facts.ballDrag;
    }
    if (store.safety !== null) this.display.showSafety(store.safety);
    this.#pose();
    this.#predict();
    this.#plan();
  }

  dispose(): void {
    for (const end of this.#ends) end();
    this.display.dispose();
  }

  #pose(): void {
    const { pose, trails } = this.#store;
    if (pose === null) return;
    this.display.robot.setJoints(pose.joints);
    this.display.balls.show(pose.balls, trails);
    this.display.view.follow(this.display.balls.first?.position ?? null, pose.head);
    if (this.#isAwaited && !this.#isToCome()) {
      this.#predict();
      this.#plan();
    }
    this.display.view.invalidate();
  }

  #predict(): void {
    const { log } = this.#store;
    this.display.prediction.show(log === null || !this.#isToCome() ? [] : log.predictions);
  }

  /** Whether a throw is under way whose catch is not over. */
  #isToCome(): boolean {
    const { log, pose } = this.#store;
    if (log === null || log.isOver) return false;
    return (pose?.time ?? 0) <= (log.newestCatch?.tCatch ?? Number.POSITIVE_INFINITY);
  }

  /** The arm as it will be at the catch: where it is now, but for the joints that plans move. */
  #plan(): void {
    const { log, pose } = this.#store;
    const plan = this.#isToCome() ? log!.newestCatch : null;
    this.#isAwaited = plan !== null;
    if (plan === null || pose === null) {
      this.display.catch.hide();
      return;
    }
    this.#ghost.set(pose.joints);
    const body = log!.plans.findLast(({ part }) => part === "body");
    for (const motion of [body, plan]) if (motion !== undefined) applyEnd(motion, this.#ghost);
    this.display.catch.show({ joints: this.#ghost, moving: plan.joints });
  }
}

function applyEnd({ joints, ramps }: PlanMessage, out: Float64Array): void {
  for (const [k, joint] of joints.entries()) out[joint] = ramps.end[k]!;
}
