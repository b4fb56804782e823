import { HullBodies } from "../../src/collision/hull-bodies.js";
import { HullDistance, MEMORY_SIZE } from "../../src/collision/hull-distance.js";
import { type LinkHulls, makeHulls, makeHullsDefaults } from "../../src/collision/making/make-hulls.js";
import { ReachBeyond } from "../../src/collision/making/reach-beyond.js";
import { compareVolumes } from "../../src/collision/making/solid-volume.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Robot } from "../../src/robot/robot.js";
import { RobotState } from "../../src/robot/state.js";
import type { BenchContext, Metrics } from "../harness.js";
import { surfacesTouch } from "./mesh-contact.js";

/** Configurations looked at for one robot at most; those of which meshes touch count. */
const maxConfigurations = { slice: 10_000, full: 40_000 };

/** Collisions looked at for one robot. */
const WANTED = { slice: 1000, full: 1000 };

/** Generated collision bodies of public robots, by name and URDF: do they contain the meshes, and miss no collision? */
export function measureHulls(robots: readonly (readonly [string, string])[], context: BenchContext): Metrics {
  const rows = robots.map(([name, urdf]) => [name, measureRobot(name, urdf, context)] as const);
  if (rows.length === 0) return { hull_robots: 0 };
  const sum = (key: keyof HullRow) => rows.reduce((total, [, row]) => total + row[key], 0);
  return {
    hull_robots: rows.length,
    hull_points_outside: sum("outside"),
    hull_overhead_mean: sum("overhead") / rows.length,
    collisions_checked: sum("collisions"),
    collisions_missed: sum("missed"),
    ...Object.fromEntries(rows.map(([name, { overhead }]) => [`${name.replaceAll("-", "_")}_hull_overhead`, overhead])),
  };
}

interface HullRow {
  readonly outside: number;
  /** Volume of the bodies over that of the meshes, less 1; mean over the links. */
  readonly overhead: number;
  readonly collisions: number;
  readonly missed: number;
}

function measureRobot(name: string, urdf: string, { seed, full, progress }: BenchContext): HullRow {
  const started = performance.now();
  const robot = loadRobot(urdf);
  const links = makeHulls(robot, makeHullsDefaults);
  const random = new Random(`${seed} ${name}`);
  const made = performance.now() - started;
  const outside = pointsOutside(links, full ? 1_000_000 : 20_000, random);
  const contacts = missedCollisions(robot, links, full ? "full" : "slice", random);
  const overhead = meanOverhead(links);
  const bodies = links.reduce((sum, link) => sum + link.bodies.length, 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  progress(
    `${name}: ${bodies} bodies, overhead ${(100 * overhead).toFixed(0)} %, ${outside} points outside, ` +
      `${contacts.missed} of ${contacts.collisions} collisions missed, ${seconds} s (${(made / 1000).toFixed(1)} s for the bodies)`,
  );
  return { outside, overhead, ...contacts };
}

function withMeshes(links: readonly LinkHulls[]): LinkHulls[] {
  return links.filter(({ surface }) => surface.length > 0);
}

function meanOverhead(links: readonly LinkHulls[]): number {
  const shares = withMeshes(links).map(({ surface, bodies }) => {
    const { solid, bodies: volume } = compareVolumes(surface, bodies);
    return volume / solid - 1;
  });
  return shares.reduce((sum, value) => sum + value, 0) / Math.max(shares.length, 1);
}

/** How many of so many random points of the meshes' triangles lie in no body of their link. */
function pointsOutside(links: readonly LinkHulls[], count: number, random: Random): number {
  const meshes = withMeshes(links);
  const reach = new ReachBeyond();
  let outside = 0;
  for (let i = 0; meshes.length > 0 && i < count; i++) {
    const { surface, bodies } = meshes[i % meshes.length]!;
    const t = 9 * random.integer(surface.length / 9);
    let [u, v] = [random.uniform(), random.uniform()];
    if (u + v > 1) [u, v] = [1 - u, 1 - v];
    const at = (k: number) => surface[t + k]! * (1 - u - v) + surface[t + 3 + k]! * u + surface[t + 6 + k]! * v;
    const [x, y, z] = [at(0), at(1), at(2)];
    // Rounding of the sampled point itself: a picometre.
    if (!bodies.some(({ points, radius }) => reach.of(x, y, z, points) <= radius + 1e-12)) outside++;
  }
  return outside;
}

/** Of random configurations in which meshes touch, triangle by triangle, those in which the bodies do not. */
function missedCollisions(robot: Robot, links: readonly LinkHulls[], size: "slice" | "full", random: Random) {
  const wanted = WANTED[size];
  const scene = new ContactScene(robot, withMeshes(links));
  let [collisions, missed] = [0, 0];
  for (let i = 0; i < maxConfigurations[size] && collisions < wanted; i++) {
    scene.place(random);
    for (const [a, b] of scene.pairs) {
      if (!scene.meshesTouch(a, b)) continue;
      collisions++;
      if (!scene.bodiesTouch(a, b)) missed++;
      break;
    }
  }
  return { collisions, missed };
}

class ContactScene {
  readonly pairs: (readonly [number, number])[] = [];
  readonly #robot: Robot;
  readonly #links: readonly LinkHulls[];
  readonly #index: readonly number[];
  readonly #state: RobotState;
  readonly #bodies: readonly HullBodies[];
  /** Greatest distance of a vertex from the link's origin [m]. */
  readonly #reach: readonly number[];
  /** The surfaces in the world, those placed in this configuration. */
  readonly #surfaces: readonly Float64Array[];
  readonly #isPlaced: boolean[];
  readonly #hulls = new HullDistance();
  readonly #memory = new Int32Array(MEMORY_SIZE);

  constructor(robot: Robot, links: readonly LinkHulls[]) {
    this.#robot = robot;
    this.#links = links;
    this.#state = new RobotState(robot.model);
    this.#reach = links.map(({ surface }) => reachOf(surface));
    this.#surfaces = links.map(({ surface }) => new Float64Array(surface.length));
    this.#isPlaced = links.map(() => false);
    this.#index = links.map(({ link }) => robot.model.linkNames.indexOf(link));
    this.#bodies = links.map(
      ({ bodies }, i) => new HullBodies(bodies.map((body) => ({ ...body, link: this.#index[i]! }))),
    );
    for (let a = 0; a < links.length; a++) {
      for (let b = a + 1; b < links.length; b++) if (!this.#areNeighbours(a, b)) this.pairs.push([a, b]);
    }
  }

  place(random: Random): void {
    const { lower, upper, dofCount } = this.#robot.model;
    for (let dof = 0; dof < dofCount; dof++) {
      const [low, high] = [Math.max(lower[dof]!, -Math.PI), Math.min(upper[dof]!, Math.PI)];
      this.#state.q[dof] = low + (high - low) * random.uniform();
    }
    forwardKinematics(this.#state);
    this.#isPlaced.fill(false);
    for (const bodies of this.#bodies) bodies.placeAll(this.#state.linkPoses);
  }

  meshesTouch(a: number, b: number): boolean {
    return this.#ballsMeet(a, b) && surfacesTouch(this.#placed(a), this.#placed(b));
  }

  bodiesTouch(a: number, b: number): boolean {
    const [first, second] = [this.#bodies[a]!, this.#bodies[b]!];
    for (let i = 0; i < first.count; i++) {
      for (let j = 0; j < second.count; j++) {
        this.#memory.fill(0);
        this.#hulls.measure(
          first.points[i]!,
          first.pointCount[i]!,
          second.points[j]!,
          second.pointCount[j]!,
          this.#memory,
          0,
        );
        if (this.#hulls.lowerBound <= first.radius[i]! + second.radius[j]!) return true;
      }
    }
    return false;
  }

  /** A rough look first, by the vertices alone: the bodies have no part in what is the truth. */
  #ballsMeet(a: number, b: number): boolean {
    const distance = (i: number) => this.#state.worldFromLink[this.#index[i]!]!.subarray(9, 12);
    const [p, q] = [distance(a), distance(b)];
    return Math.hypot(p[0]! - q[0]!, p[1]! - q[1]!, p[2]! - q[2]!) <= this.#reach[a]! + this.#reach[b]!;
  }

  #placed(link: number): Float64Array {
    const { surface } = this.#links[link]!;
    const placed = this.#surfaces[link]!;
    if (this.#isPlaced[link]) return placed;
    this.#isPlaced[link] = true;
    const worldFromLink = this.#state.worldFromLink[this.#index[link]!]!;
    const point = vec3.create();
    for (let i = 0; i < surface.length; i += 3) {
      vec3.set(surface[i]!, surface[i + 1]!, surface[i + 2]!, point);
      placed.set(pose.transformPoint(worldFromLink, point, point), i);
    }
    return placed;
  }

  #areNeighbours(a: number, b: number): boolean {
    const { rigidBody, model } = this.#robot;
    const [first, second] = [rigidBody[this.#index[a]!]!, rigidBody[this.#index[b]!]!];
    const above = (body: number) => (body === 0 ? -1 : rigidBody[model.parentLink[body]!]!);
    return first === second || above(first) === second || above(second) === first;
  }
}

function reachOf(surface: Float64Array): number {
  let reach = 0;
  for (let i = 0; i < surface.length; i += 3) {
    reach = Math.max(reach, Math.hypot(surface[i]!, surface[i + 1]!, surface[i + 2]!));
  }
  return reach;
}
