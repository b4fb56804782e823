import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HullBodies } from "../../src/collision/hull-bodies.js";
import { parseObstacles, robotAmong } from "../../src/robot/loading/obstacles.js";
import type { MotionScene } from "./scenes.js";

/** One run of OMPL on one scene. */
export interface PeerRun {
  readonly scene: number;
  readonly found: boolean;
  readonly milliseconds: number;
  /** [rad] */
  readonly length: number;
}

const source = fileURLToPath(new URL("../../../bench/motions/ompl-peer.cpp", import.meta.url));
const compilerFlags = ["-O2", "-std=c++17", "-I/usr/include/ompl-1.5", "-I/usr/include/eigen3"];
const libraries = ["-lompl", "-lfcl", "-lccd", "-lm"];
/** Distance that either planner keeps [m], and the step of OMPL's edges [rad]. */
const MARGIN = 0.002;
const RESOLUTION = 0.05;

/**
 * OMPL's RRT-Connect with FCL on the same scenes, the same hulls and radii, its simplification included; compiled here. Null
 * where there is no compiler or not the packages `libompl-dev` and `libfcl-dev`.
 */
export function runOmpl(
  scenes: readonly MotionScene[],
  runs: number,
  limitSeconds: number,
  progress: (message: string) => void,
): PeerRun[] | null {
  const folder = mkdtempSync(join(tmpdir(), "flycatcher-ompl-"));
  try {
    const program = join(folder, "ompl-peer");
    const compiled = spawnSync("g++", [...compilerFlags, source, "-o", program, ...libraries], { encoding: "utf8" });
    if (compiled.status !== 0) {
      progress("OMPL is left out: no compiler, or not libompl-dev and libfcl-dev");
      return null;
    }
    const file = join(folder, "scenes.txt");
    writeFileSync(file, `${scenes.length}\n${scenes.map(describe).join("\n")}\n`);
    const output = execFileSync(program, [file, String(runs), String(limitSeconds), String(RESOLUTION)], {
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    return output.trim().split("\n").map(readRun);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readRun(line: string): PeerRun {
  const [scene, , found, milliseconds, length] = line.split(" ").map(Number);
  return { scene: scene!, found: found === 1, milliseconds: milliseconds!, length: length! };
}

/** A scene as numbers: links, bodies, pairs that the moving joints move, limits, start and goal. */
function describe({ robot: bare, obstacles, dofs, posture, start, goal }: MotionScene): string {
  const robot = robotAmong(bare, parseObstacles(obstacles));
  const { model, hulls } = robot;
  const bodies = new HullBodies(hulls);
  const moving = new Set(dofs);
  const links = Array.from({ length: model.linkCount }, (_, link) => {
    let offset = model.jointOffset[link]!;
    const terms: string[] = [];
    for (let k = model.termStart[link]!; k < model.termStart[link + 1]!; k++) {
      const dof = model.termDof[k]!;
      if (moving.has(dof)) terms.push(`${dofs.indexOf(dof)} ${model.termFactor[k]}`);
      else offset += model.termFactor[k]! * posture[dof]!;
    }
    const axis = [...model.jointAxis.subarray(3 * link, 3 * link + 3)];
    const place = [...model.parentFromJoint[link]!];
    return [model.parentLink[link], model.jointKind[link], ...place, ...axis, offset, terms.length, ...terms].join(" ");
  });
  const shapes = hulls.map((hull, k) => {
    const centre = [...bodies.localCenter.subarray(3 * k, 3 * k + 3)];
    return [hull.link, hull.radius, bodies.extent[k], ...centre, hull.points.length / 3, ...hull.points].join(" ");
  });
  const isMoved = (link: number): boolean => {
    for (let at = link; at > 0; at = model.parentLink[at]!) {
      if (model.termDof.subarray(model.termStart[at]!, model.termStart[at + 1]!).some((dof) => moving.has(dof)))
        return true;
    }
    return false;
  };
  const pairs = robot.pairs.filter(([a, b]) => isMoved(hulls[a]!.link) || isMoved(hulls[b]!.link));
  const bound = (limit: number) => Math.max(-2 * Math.PI, Math.min(2 * Math.PI, limit));
  return [
    `${dofs.length} ${links.length} ${shapes.length} ${pairs.length} ${MARGIN}`,
    ...links,
    ...shapes,
    ...pairs.map(([a, b]) => `${a} ${b}`),
    dofs.map((dof) => bound(model.lower[dof]!)).join(" "),
    dofs.map((dof) => bound(model.upper[dof]!)).join(" "),
    start.join(" "),
    goal.join(" "),
  ].join("\n");
}
