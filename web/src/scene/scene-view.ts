import {
  Matrix4,
  PerspectiveCamera,
  Scene,
  SRGBColorSpace,
  type Vector2,
  Vector3,
  VSMShadowMap,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { RobotScene } from "../../../src/service/robot-scene.js";
import { isDark, onThemeChange } from "../theme.js";
import { disposeTree } from "./dispose.js";
import { DrawingQuality } from "./drawing-quality.js";
import { lookFromOptical } from "./frustum-figures.js";
import { Ground } from "./ground.js";
import { Lights } from "./lights.js";
import { setPose } from "./pose-matrix.js";
import { darkPalette, lightPalette, type ScenePalette } from "./scene-palette.js";

/** From where one looks. */
export type Viewpoint = "orbit" | "ball" | "head";

/** Whether pictures are drawn as things change, now and then, or not at all: without a graphics card drawing is slow. */
export type Rendering = "on" | "rarely" | "paused";

/** Between two pictures at least [ms]. */
const leastGapMs: Readonly<Record<Rendering, number>> = { on: 0, rarely: 2000, paused: Number.POSITIVE_INFINITY };

const FIELD_OF_VIEW = 40;
/** Robot at the left, thrower at the right, in a picture a little wider than high. */
const home = { from: new Vector3(3.6, -4.8, 2.05), at: new Vector3(1.85, 0.25, 1.08), aspect: 1.25 };
/** How quickly the eye follows a ball: share of the way made up in one picture. */
const FOLLOW = 0.12;

/** The picture in three dimensions: draws when something has changed, and only then. */
export class SceneView {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.05, 60);
  readonly canvas: HTMLCanvasElement;
  palette: ScenePalette = lightPalette;
  readonly #renderer: WebGLRenderer;
  readonly #controls: OrbitControls;
  readonly #ground = new Ground();
  readonly #lights = new Lights();
  readonly #container: HTMLElement;
  readonly #observer: ResizeObserver;
  readonly #painters: ((palette: ScenePalette) => void)[] = [];
  readonly #endTheme: () => void;
  #viewpoint: Viewpoint = "orbit";
  #ball: Vector3 | null = null;
  #cameras: RobotScene["cameras"] = null;
  readonly #worldFromHead = new Matrix4();
  readonly #quality: DrawingQuality;
  #isDirty = true;
  #request = 0;
  #distance = 1;
  /** Whether the viewpoint is still the first. */
  #isAtHome = true;
  #drawnAt = Number.NEGATIVE_INFINITY;
  rendering: Rendering;

  constructor(container: HTMLElement, rendering: Rendering) {
    this.#container = container;
    this.rendering = rendering;
    this.#renderer = new WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
    this.#renderer.outputColorSpace = SRGBColorSpace;
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = VSMShadowMap;
    this.#quality = new DrawingQuality(this.#renderer);
    this.canvas = this.#renderer.domElement;
    this.canvas.className = "scene-canvas";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "The robot and the balls in three dimensions. Drag to look around.");
    this.canvas.setAttribute("role", "img");
    container.prepend(this.canvas);
    this.camera.up.set(0, 0, 1);
    this.#controls = new OrbitControls(this.camera, this.canvas);
    this.#controls.enableDamping = true;
    this.#controls.maxPolarAngle = 0.52 * Math.PI;
    this.#controls.minDistance = 0.6;
    this.#controls.maxDistance = 14;
    this.#controls.addEventListener("change", () => this.invalidate());
    this.#controls.addEventListener("start", () => {
      this.#isAtHome = false;
    });
    this.scene.add(this.#ground.object, this.#lights.object);
    this.goHome();
    this.onPaint((palette) => {
      this.#ground.paint(palette);
      this.#lights.paint(palette);
      this.#renderer.setClearColor(palette.background);
    });
    this.#endTheme = onThemeChange(() => this.#repaint());
    this.#repaint();
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(container);
    this.#loop();
  }

  /** Calls `painter` now and whenever light becomes dark or dark light. */
  onPaint(painter: (palette: ScenePalette) => void): void {
    this.#painters.push(painter);
    painter(this.palette);
  }

  /** Something has changed: the next picture is drawn. */
  invalidate(): void {
    this.#isDirty = true;
  }

  get viewpoint(): Viewpoint {
    return this.#viewpoint;
  }

  set viewpoint(viewpoint: Viewpoint) {
    this.#viewpoint = viewpoint;
    this.#controls.enabled = viewpoint !== "head";
    this.camera.matrixAutoUpdate = viewpoint !== "head";
    this.camera.fov = viewpoint === "head" ? this.#headFieldOfView() : FIELD_OF_VIEW;
    this.camera.updateProjectionMatrix();
    if (viewpoint !== "head") this.goHome();
    this.invalidate();
  }

  set cameras(cameras: RobotScene["cameras"]) {
    this.#cameras = cameras;
  }

  /** Where the ball is that is followed, and the head that is looked from. */
  follow(ball: Vector3 | null, worldFromHead: ArrayLike<number>): void {
    this.#ball = ball;
    setPose(this.#worldFromHead, worldFromHead);
  }

  goHome(): void {
    const retreat = this.#distance * Math.max(1, home.aspect / this.camera.aspect);
    this.camera.position.copy(home.from).sub(home.at).multiplyScalar(retreat).add(home.at);
    this.#controls.target.copy(home.at);
    this.#isAtHome = true;
    this.#controls.update();
    this.invalidate();
  }

  /** Looks from farther away, so many times as far, to see the thrower's hand too. */
  stepBack(times: number): void {
    this.#distance = times;
    this.goHome();
  }

  /** While something in the scene is being dragged the eye rests. */
  set isLookingAround(may: boolean) {
    this.#controls.enabled = may && this.#viewpoint !== "head";
  }

  /** Where the pointer is, from −1 to 1 each way. */
  pointerOf({ clientX, clientY }: PointerEvent, out: Vector2): Vector2 {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return out.set((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height);
  }

  dispose(): void {
    cancelAnimationFrame(this.#request);
    this.#endTheme();
    this.#observer.disconnect();
    this.#controls.dispose();
    disposeTree(this.scene);
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.canvas.remove();
  }

  #loop(): void {
    this.#request = requestAnimationFrame(() => this.#loop());
    this.#controls.update();
    this.#moveEye();
    const now = performance.now();
    if (!this.#isDirty || now - this.#drawnAt < leastGapMs[this.rendering] || this.rendering === "paused") return;
    this.#isDirty = false;
    this.#drawnAt = now;
    this.#renderer.render(this.scene, this.camera);
    const { geometries, textures } = this.#renderer.info.memory;
    this.canvas.dataset.drawn = `${geometries} geometries, ${textures} textures`;
    if (this.#quality.drawn(performance.now()) === "lowered") this.#resize();
  }

  #moveEye(): void {
    if (this.#viewpoint === "ball" && this.#ball !== null) {
      const way = this.#ball.clone().sub(this.#controls.target).multiplyScalar(FOLLOW);
      this.#controls.target.add(way);
      this.camera.position.add(way);
    } else if (this.#viewpoint === "head" && this.#cameras !== null) {
      setPose(this.camera.matrix, this.#cameras.left.headFromCamera);
      this.camera.matrix.premultiply(this.#worldFromHead).multiply(lookFromOptical);
      this.camera.matrixWorldNeedsUpdate = true;
    }
  }

  #headFieldOfView(): number {
    const left = this.#cameras?.left;
    return left === undefined ? FIELD_OF_VIEW : (360 / Math.PI) * Math.atan(left.height / 2 / left.fy);
  }

  #repaint(): void {
    this.palette = isDark() ? darkPalette : lightPalette;
    for (const painter of this.#painters) painter(this.palette);
    this.invalidate();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#container;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#renderer.setPixelRatio(this.#quality.pixelRatio);
    this.#renderer.setSize(clientWidth, clientHeight);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    if (this.#isAtHome && this.#viewpoint === "orbit") this.goHome();
    // A canvas of another size is empty.
    this.#drawnAt = Number.NEGATIVE_INFINITY;
    this.invalidate();
  }
}
