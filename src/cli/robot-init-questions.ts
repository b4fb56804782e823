import { createInterface } from "node:readline/promises";
import { assembleRobot } from "../robot/loading/assemble-robot.js";
import { emptySidecar } from "../robot/loading/load-robot.js";
import { type CatcherName, type CatcherSize, catcherKinds, catcherNames, sizeBounds } from "../setup/catchers.js";
import { findArms } from "../setup/find-arms.js";
import type { SetupChoices } from "../setup/setup-choices.js";
import type { SetupSource } from "../setup/setup-robot.js";
import { tipFrameOf } from "../setup/tip-frame.js";
import { type CameraChoice, cameraNames } from "../setup/tripods.js";
import { print } from "./terminal.js";

/** Asks a person: prints a question, gives the line that was typed. */
export interface Prompt {
  ask(question: string): Promise<string>;
  say(line: string): void;
  close(): void;
}

export function terminalPrompt(): Prompt {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  return { ask: (question) => lines.question(question), say: print, close: () => lines.close() };
}

/** The choices with what a person answers; an empty line takes the default, which is shown. */
export async function askChoices(source: SetupSource, given: SetupChoices, prompt: Prompt): Promise<SetupChoices> {
  try {
    const tips = given.tips.length > 0 ? given.tips : await askTips(source, prompt);
    const catcher = given.catcher !== "auto" ? given.catcher : await askCatcher(prompt);
    const isAdded = catcher !== "hand" && catcher !== "auto";
    const size = isAdded ? await askSize(catcher, given.size, prompt) : given.size;
    const heights = { low: 0, high: 3, what: "height of the robot's base above the floor [m]; empty: found" };
    const height = given.height ?? (await askNumber(heights, null, prompt));
    const cameras = given.cameras !== "none" ? given.cameras : await askCameras(prompt);
    return { ...given, tips, catcher, size, height, cameras };
  } finally {
    prompt.close();
  }
}

/** The tip links: those found, or others. */
async function askTips(source: SetupSource, prompt: Prompt): Promise<readonly string[]> {
  const robot = assembleRobot({ ...source, sidecar: emptySidecar(source.urdfFile) });
  const { model } = robot;
  const arms = findArms(model, source.urdf);
  const found = arms.map((arm) => model.linkNames[tipFrameOf(robot, arm).link]!);
  for (const [i, { dofs }] of arms.entries()) {
    prompt.say(`arm with ${dofs.length} joints: ${dofs.map((dof) => model.dofNames[dof]).join(", ")}; tip ${found[i]}`);
  }
  for (;;) {
    const answer = (await prompt.ask(`tip links of the arms, with commas between (${found.join(", ")}): `)).trim();
    if (answer === "") return [];
    const tips = answer.split(",").map((name) => name.trim());
    const unknown = tips.find((name) => !model.linkNames.includes(name));
    if (unknown === undefined) return tips;
    prompt.say(`There is no link ${unknown}. Links: ${model.linkNames.join(", ")}`);
  }
}

async function askCatcher(prompt: Prompt): Promise<SetupChoices["catcher"]> {
  const kinds = ["auto", "hand", ...catcherNames] as const;
  prompt.say("auto: the URDF's hand if a ball goes into it, else a net");
  prompt.say("hand: the hand or catcher that the URDF has");
  for (const name of catcherNames) prompt.say(`${name}: ${catcherKinds[name].description}`);
  for (;;) {
    const answer = (await prompt.ask("catcher (auto): ")).trim();
    if (answer === "") return "auto";
    const kind = kinds.find((name) => name === answer);
    if (kind !== undefined) return kind;
    prompt.say(`One of ${kinds.join(", ")}, please.`);
  }
}

async function askCameras(prompt: Prompt): Promise<CameraChoice> {
  prompt.say("none: balls are seen as points of motion capture");
  prompt.say("tripods: two cameras that stand behind the robot");
  for (;;) {
    const answer = (await prompt.ask("cameras (none): ")).trim();
    const kind = cameraNames.find((name) => name === (answer === "" ? "none" : answer));
    if (kind !== undefined) return kind;
    prompt.say(`One of ${cameraNames.join(", ")}, please.`);
  }
}

const sizeWords: Readonly<Record<keyof CatcherSize, string>> = {
  mouth: "radius of its opening, or half its width [m]",
  depth: "depth [m]",
  handle: "length between flange and catcher [m]",
  mass: "mass [kg]",
};

async function askSize(kind: CatcherName, given: Partial<CatcherSize>, prompt: Prompt): Promise<Partial<CatcherSize>> {
  const size: Partial<Record<keyof CatcherSize, number>> = { ...given };
  for (const key of Object.keys(sizeWords) as (keyof CatcherSize)[]) {
    if (size[key] !== undefined) continue;
    const [low, high] = sizeBounds[key];
    size[key] = (await askNumber({ low, high, what: sizeWords[key] }, catcherKinds[kind].size[key], prompt))!;
  }
  return size;
}

interface Wanted {
  readonly what: string;
  readonly low: number;
  readonly high: number;
}

async function askNumber({ what, low, high }: Wanted, usual: number | null, prompt: Prompt): Promise<number | null> {
  for (;;) {
    const answer = (await prompt.ask(`${what}${usual === null ? "" : ` (${usual})`}: `)).trim();
    if (answer === "") return usual;
    const value = Number(answer);
    if (value >= low && value <= high) return value;
    prompt.say(`A number from ${low} to ${high}, please.`);
  }
}
