/**
 * Draws the frames of Agile Justin in its posture `ready`, by the robot's own kinematics, into docs/images/frames.svg.
 *
 *   node dist/bench/pictures/frames.js
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pose } from "../../src/math/pose.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { RobotState } from "../../src/robot/state.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { Diagram, type Tone } from "./diagram.js";

const robot = loadRobot("agile-justin", { calibration: "none" });
const { model } = robot;
const state = new RobotState(model);
state.q.set(robot.postures.get("ready")!);
forwardKinematics(state);

/** Pixels a metre, and where the world's origin is. */
const SCALE = 250;
const ORIGIN = [150, 475] as const;
const AXIS_LENGTH = 0.15;
const axisTones: readonly Tone[] = ["orange", "green", "blue"];

/** An oblique view from the robot's right, a little from above: x to the right, y to the back, z up. */
function project(x: number, y: number, z: number): [number, number] {
  return [ORIGIN[0] + SCALE * (x + 0.42 * y), ORIGIN[1] - SCALE * (z + 0.26 * y)];
}

function poseOf(link: string): Pose {
  return state.worldFromLink[model.linkNames.indexOf(link)]!;
}

function originOf(link: string): [number, number] {
  const worldFromLink = poseOf(link);
  return project(worldFromLink[9]!, worldFromLink[10]!, worldFromLink[11]!);
}

const picture = new Diagram("The frames of Agile Justin in its posture ready", 860, 540);

function bones(links: readonly string[]): void {
  picture.line(links.map(originOf), "plain", 9);
}

function frame(link: string, title: string, words: string, [x, y]: readonly [number, number]): void {
  const worldFromLink = poseOf(link);
  const at = originOf(link);
  for (const [axis, tone] of axisTones.entries()) {
    const [px, py, pz] = [0, 1, 2].map((row) => worldFromLink[9 + row]! + AXIS_LENGTH * worldFromLink[3 * row + axis]!);
    picture.arrow([at, project(px!, py!, pz!)], tone);
  }
  picture.line([at, [x, y - 4]], "plain", 0.8, "2 3");
  picture.text(x + 5, y, title).note(x + 5, y + 16, words);
}

const arm = (side: string) => [
  ...[1, 2, 4, 6].map((k) => `${side}ArmLink${k}`),
  `${side}ArmFlange`,
  `${side}Hand`,
  `catch${side === "left" ? "Left" : "Right"}`,
];
bones(["chest", ...arm("left")]);
bones(["base", "torsoLink1", "torsoLink2", "torsoLink3", "chest", "neck", "head", "imu"]);
bones(["cameraLeft", "imu", "cameraRight"]);
bones(["chest", ...arm("right")]);
picture.line(
  [
    project(-0.35, -0.3, 0),
    project(0.35, -0.3, 0),
    project(0.35, 0.3, 0),
    project(-0.35, 0.3, 0),
    project(-0.35, -0.3, 0),
  ],
  "plain",
  3,
);

/** A ball that flies into the right hand, along the catch frame's z axis at its end. */
const hand = poseOf("catchRight");
const path = Array.from({ length: 30 }, (_, k) => {
  const s = (k / 29) * 0.6;
  return project(hand[9]! + s * hand[2]!, hand[10]! + s * hand[5]!, hand[11]! + s * hand[8]! - 0.25 * s * s);
});
picture.line(path, "violet", 1.6, "3 5").dot(...path.at(-1)!, 8, "violet");
picture.note(path.at(-1)![0] + 14, path.at(-1)![1] + 5, "ball");

frame(
  "base",
  "world, base",
  "world: fixed to the floor, z up; base: the platform, here at the world's origin",
  [300, 516],
);
frame("chest", "chest", "what the arms are mounted on", [440, 136]);
frame("head", "head", "carries cameras and IMU", [440, 80]);
frame("cameraRight", "camera optical frame", "z forward, x right, y down in the image", [440, 26]);
frame("catchRight", "catch frame", "middle of the open hand; z against the flying ball", [440, 300]);

picture.text(720, 392, "axes");
for (const [k, [axis, tone]] of (
  [
    ["x", "orange"],
    ["y", "green"],
    ["z", "blue"],
  ] as const
).entries()) {
  picture
    .arrow(
      [
        [720 + 44 * k, 412],
        [746 + 44 * k, 412],
      ],
      tone,
    )
    .note(728 + 44 * k, 430, axis);
}
writeFileSync(join(packageRoot, "docs", "images", "frames.svg"), picture.render());
