import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { assembleRobot } from "../robot/loading/assemble-robot.js";
import { parseOverlay, parseSidecar } from "../robot/loading/load-robot.js";
import { findRobotFile } from "../robot/loading/robot-folders.js";
import type { Robot } from "../robot/robot.js";
import type { Overlay } from "../robot/sidecar/overlay-schema.js";
import { parseUrdf } from "../robot/urdf/urdf.js";
import { FlycatcherError } from "../runtime/errors.js";
import { readJsonFile } from "../runtime/json-file.js";
import type { RecordedRobot } from "./recording.js";

/** All that a robot with a sidecar is made of, from its files: by its name, or the path of its `robot.json`. */
export function recordedRobotOf(nameOrPath: string, calibration: Overlay | null = null): RecordedRobot {
  const file = findRobotFile(nameOrPath);
  if (!file.endsWith(".json")) {
    throw new FlycatcherError("FLY_ROBOT_UNKNOWN", "a robot that is recorded needs a sidecar", {
      expected: "a robot.json, or the name of a robot",
      found: nameOrPath,
    });
  }
  const sidecar = parseSidecar(readJsonFile(file), file);
  const urdf = readFileSync(join(dirname(file), sidecar.urdf), "utf8");
  return { name: robotName(file), urdf, sidecar, calibration };
}

function robotName(file: string): string {
  return dirname(file).split(/[\\/]/).at(-1) ?? "robot";
}

/** The robot of a recording. What it was made of came with the file and is checked like any other input. */
export function buildRecordedRobot({ name, urdf, sidecar, calibration }: RecordedRobot): Robot {
  const overlays =
    calibration === null ? [] : [{ kind: "calibration" as const, overlay: parseOverlay(calibration, "calibration") }];
  return assembleRobot({ name, urdf: parseUrdf(urdf), sidecar: parseSidecar(sidecar, "the recording"), overlays });
}
