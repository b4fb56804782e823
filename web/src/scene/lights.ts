import { DirectionalLight, Group, HemisphereLight } from "three";
import type { ScenePalette } from "./scene-palette.js";

/** Half the width of the patch that casts shadows [m]: robot and thrower are in it. */
const REACH = 3.6;

/** A wide sky, a soft sun from the robot's left, and a faint light from behind that parts the robot from the ground. */
export class Lights {
  readonly object = new Group();
  readonly #sky = new HemisphereLight("#ffffff", "#8d9499");
  readonly #sun = new DirectionalLight("#fff6e8");
  readonly #rim = new DirectionalLight("#cfe4ff");

  constructor() {
    this.#sun.position.set(3.2, 4.2, 7.5);
    this.#sun.target.position.set(1.4, 0, 0.4);
    this.#sun.castShadow = true;
    this.#sun.shadow.mapSize.set(1024, 1024);
    this.#sun.shadow.radius = 3;
    this.#sun.shadow.normalBias = 0.015;
    const { camera } = this.#sun.shadow;
    [camera.left, camera.right, camera.top, camera.bottom] = [-REACH, REACH, REACH, -REACH];
    [camera.near, camera.far] = [2, 14];
    this.#rim.position.set(-4, -3, 3);
    this.object.add(this.#sky, this.#sun, this.#sun.target, this.#rim);
  }

  paint({ skyLight, sunLight }: ScenePalette): void {
    this.#sky.intensity = skyLight;
    this.#sun.intensity = sunLight;
    this.#rim.intensity = 0.5 * sunLight;
  }
}
