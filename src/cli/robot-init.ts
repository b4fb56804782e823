import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { type KnownBall, knownBallNames, knownBalls } from "../flight/known-balls.js";
import { radians } from "../math/angle.js";
import { inspectRobot } from "../report/robot/inspect-robot.js";
import { RobotFiles } from "../robot/files/robot-files.js";
import { parseSidecar, readUrdf } from "../robot/loading/load-robot.js";
import { sidecarName } from "../robot/loading/robot-folders.js";
import type { Finding } from "../robot/report/finding.js";
import type { Sidecar } from "../robot/sidecar/sidecar-schema.js";
import { formatUrdf } from "../robot/urdf/format-urdf.js";
import { colour } from "../runtime/colours.js";
import { FlycatcherError } from "../runtime/errors.js";
import { type CatcherSize, catcherNames } from "../setup/catchers.js";
import { outAxes, type SetupChoices } from "../setup/setup-choices.js";
import { type SetupResult, type SetupSource, setupRobot } from "../setup/setup-robot.js";
import { cameraNames } from "../setup/tripods.js";
import { choiceOption } from "./choice-option.js";
import { convertRobot } from "./robot-convert.js";
import { type FileOptions, withFileOptions } from "./robot-file-options.js";
import { askChoices, terminalPrompt } from "./robot-init-questions.js";
import { collect, formatRows, ProgressBar, print } from "./terminal.js";

interface InitOptions extends FileOptions, Partial<CatcherSize> {
  readonly out?: string;
  readonly tip: readonly string[];
  readonly base?: string;
  readonly catcher: SetupChoices["catcher"];
  readonly axis?: NonNullable<SetupChoices["out"]>;
  readonly height?: number;
  readonly yaw: number;
  readonly cameras: SetupChoices["cameras"];
  readonly ball: KnownBall;
  readonly seed: string;
  readonly yes?: true;
  readonly force?: true;
  readonly json?: true;
}

/** `flycatcher robot init`: from a URDF to a robot that catches. */
export function registerInit(robot: Command): void {
  const command = robot
    .command("init")
    .description("Make a robot that catches out of a URDF: asks on a terminal, else takes flags and decides the rest.")
    .argument("<file>", "a .urdf, .xacro or MJCF .xml file")
    .option("-o, --out <folder>", "folder of the robot; its name is the robot's. Default: the URDF's robot name, here")
    .option("--tip <link>", "link at the end of an arm; repeatable, once for each arm", collect, [])
    .option("--base <link>", "link that the arm given by --tip is mounted on")
    .addOption(choiceOption("--catcher <kind>", "what catches", ["auto", "hand", ...catcherNames]).default("auto"))
    .option("--mouth <m>", "radius of the catcher's opening, or half its width", metres)
    .option("--depth <m>", "depth of the catcher", metres)
    .option("--handle <m>", "length between flange and catcher", metres)
    .option("--mass <kg>", "mass of the catcher", metres)
    .addOption(choiceOption("--axis <axis>", "way out of the flange in the tip link; default: found", outAxes))
    .option("--height <m>", "height of the URDF's root above the floor; default: found", metres)
    .option("--yaw <degrees>", "turn of the robot about the vertical; x ahead faces the thrower", degreesOf, 0)
    .addOption(choiceOption("--cameras <where>", "cameras that see the balls", cameraNames).default("none"))
    .addOption(choiceOption("--ball <kind>", "the ball it is to catch", knownBallNames).default("default"))
    .option("--seed <text>", "seed of everything that is searched at random", "init")
    .option("-y, --yes", "ask nothing")
    .option("--force", "replace files that are there")
    .option("--json", "print one JSON object; asks nothing")
    .addHelpText(
      "after",
      "\nExamples:\n  flycatcher robot init my-robot.urdf --catcher net -o my-robot" +
        "\n  flycatcher robot init my-robot.urdf.xacro --arg name=arm --catcher bucket --mouth 0.12 --yes",
    );
  withFileOptions(command).action((file: string, options: InitOptions) => runInit(file, options));
}

function metres(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError("Expected a number that is not negative.");
}

function degreesOf(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Math.abs(value) <= 360) return radians(value);
  throw new InvalidArgumentError("Expected degrees from -360 to 360.");
}

async function runInit(file: string, options: InitOptions): Promise<void> {
  const staging = mkdtempSync(join(tmpdir(), "flycatcher-init-"));
  try {
    await initFrom(file, staging, options);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Everything is made in a folder of its own first: what fails leaves nothing behind. */
async function initFrom(file: string, staging: string, options: InitOptions): Promise<void> {
  if (!existsSync(file)) throw new FlycatcherError("FLY_FILE_UNREADABLE", "there is no such file", { path: file });
  const source = await sourceOf(file, staging, options);
  const folder = options.out ?? source.name;
  refuseOverwriting(folder, source, options);
  const isAsked = process.stdin.isTTY === true && options.yes !== true && options.json !== true;
  const chosen = choicesOf(options);
  const choices = isAsked ? await askChoices(source, chosen, terminalPrompt()) : chosen;
  const bar = new ProgressBar("init");
  const result = setupRobot(source, choices, (work, share) => bar.show(share, work));
  const findings = inspectRobot({ ...result.robot, name: folder });
  bar.clear();
  write(folder, staging, source, result);
  print(options.json ? asJson(folder, result, findings) : asText(folder, result, findings));
  if (findings.some(({ severity }) => severity === "error")) process.exitCode = 1;
}

interface InitSource extends SetupSource {
  /** Whether the URDF stays where it is, in the folder that the sidecar goes to. */
  readonly isInPlace: boolean;
}

async function sourceOf(file: string, staging: string, options: InitOptions): Promise<InitSource> {
  const isInPlace =
    file.endsWith(".urdf") && options.out !== undefined && resolve(options.out) === dirname(resolve(file));
  if (isInPlace) {
    const { urdf, files } = readUrdf(file, { packages: options.packages ?? [] });
    return { name: basename(resolve(options.out ?? ".")), urdf, files, urdfFile: basename(file), isInPlace };
  }
  const { urdf, target } = await convertRobot(file, { ...options, out: staging });
  const name = basename(resolve(options.out ?? folderName(urdf.name)));
  return { name, urdf, files: new RobotFiles(target), urdfFile: basename(target), isInPlace };
}

/** A name for a folder, of what a robot is called. */
function folderName(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, "-").replace(/^[.-]+/, "");
  return plain === "" ? "robot" : plain.slice(0, 60);
}

function refuseOverwriting(folder: string, { isInPlace }: InitSource, { force }: InitOptions): void {
  if (force) return;
  const files = isInPlace ? [sidecarName] : [sidecarName, "robot.urdf"];
  const there = files.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (there === undefined) return;
  throw new FlycatcherError("FLY_SETUP_EXISTS", "there is a robot in this folder", { path: there });
}

function choicesOf(options: InitOptions): SetupChoices {
  const { tip, base = null, catcher, axis = null, height = null, yaw, cameras, ball, seed } = options;
  const sizes = (["mouth", "depth", "handle", "mass"] as const).filter((key) => options[key] !== undefined);
  const size: Partial<CatcherSize> = Object.fromEntries(sizes.map((key) => [key, options[key]]));
  return {
    tips: tip,
    base,
    catcher,
    size,
    out: axis,
    height,
    yaw,
    cameras,
    ballRadius: knownBalls[ball].diameter / 2,
    seed,
  };
}

function write(folder: string, staging: string, source: InitSource, { urdf, sidecar }: SetupResult): void {
  const hasChanged = urdf !== source.urdf;
  const written: Sidecar = source.isInPlace && hasChanged ? { ...sidecar, urdf: "robot.urdf" } : sidecar;
  parseSidecar(JSON.parse(JSON.stringify(written)));
  mkdirSync(folder, { recursive: true });
  if (!source.isInPlace) cpSync(staging, folder, { recursive: true });
  if (hasChanged) writeFileSync(join(folder, "robot.urdf"), formatUrdf(urdf));
  writeFileSync(join(folder, sidecarName), formatSidecar(written));
}

/** JSON with a line for each list of numbers or names, so that a person can read and change it. */
export function formatSidecar(sidecar: Sidecar): string {
  const text = JSON.stringify(sidecar, null, 2);
  const short = text.replace(/[[{][^[\]{}]*[\]}]/g, (part) => {
    const line = part.replace(/\s+/g, " ");
    return line.length <= 100 ? line : part;
  });
  const points = short.replace(/\[\s+((?:\[[^[\]]*\],?\s*)+)\]/g, (part) => {
    const line = part.replace(/\s+/g, " ");
    return line.length <= 100 ? line : part;
  });
  return `${points}\n`;
}

function asJson(folder: string, { decisions }: SetupResult, findings: readonly Finding[]): string {
  const ok = findings.every(({ severity }) => severity !== "error");
  return JSON.stringify({ robot: folder, ok, decisions, findings, files: [join(folder, sidecarName)] }, null, 2);
}

function asText(folder: string, { decisions }: SetupResult, findings: readonly Finding[]): string {
  const rows = decisions.map(({ subject, decision, reason }): [string, string] => {
    return [subject, `${decision}\n${" ".repeat(4)}${colour("secondary", reason)}`];
  });
  const errors = findings.filter(({ severity }) => severity === "error");
  const shown = relative(process.cwd(), resolve(folder)) || ".";
  const state =
    errors.length > 0
      ? errors.map(({ subject, sentence }) => `  ${colour("bad", "error")} ${subject}: ${sentence}`)
      : [`Next: ${colour("name", `flycatcher live --robot ${shown} --lockstep --throws 2`)}`];
  return [
    formatRows(rows),
    "",
    `${folder} written: ${errors.length} errors, ${findings.length - errors.length} warnings of \`flycatcher robot check ${shown}\``,
    ...state,
  ].join("\n");
}
