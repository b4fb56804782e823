import type { PlanMessage } from "../../../src/view/stage-messages.js";
import type { Page } from "../page.js";
import { RobotStage } from "../scene/robot-stage.js";
import type { LiveStore } from "./live-store.js";
import type { RobotFacts } from "./robot-facts.js";

/** Draws the live run: every pose at once, predictions and plans as they come. */
export class LiveScene {
  readonly stage: RobotStage;
  readonly #store: LiveStore;
  readonly #ends: (() => void)[];
  readonly #ghost: Float64Array;
  #isAwaited = false;

  constructor(container: HTMLElement, { store, stream, rendering }: Page, facts: RobotFacts) {
    this.#store = store;
    this.#ghost = new Float64Array(facts.scene.joints.length);
    this.stage = new RobotStage(container, facts.scene, rendering);
    this.stage.onSwept = (wish) => stream.watch("swept", wish);
    this.#ends = [
      stream.swept.add((volumes) => this.stage.showSwept(volumes)),
      () => stream.watch("swept", "off"),
      store.poses.add(() => this.#pose()),
      store.changes.add((type) => {
        if (type === "prediction" || type === "ball" || type === "throw") this.#predict();
        if (type === "plan" || type === "handover" || type === "ball" || type === "throw") this.#plan();
        if (type === "safety" && store.safety !== null) this.stage.showSafety(store.safety);
        this.stage.view.invalidate();
      }),
    ];
    const { hello } = store;
    if (hello !== null) this.stage.balls.radius = hello.facts.ballRadius;
    if (store.safety !== null) this.stage.showSafety(store.safety);
    this.#pose();
    this.#predict();
    this.#plan();
  }

  dispose(): void {
    for (const end of this.#ends) end();
    this.stage.dispose();
  }

  #pose(): void {
    const { pose, trails } = this.#store;
    if (pose === null) return;
    this.stage.robot.setJoints(pose.joints);
    this.stage.balls.show(pose.balls, trails);
    this.stage.view.follow(this.stage.balls.first?.position ?? null, pose.head);
    if (this.#isAwaited && !this.#isToCome()) {
      this.#predict();
      this.#plan();
    }
    this.stage.view.invalidate();
  }

  #predict(): void {
    const { log } = this.#store;
    this.stage.prediction.show(log === null || !this.#isToCome() ? [] : log.predictions);
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
      this.stage.catch.hide();
      return;
    }
    this.#ghost.set(pose.joints);
    const body = log!.plans.findLast(({ part }) => part === "body");
    for (const motion of [body, plan]) if (motion !== undefined) applyEnd(motion, this.#ghost);
    this.stage.catch.show({ joints: this.#ghost, moving: plan.joints });
  }
}

function applyEnd({ joints, ramps }: PlanMessage, out: Float64Array): void {
  for (const [k, joint] of joints.entries()) out[joint] = ramps.end[k]!;
}
