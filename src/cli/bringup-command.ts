import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import { loadRobot } from "../robot/loading/load-robot.js";
import { findRobotFile } from "../robot/loading/robot-folders.js";
import type { PerceptionKind } from "../run/graph.js";
import { realTimeDefaults } from "../run/real-time-options.js";
import { runSettingsOf } from "../run/run-settings.js";
import type { Config } from "../runtime/config-schema.js";
import { FlycatcherError } from "../runtime/errors.js";
import { packageRoot } from "../runtime/package-root.js";
import { bringUp } from "../setup/bringup/bringup.js";
import { type BringupProtocol, protocolText, withoutSecret } from "../setup/bringup/bringup-protocol.js";
import type { BringupOperator, BringupSettings, BringupSite } from "../setup/bringup/bringup-step.js";
import { bringupSteps } from "../setup/bringup/steps.js";
import { StopLine } from "../transport/stop-line.js";
import { FlagOperator, TerminalOperator } from "./bringup-operator.js";
import { TerminalWatch } from "./bringup-watch.js";
import { choiceOption } from "./choice-option.js";
import { ExitCode } from "./cli-command.js";
import { configFrom } from "./config-command.js";
import { linkSettings } from "./link-settings.js";
import { perceptionKind, perceptionKinds } from "./live-world.js";
import { collect, interruption, print, wholeNumber } from "./terminal.js";

interface BringupOptions {
  readonly robot?: string;
  readonly robotAddress?: readonly string[];
  readonly set: readonly string[];
  readonly out?: string;
  readonly perception?: PerceptionKind;
  readonly arm?: true;
  readonly enable?: true;
  readonly confirmed?: true;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly ceiling: number;
  readonly listen: number;
  readonly throws: number;
  readonly until?: string;
  readonly json?: true;
}

const examples = `
Examples:
  flycatcher bringup default --robot robots/my-ur10e --robot-address "ur://192.168.1.10?listen=192.168.1.2"
  flycatcher bringup my-lab.json --dry-run
  flycatcher bringup my-lab.json --arm --ceiling 0.5

Nothing moves without --arm, and then not before ENABLE was typed for each step. Both come in addition to the robot's own enabling
device and emergency stop, never instead of them.`;

const overlayName = "calibration.json";
/** After Ctrl-C: the robot brakes first [ms]. */
const BRAKING_MS = 700;

/** `flycatcher bringup`: walks a person through the first connection of a robot, up to its first catches. */
export function registerBringupCommand(program: Command): void {
  program
    .command("bringup <profile>")
    .description(
      "Bring a robot up step by step: connect read only, compare, measure, small motions, brakes, first catches. Keeps a protocol file.",
    )
    .option("--robot <robot>", "robot, in a folder of your own if it is to move; default: the profile's")
    .option("--robot-address <address>", "where it is, as for `live`; may be repeated", collect)
    .option("--set <key=value>", "a single setting, as in ur.gain=1000; may be repeated", collect, [])
    .option("--out <folder>", "folder for protocol and recordings; default: bringup-<robot>")
    .addOption(choiceOption("--perception <kind>", "how balls are seen, as for `live`", perceptionKinds))
    .option("--arm", "the robot may be moved, each step after an explicit enable")
    .option("--enable", "without a terminal: the explicit enable of all steps")
    .option("--confirmed", "without a terminal: a person has looked, and says yes to all questions")
    .option("--yes", "both, for a simulated robot with its simulated world alone")
    .option("--dry-run", "only what commands nothing, up to a catch that is planned and shown")
    .option("--ceiling <share>", "largest share of the speed limits", shareOf, 1)
    .option("--listen <seconds>", "how long states are listened to", wholeNumber(1, 600), 5)
    .option("--throws <number>", "balls of each step of catches", wholeNumber(1, 100), 3)
    .option("--until <step>", "end after this step, as in timing or brakes")
    .option("--json", "print the protocol as one JSON object; asks nothing")
    .addHelpText("after", examples)
    .action(bringup);
}

function shareOf(text: string): number {
  const share = Number(text);
  if (share > 0 && share <= 1) return share;
  throw new InvalidArgumentError("Expected a number above 0, at most 1.");
}

async function bringup(profile: string, options: BringupOptions, command: Command): Promise<void> {
  const { robot, robotAddress, set } = options;
  const config = configFrom({ profile, set }, { robot, drivers: robotAddress?.join(",") });
  const steps = stepsOf(options, command);
  const settings = settingsOf(config, options);
  if (options.yes && !(settings.run.address !== undefined && settings.run.address.world > 0)) {
    throw new FlycatcherError("FLY_BRINGUP_UNATTENDED", "--yes is for simulated robots", { path: "--yes" });
  }
  mkdirSync(settings.folder, { recursive: true });
  const operator = operatorOf(options);
  const site: BringupSite = {
    ...{ settings, operator, devices: [] },
    openWatch: settings.isArmed ? watchOpener(config, operator) : null,
    robot: () => loadRobot(settings.robot),
  };
  const protocol = await bringUp(steps, site, {
    robot: config.robot,
    addresses: config.drivers.map(withoutSecret),
    now: () => new Date().toISOString(),
    keep: (kept) => keep(settings.folder, kept),
  });
  operator.close();
  if (options.json) print(JSON.stringify(protocol, null, 2));
  else print(`\nProtocol: ${join(settings.folder, "protocol.md")}`);
  const isGood = protocol.steps.every(({ verdict }) => verdict !== "failed");
  process.exitCode = isGood ? ExitCode.done : ExitCode.failed;
}

/** Opens watches, whose runs brake first when the command is interrupted. */
function watchOpener(config: Config, operator: BringupOperator): NonNullable<BringupSite["openWatch"]> {
  const lines: StopLine[] = [];
  void interruption(() => {
    for (const line of lines) line.ask();
    void pause(BRAKING_MS).then(() => process.exit(ExitCode.failed));
  });
  return async (stopLine) => {
    lines.push(new StopLine(stopLine));
    const watch = await TerminalWatch.open(config, stopLine);
    const { address, heartbeatMs } = watch;
    operator.say(`  Any request to ${address} stops the robot; so does ${heartbeatMs} ms without this terminal.`);
    return watch;
  };
}

function stepsOf({ until, dryRun }: BringupOptions, command: Command) {
  const last = until === undefined ? bringupSteps.length - 1 : bringupSteps.findIndex(({ name }) => name === until);
  if (last < 0) command.error(`error: --until: one of ${bringupSteps.map(({ name }) => name).join(", ")}`);
  return bringupSteps.slice(0, last + 1).filter(({ moves }) => !moves || !dryRun);
}

function operatorOf({ yes, confirmed, enable, json }: BringupOptions): BringupOperator & { close(): void } {
  const isTerminal = process.stdin.isTTY === true && yes !== true && json !== true;
  if (isTerminal) return new TerminalOperator();
  const answers = { confirmed: yes === true || confirmed === true, enabled: yes === true || enable === true };
  const say = json ? () => undefined : print;
  return new FlagOperator(yes === true ? "unattended" : "person", answers, say);
}

function settingsOf(config: Config, options: BringupOptions): BringupSettings {
  const { dryRun, ceiling, listen, throws, out, perception } = options;
  const isArmed = options.arm === true && dryRun !== true;
  const link = linkSettings(config);
  const { drivers = [], ...reached } = link;
  if (drivers.length === 0) {
    throw new FlycatcherError("FLY_BRINGUP_ROBOT", "the robot has no driver", {
      ...{ path: "--robot-address", expected: "ur://host or the path of a driver's module" },
      found: config.drivers.join(", ") || "none",
    });
  }
  const folder = dirname(resolve(findRobotFile(config.robot)));
  const isShipped = !relative(join(packageRoot, "data"), folder).startsWith("..");
  if (isArmed && isShipped) {
    throw new FlycatcherError("FLY_BRINGUP_ROBOT", "what is found about a shipped robot has nowhere to go", {
      ...{ path: "--robot", expected: "a robot in a folder of your own: a copy will do", found: config.robot },
    });
  }
  return {
    ...{ robot: config.robot, drivers, isArmed, ceiling, throws, listenSeconds: listen },
    folder: resolve(out ?? `bringup-${config.robot.replace(/[^\w.-]+/g, "-").replace(/^[-.]+/, "")}`),
    overlay: join(folder, overlayName),
    run: {
      ...realTimeDefaults,
      ...runSettingsOf(config),
      ...reached,
      perception: perceptionKind(perception, loadRobot(config.robot)),
      seed: config.run.seed,
    },
  };
}

function keep(folder: string, protocol: BringupProtocol): void {
  writeFileSync(join(folder, "protocol.json"), `${JSON.stringify(protocol, null, 2)}\n`);
  writeFileSync(join(folder, "protocol.md"), protocolText(protocol));
}
