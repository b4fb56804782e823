import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { convexHull, grownVolume } from "../../../src/collision/making/convex-hull.js";
import { decompose } from "../../../src/collision/making/decompose.js";
import { fitHull } from "../../../src/collision/making/fit-hull.js";
import { makeHulls, makeHullsDefaults } from "../../../src/collision/making/make-hulls.js";
import { compareVolumes } from "../../../src/collision/making/solid-volume.js";
import { splitSurface } from "../../../src/collision/making/split-surface.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { writeStl } from "../../../src/robot/meshes/write-stl.js";
import { distanceToHull } from "../../robot/shipped/point-to-hull.js";
import { deep } from "../../support/deep.js";
import { lBracket, soupOf, sphere, tube } from "./surfaces.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-hulls-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pointsOf(numbers: Float64Array): vec3.Vec3[] {
  return Array.from({ length: numbers.length / 3 }, (_, i) =>
    vec3.create(...(numbers.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number])),
  );
}

/** A random point of a random triangle. */
function samplePoint(soup: Float64Array, random: Random): vec3.Vec3 {
  const t = 9 * random.integer(soup.length / 9);
  let [u, v] = [random.uniform(), random.uniform()];
  if (u + v > 1) [u, v] = [1 - u, 1 - v];
  const at = (k: number) => soup[t + k]! * (1 - u - v) + soup[t + 3 + k]! * u + soup[t + 6 + k]! * v;
  return vec3.create(at(0), at(1), at(2));
}

describe("convexHull", () => {
  it("has the volume, area and curvature of a box, inner and repeated points or not", () => {
    const random = new Random("box");
    const corners = Array.from({ length: 8 }, (_, i) => [i & 1, 2 * ((i >> 1) & 1), 3 * ((i >> 2) & 1)]);
    const inner = Array.from({ length: 50 }, () => [random.uniform(), 2 * random.uniform(), 3 * random.uniform()]);
    const hull = convexHull(Float64Array.from([...corners, ...inner, ...corners].flat()))!;
    expect(hull.volume).toBeCloseTo(6, 4);
    expect(hull.area).toBeCloseTo(22, 3);
    // Twelve edges at right angles: ½ · Σ length · π/2.
    expect(hull.curvature).toBeCloseTo(6 * Math.PI, 2);
  });

  it("grown volumes are those of a ball, a capsule, a plate and a rounded box", () => {
    const ball = (4 / 3) * Math.PI * 0.001;
    expect(grownVolume(Float64Array.of(1, 2, 3), 0.1)).toBeCloseTo(ball, 12);
    expect(grownVolume(Float64Array.of(0, 0, 0, 0, 0, 2), 0.1)).toBeCloseTo(ball + Math.PI * 0.01 * 2, 12);
    const plate = 2 * 0.5 * 0.1 + (Math.PI / 2) * (2 + Math.SQRT2) * 0.01 + ball;
    expect(grownVolume(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), 0.1)).toBeCloseTo(plate, 12);
  });
});

describe("fitHull", () => {
  it.each([
    ["a ball", sphere(0.1), 1, 0.05],
    ["a tube", tube(0.05, 0.4), 16, 0.17],
  ])("%s: few points, little more volume, every vertex inside by an independent measure", (_, mesh, most, overhead) => {
    const soup = soupOf(mesh);
    const hull = fitHull(soup, { maxPoints: 16, trials: 500 });
    expect(hull.points.length / 3).toBeLessThanOrEqual(most);
    const exact = convexHull(mesh.positions)!.volume;
    expect(hull.volume / exact - 1).toBeLessThan(overhead + 0.03);
    const corners = pointsOf(hull.points);
    for (const point of pointsOf(mesh.positions))
      expect(distanceToHull(point, corners)).toBeLessThanOrEqual(hull.radius);
  });
});

describe("splitSurface", () => {
  it("keeps all of the surface, and the cut on both sides", () => {
    const soup = soupOf(sphere(0.1));
    const { above, below } = splitSurface(soup, { normal: [0, 0, 1], offset: 0.0213 });
    for (let i = 2; i < above.length; i += 3) expect(above[i]).toBeGreaterThanOrEqual(0.0213 - 1e-12);
    for (let i = 2; i < below.length; i += 3) expect(below[i]).toBeLessThanOrEqual(0.0213 + 1e-12);
    const volume = (part: Float64Array) => convexHull(part)!.volume;
    expect(volume(above) + volume(below)).toBeCloseTo(volume(soup), 7);
  });

  it("a bracket is cut where one hull is too fat, and its pieces contain all that it encloses", () => {
    const soup = soupOf(lBracket);
    const pieces = decompose(soup, { maxPieces: 3, minimumGain: 0.1 });
    expect(pieces.length).toBe(2);
    const total = pieces.reduce((sum, piece) => sum + convexHull(piece)!.volume, 0);
    expect(convexHull(soup)!.volume).toBeGreaterThan(1.5 * total);
    const hulls = pieces.map((piece) => pointsOf(fitHull(piece, { maxPoints: 16, trials: 0 }).points));
    const radii = pieces.map((piece) => fitHull(piece, { maxPoints: 16, trials: 0 }).radius);
    const random = new Random("bracket");
    for (let i = 0; i < 300; i++) {
      const inUpright = random.uniform() < 0.5;
      const point = inUpright
        ? vec3.create(0.04 * random.uniform(), 0.1 * random.uniform(), 0.3 * random.uniform())
        : vec3.create(0.3 * random.uniform(), 0.1 * random.uniform(), 0.04 * random.uniform());
      expect(hulls.some((corners, k) => distanceToHull(point, corners) <= radii[k]!)).toBe(true);
    }
  });
});

describe("makeHulls", () => {
  const robotFolder = join(folder, "bot");
  mkdirSync(join(robotFolder, "meshes"), { recursive: true });
  writeFileSync(join(robotFolder, "meshes", "l.stl"), writeStl(lBracket));
  writeFileSync(join(robotFolder, "meshes", "tube.stl"), writeStl(tube(50, 400)));
  writeFileSync(
    join(robotFolder, "bot.urdf"),
    `<robot name="bot"><link name="base"><collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
     <link name="arm"><collision><origin xyz="0 0 0.1" rpy="0.3 0 0"/><geometry><mesh filename="meshes/l.stl"/></geometry></collision></link>
     <link name="tip"><visual><geometry><mesh filename="package://bot/meshes/tube.stl" scale="0.001 0.001 -0.001"/></geometry></visual></link>
     <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>
     <joint name="k" type="continuous"><parent link="arm"/><child link="tip"/></joint></robot>`,
  );

  it("no sampled point of a mesh lies outside", () => {
    const links = makeHulls(loadRobot(join(robotFolder, "bot.urdf")), { ...makeHullsDefaults, trials: 300 });
    expect(links.map(({ link, bodies }) => `${link} ${bodies.length}`)).toEqual(["base 1", "arm 2", "tip 1"]);
    const random = new Random("sampled");
    for (const { surface, bodies, outside } of links.slice(1)) {
      expect(outside).toBeLessThanOrEqual(0);
      const corners = bodies.map(({ points }) => pointsOf(points));
      for (let i = 0; i < deep(300, 5000); i++) {
        const point = samplePoint(surface, random);
        expect(bodies.some(({ radius }, k) => distanceToHull(point, corners[k]!) <= radius)).toBe(true);
      }
      const { solid, bodies: volume } = compareVolumes(surface, bodies);
      expect(volume).toBeGreaterThan(solid * 0.98);
      expect(volume).toBeLessThan(solid * 1.35);
    }
  });

  it("boxes, cylinders, spheres and capsules of a URDF are bodies by themselves", () => {
    const file = join(folder, "shapes.urdf");
    writeFileSync(
      file,
      `<robot name="s"><link name="a"><collision><origin xyz="0 0 1"/><geometry><cylinder radius="0.1" length="0.4"/></geometry></collision>
       <collision><geometry><sphere radius="0.2"/></geometry></collision></link></robot>`,
    );
    const { hulls } = loadRobot(file);
    expect(hulls.map(({ name, radius }) => `${name} ${radius}`)).toEqual(["a 0", "a-2 0.2"]);
    const random = new Random("cylinder");
    const corners = pointsOf(hulls[0]!.points);
    for (let i = 0; i < 300; i++) {
      const angle = 2 * Math.PI * random.uniform();
      const rim = vec3.create(0.1 * Math.cos(angle), 0.1 * Math.sin(angle), random.uniform() < 0.5 ? 0.8 : 1.2);
      expect(distanceToHull(rim, corners)).toBeLessThan(1e-12);
    }
  });
});
