import { Vector2 } from "three";
import type { SafetyMessage } from "../../../src/messages/page.js";
import type { RobotScene } from "../../../src/service/robot-scene.js";
import type { SweptPacket } from "../../../src/view/swept-packet.js";
import { BallFigures } from "./ball-figures.js";
import { CatchFigure } from "./catch-figure.js";
import { FrameFigures } from "./frame-figures.js";
import { FrustumFigures } from "./frustum-figures.js";
import { HullFigures } from "./hull-figures.js";
import { LaunchArrow } from "./launch-arrow.js";
import { addLenses } from "./lens-figures.js";
import { PredictionFigure } from "./prediction-figure.js";
import { RobotFigure } from "./robot-figure.js";
import { type Rendering, SceneView } from "./scene-view.js";
import { SweptFigures } from "./swept-figures.js";

/** What can be shown or left out. */
export const overlays = ["prediction", "ghost", "hulls", "swept", "frames", "cameras", "launch"] as const;
export type Overlay = (typeof overlays)[number];

/** A robot and the balls about it, in the picture: what the live view, the replay and the playground draw into. */
export class RobotDisplay {
  readonly view: SceneView;
  readonly robot: RobotFigure;
  readonly balls: BallFigures;
  readonly prediction = new PredictionFigure();
  readonly catch: CatchFigure;
  readonly launch = new LaunchArrow();
  readonly #frames: FrameFigures;
  readonly #frusta: FrustumFigures;
  readonly #robotScene: RobotScene;
  readonly #shown = new Set<Overlay>(["prediction", "ghost"]);
  /** Called when swept volumes are to be shown, or no more. */
  onSwept: (wish: "on" | "off") => void = () => undefined;
  #hulls: HullFigures | null = null;
  #swept: SweptFigures | null = null;
  #safety: SafetyMessage | null = null;

  constructor(container: HTMLElement, scene: RobotScene, rendering: Rendering) {
    this.#robotScene = scene;
    this.view = new SceneView(container, rendering);
    this.view.cameras = scene.cameras;
    this.robot = new RobotFigure(scene);
    addLenses(scene, this.robot);
    this.balls = new BallFigures(() => this.view.palette);
    this.catch = new CatchFigure(scene);
    this.#frames = new FrameFigures(scene, this.robot);
    this.#frusta = new FrustumFigures(scene, this.robot);
    this.view.scene.add(this.robot.object, this.balls.object, this.prediction.object);
    this.view.scene.add(this.catch.object, this.launch.object);
    this.view.onPaint((palette) => {
      this.prediction.paint(palette);
      this.catch.paint(palette);
      this.#frusta.paint(palette);
      this.launch.paint(palette);
      this.#hulls?.paint(palette);
      this.#swept?.paint(palette);
    });
    for (const overlay of ["hulls", "swept", "frames", "cameras", "launch"] as const) this.show(overlay, "off");
    this.#listen();
  }

  isShown(overlay: Overlay): boolean {
    return this.#shown.has(overlay);
  }

  show(overlay: Overlay, wish: "on" | "off"): void {
    if (wish === "on") this.#shown.add(overlay);
    else this.#shown.delete(overlay);
    const isShown = wish === "on";
    if (overlay === "prediction") this.prediction.object.visible = isShown;
    else if (overlay === "ghost") this.catch.object.visible = isShown;
    else if (overlay === "frames") this.#frames.visible = isShown;
    else if (overlay === "cameras") this.#frusta.visible = isShown;
    else if (overlay === "launch") this.launch.object.visible = isShown;
    else if (overlay === "swept") this.#wishSwept(wish);
    else this.#showHulls(wish);
    this.view.invalidate();
  }

  showSafety(safety: SafetyMessage): void {
    this.#safety = safety;
    this.#hulls?.show(safety);
  }

  /** Volumes that have been asked for; those that come late are dropped. */
  showSwept(volumes: SweptPacket): void {
    if (!this.isShown("swept")) return;
    this.#swept?.show(volumes);
    this.view.canvas.dataset.swept = String(volumes.distances.length);
    this.view.invalidate();
  }

  dispose(): void {
    this.view.dispose();
  }

  /** They are drawn when the first come. */
  #wishSwept(wish: "on" | "off"): void {
    if (wish === "on" && this.#swept === null) {
      this.#swept = new SweptFigures(this.#robotScene.hulls.length);
      this.#swept.paint(this.view.palette);
      this.view.scene.add(this.#swept.object);
    }
    if (wish === "off" && this.#swept !== null) this.#swept.object.visible = false;
    this.onSwept(wish);
  }

  /** Hulls take some tens of milliseconds to make: only when they are asked for. */
  #showHulls(wish: "on" | "off"): void {
    if (wish === "on" && this.#hulls === null) {
      this.#hulls = new HullFigures(this.#robotScene, this.robot);
      this.#hulls.paint(this.view.palette);
      if (this.#safety !== null) this.#hulls.show(this.#safety);
      this.robot.object.updateMatrixWorld(true);
    }
    if (this.#hulls !== null) this.#hulls.visible = wish === "on";
  }

  /** Dragging the launch arrow; everything else is looking around. */
  #listen(): void {
    const { view, launch } = this;
    const pointer = new Vector2();
    const grab = (event: PointerEvent): void => {
      if (!launch.grab(view.pointerOf(event, pointer), view.camera)) return;
      view.isLookingAround = false;
      view.canvas.setPointerCapture(event.pointerId);
    };
    // Before the controls of the view hear of it.
    view.canvas.addEventListener("pointerdown", grab, { capture: true });
    view.canvas.addEventListener("pointermove", (event) => {
      if (!launch.isHeld) return;
      launch.drag(view.pointerOf(event, pointer), view.camera);
      view.invalidate();
    });
    for (const end of ["pointerup", "pointercancel"] as const) {
      view.canvas.addEventListener(end, () => {
        launch.release();
        view.isLookingAround = true;
      });
    }
  }
}
