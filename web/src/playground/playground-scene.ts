import { BoxGeometry, Mesh, MeshStandardMaterial, SphereGeometry } from "three";
import type { PlanAnswer } from "../../../src/planning/request/answer.js";
import type { RobotFacts } from "../live/robot-facts.js";
import { RobotDisplay } from "../scene/robot-display.js";
import type { Rendering } from "../scene/scene-view.js";
import { BallPath } from "./ball-path.js";
import { FeasibleFigure } from "./feasible-figure.js";
import type { FeasibleWindow } from "./plan-client.js";
import { PlannedMotion } from "./planned-motion.js";
import type { Problem } from "./problem.js";
import type { Reach } from "./reach-panel.js";
import type { ReachedMotion } from "./reached-motion.js";

/** The launch arrow, five metres from the robot, is to be seen. */
const STEP_BACK = 1.5;

/** The playground's picture: the robot along its plan, the ball on its path, where it could be caught. */
export class PlaygroundScene {
  readonly display: RobotDisplay;
  readonly #feasible = new FeasibleFigure();
  readonly #ball = new Mesh(new SphereGeometry(0.0425, 32, 20), new MeshStandardMaterial({ roughness: 0.5 }));
  readonly #target = new Mesh(new SphereGeometry(0.02, 24, 16), new MeshStandardMaterial({ roughness: 0.4 }));
  readonly #post = new Mesh(new BoxGeometry(1, 1, 1), new MeshStandardMaterial({ roughness: 0.8 }));
  readonly #facts: RobotFacts;
  readonly #places: ReadonlyMap<string, number>;
  readonly #start: Float64Array;
  readonly #joints: Float64Array;
  #path: BallPath | null = null;
  #motion: PlannedMotion | ReachedMotion | null = null;
  #playing = 0;
  #windows: readonly FeasibleWindow[] = [];

  constructor(container: HTMLElement, facts: RobotFacts, rendering: Rendering) {
    this.#facts = facts;
    this.#places = new Map(facts.scene.joints.map((name, index) => [name, index]));
    this.#start = new Float64Array(facts.scene.joints.length);
    this.#joints = new Float64Array(facts.scene.joints.length);
    this.display = new RobotDisplay(container, facts.scene, rendering);
    this.display.show("launch", "on");
    this.display.view.stepBack(STEP_BACK);
    this.display.view.scene.add(this.#feasible.object, this.#ball, this.#target, this.#post);
    this.#target.visible = false;
    this.#post.visible = false;
    this.#ball.castShadow = true;
    this.display.view.onPaint((palette) => {
      this.#feasible.paint(palette);
      (this.#ball.material as MeshStandardMaterial).color.copy(palette.ball);
      (this.#target.material as MeshStandardMaterial).color.copy(palette.ball);
    });
  }

  /** The problem has changed: what was planned for the one before is taken away. */
  set({ posture, joints, ball, seenFor }: Problem): void {
    this.#start.set(this.#facts.scene.postures[posture] ?? []);
    for (const [name, value] of Object.entries(joints)) this.#start[this.#places.get(name) ?? -1] = value;
    this.#path = new BallPath(ball, seenFor);
    this.#motion = null;
    if (!this.display.launch.isHeld) this.display.launch.launch = ball;
    this.display.catch.hide();
    this.showFeasible([]);
    this.seek(0);
  }

  showAnswer({ ramps, catch: caught }: PlanAnswer, time: number): void {
    this.#motion = ramps === undefined || caught === undefined ? null : new PlannedMotion(ramps);
    if (this.#motion === null) this.display.catch.hide();
    else {
      this.#place(Number.POSITIVE_INFINITY);
      this.display.catch.show({
        joints: this.#joints,
        moving: this.#motion.joints.map((name) => this.#places.get(name) ?? -1),
      });
    }
    this.seek(time);
  }

  /** Where the tool is to go, and what is in its way. */
  drawReach({ position, box }: Reach): void {
    this.#target.visible = true;
    this.#target.position.set(...position);
    this.#post.visible = box !== null;
    if (box !== null) {
      this.#post.position.set(...box.at);
      this.#post.scale.set(...box.size);
    }
    this.display.view.invalidate();
  }

  /** Plays a motion once, at its own speed. */
  play(motion: ReachedMotion): void {
    this.#motion = motion;
    this.display.catch.hide();
    const playing = ++this.#playing;
    const begun = performance.now();
    const step = (): void => {
      // Another answer has come.
      if (playing !== this.#playing || this.#motion !== motion) return;
      const time = (performance.now() - begun) / 1000;
      this.#place(time);
      this.display.robot.setJoints(this.#joints);
      this.display.view.invalidate();
      if (time < motion.duration) requestAnimationFrame(step);
    };
    step();
  }

  showFeasible(windows: readonly FeasibleWindow[]): void {
    this.#windows = windows;
    if (this.#path !== null) this.#feasible.show(this.#windows, this.#path);
    this.display.view.invalidate();
  }

  /** Robot and ball at `time` from the start of the motion [s]. */
  seek(time: number): void {
    this.#place(time);
    this.display.robot.setJoints(this.#joints);
    if (this.#path !== null) this.#ball.position.set(...this.#path.at(Math.max(time, this.#path.released)));
    this.display.view.invalidate();
  }

  dispose(): void {
    this.display.dispose();
  }

  #place(time: number): void {
    this.#joints.set(this.#start);
    if (this.#motion === null) return;
    const positions = this.#motion.positions(time);
    for (const [k, name] of this.#motion.joints.entries()) this.#joints[this.#places.get(name) ?? -1] = positions[k]!;
  }
}
