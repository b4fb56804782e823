import {
  type Camera,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Plane,
  Raycaster,
  SphereGeometry,
  type Vector2,
  Vector3,
} from "three";
import { defaultBall, FlightStatus, gravity } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import * as vec3 from "../../../src/math/vec3.js";
import { Listeners } from "../dom/listeners.js";
import { PathTube } from "./path-tube.js";
import type { ScenePalette } from "./scene-palette.js";

/** A ball about to be thrown: where it leaves the hand [m], and how fast [m/s]. */
export interface Launch {
  readonly position: [number, number, number];
  readonly velocity: [number, number, number];
}

/** Length of the arrow for each metre a second [m]. */
const ARROW_SCALE = 0.14;
/** Beyond what a person throws [m/s], and the ball starts above the floor [m]. */
const FASTEST = 14;
const LOWEST = 0.2;
const PATH_STEP = 0.03;
const LONGEST_PATH = 2;

const up = new Vector3(0, 1, 0);

/** The arrow with which a ball is launched: take it by the ball to move it, by the tip to throw harder or elsewhere. */
export class LaunchArrow {
  readonly object = new Group();
  readonly changes = new Listeners<Launch>();
  readonly #ballMaterial = new MeshStandardMaterial({ roughness: 0.5 });
  readonly #arrowMaterial = new MeshStandardMaterial({ roughness: 0.5 });
  readonly #pathMaterial = new MeshBasicMaterial({ transparent: true, opacity: 0.5, depthWrite: false });
  readonly #ball = new Mesh(new SphereGeometry(0.06, 32, 20), this.#ballMaterial);
  readonly #shaft = new Mesh(new CylinderGeometry(0.013, 0.013, 1, 16), this.#arrowMaterial);
  readonly #tip = new Mesh(new ConeGeometry(0.05, 0.13, 24), this.#arrowMaterial);
  readonly #path = new PathTube(90, this.#pathMaterial);
  readonly #flight = new Flight();
  readonly #raycaster = new Raycaster();
  readonly #plane = new Plane();
  readonly #point = new Vector3();
  readonly #velocity = new Vector3(-4.9, -0.2, 4.7);
  #airDrag = defaultBall.drag;
  #grip: Mesh | null = null;

  constructor() {
    this.#ball.position.set(5, 0.1, 1.5);
    this.#ball.castShadow = true;
    this.object.add(this.#ball, this.#shaft, this.#tip, this.#path.mesh);
    this.#arrange();
  }

  get launch(): Launch {
    return { position: this.#ball.position.toArray(), velocity: this.#velocity.toArray() };
  }

  set launch({ position, velocity }: Launch) {
    this.#ball.position.set(...position);
    this.#velocity.set(...velocity);
    this.#arrange();
  }

  get isHeld(): boolean {
    return this.#grip !== null;
  }

  paint({ ball, launch }: ScenePalette): void {
    this.#ballMaterial.color.copy(ball);
    this.#arrowMaterial.color.copy(launch);
    this.#pathMaterial.color.copy(launch);
  }

  /** Takes hold of what is under the pointer, in device coordinates; false if nothing is. */
  grab(pointer: Vector2, camera: Camera): boolean {
    if (!this.object.visible) return false;
    // Nothing may have been drawn since either moved.
    this.object.updateMatrixWorld();
    camera.updateMatrixWorld();
    this.#raycaster.setFromCamera(pointer, camera);
    const [hit] = this.#raycaster.intersectObjects([this.#ball, this.#tip, this.#shaft], false);
    if (hit === undefined) return false;
    this.#grip = hit.object === this.#ball ? this.#ball : this.#tip;
    // What is held moves in the plane that faces the viewer.
    this.#plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()).negate(), this.#grip.position);
    return true;
  }

  drag(pointer: Vector2, camera: Camera): void {
    this.#raycaster.setFromCamera(pointer, camera);
    if (this.#grip === null || this.#raycaster.ray.intersectPlane(this.#plane, this.#point) === null) return;
    if (this.#grip === this.#ball) {
      this.#ball.position.copy(this.#point);
      this.#ball.position.z = Math.max(LOWEST, this.#ball.position.z);
    } else {
      this.#velocity.subVectors(this.#point, this.#ball.position).divideScalar(ARROW_SCALE).clampLength(0.5, FASTEST);
    }
    this.#arrange();
    this.changes.emit(this.launch);
  }

  /** Drag of the balls that are launched [1/m]. */
  set airDrag(value: number) {
    this.#airDrag = value;
    this.#arrange();
  }

  release(): void {
    this.#grip = null;
  }

  #arrange(): void {
    const length = ARROW_SCALE * this.#velocity.length();
    const direction = this.#velocity.clone().normalize();
    this.#tip.position.copy(this.#ball.position).addScaledVector(direction, length);
    this.#shaft.position.copy(this.#ball.position).addScaledVector(direction, length / 2);
    this.#shaft.scale.y = length;
    this.#shaft.quaternion.setFromUnitVectors(up, direction);
    this.#tip.quaternion.copy(this.#shaft.quaternion);
    this.#path.set(this.#flightPoints(), () => 0.006);
  }

  #flightPoints(): number[] {
    const state = {
      time: 0,
      position: vec3.create(...this.#ball.position.toArray()),
      velocity: vec3.create(...this.#velocity.toArray()),
      drag: this.#airDrag,
    };
    if (this.#flight.reset(state, gravity(), 0, LONGEST_PATH) !== FlightStatus.ok) return [];
    const point = vec3.create();
    const points: number[] = [];
    for (let time = 0; time <= LONGEST_PATH; time += PATH_STEP) {
      const [x, y, z] = this.#flight.position(time, point);
      points.push(x, y, z);
      if (z < 0) break;
    }
    return points;
  }
}
