import { type Command, InvalidArgumentError } from "commander";
import { makeHullsDefaults } from "../collision/making/make-hulls.js";
import { type ConvertOptions, runConvert } from "./robot-convert.js";
import { withFileOptions } from "./robot-file-options.js";
import { type HullsOptions, runHulls } from "./robot-hulls.js";
import { type InertiaOptions, runInertia } from "./robot-inertia.js";

const robotArgument = "a shipped robot's name, a folder with robot.json, a robot.json, a .urdf or a .xacro file";

/** `flycatcher robot hulls|inertia|convert`: what is made from a robot's files. */
export function registerRobotFileCommands(robot: Command): void {
  withFileOptions(robot.command("hulls"))
    .description("Make collision bodies that contain the shapes and meshes of a robot, and show their volume.")
    .argument("<robot>", robotArgument)
    .option("--points <n>", "most points of a body", wholeNumber(1, 64), makeHullsDefaults.maxPoints)
    .option("--pieces <n>", "most bodies of a mesh", wholeNumber(1, 16), makeHullsDefaults.maxPieces)
    .option("--json", "print one JSON object")
    .option("--write", "write the bodies into robot.json next to the URDF")
    .addHelpText(
      "after",
      "\nExamples:\n  flycatcher robot hulls my-robot.urdf\n  flycatcher robot hulls my-robot.urdf --packages ~/ros/src --write",
    )
    .action((name: string, options: HullsOptions) => runHulls(name, options));
  withFileOptions(robot.command("inertia"))
    .description("Print <inertial> elements computed from the meshes, for links that lack mass or inertia.")
    .argument("<robot>", robotArgument)
    .option("--density <kg/m³>", "density where the URDF gives no mass", positiveNumber, 2000)
    .option("--all", "for links with an inertia of their own, too")
    .addHelpText("after", "\nExample:\n  flycatcher robot inertia my-robot.urdf --density 1200")
    .action((name: string, options: InertiaOptions) => runInertia(name, options));
  withFileOptions(robot.command("convert"))
    .description("Expand xacro, or convert MJCF, into a folder with a URDF and its meshes.")
    .argument("<file>", "a .urdf, .xacro or MJCF .xml file")
    .requiredOption("--out <folder>", "folder to write to; made if there is none")
    .addHelpText(
      "after",
      "\nExamples:\n  flycatcher robot convert my-robot.urdf.xacro --arg name=value --out my-arm" +
        "\n  flycatcher robot convert my-robot.xml --out my-arm",
    )
    .action((file: string, options: ConvertOptions) => runConvert(file, options));
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (value > 0 && value < 1e6) return value;
  throw new InvalidArgumentError("Expected a positive number.");
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}
