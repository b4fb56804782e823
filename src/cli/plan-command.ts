import type { Command } from "commander";
import { exampleRequest } from "../planning/request/example-request.js";
import { LoadedRobots } from "../planning/request/loaded-robots.js";
import { Planner } from "../planning/request/plan-catch.js";
import { standardSettings } from "../planning/request/planner-settings.js";
import { assertPlanRequest } from "../planning/request/request.js";
import { FlycatcherError } from "../runtime/errors.js";
import { readJsonFile } from "../runtime/json-file.js";
import { choiceOption } from "./choice-option.js";
import { formatPlan } from "./plan-text.js";
import { print } from "./terminal.js";

interface PlanOptions {
  /** Name of the robot, or true where none is given. */
  readonly example?: string | true;
  readonly json?: true;
  readonly solver: "sqp" | "nlopt";
}

const examples = `
Examples:
  flycatcher plan data/requests/lwr-arm.json
  flycatcher plan data/requests/unreachable.json
  flycatcher plan --example panda
  flycatcher plan --example lwr-arm | flycatcher plan - --json`;

/** `flycatcher plan`: one catch, from a file or from the standard input. */
export function registerPlanCommand(program: Command): void {
  program
    .command("plan")
    .description("Plan a catch: where, when and how, or why not. A ball that cannot be caught is a normal answer.")
    .argument("[request]", "file with the request as JSON, or - for the standard input")
    .option("--example [robot]", "print an example request for this robot, and plan nothing")
    .option("--json", "print the answer as JSON")
    .addOption(choiceOption("--solver <name>", "what solves the optimisation", ["sqp", "nlopt"]).default("sqp"))
    .addHelpText("after", examples)
    .action(async (file: string | undefined, options: PlanOptions, command: Command) => {
      if (options.example !== undefined) print(formatExample(options.example));
      else if (file === undefined) command.error("error: no request; give a file, - or --example");
      else print(await plan(file, options));
    });
}

function formatExample(robot: string | true): string {
  return formatRequest(exampleRequest(new LoadedRobots().get(robot === true ? standardSettings.robot : robot)));
}

/** JSON with lists of numbers on one line. */
function formatRequest(value: object): string {
  return JSON.stringify(value, null, 2).replace(/\[[-+\d.e,\s]+\]/g, (list) =>
    list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]"),
  );
}

async function plan(file: string, { json, solver }: PlanOptions): Promise<string> {
  const request = await readRequest(file);
  assertPlanRequest(request);
  const robots = new LoadedRobots();
  const planner = new Planner({ robots, solver });
  await planner.prepare(request);
  const answer = planner.plan(request);
  if (json) return JSON.stringify(answer, null, 2);
  const { velocityScale = 1, accelerationScale = 1 } = request.limits ?? {};
  const robot = robots.get(request.robot ?? standardSettings.robot);
  return formatPlan(answer, robot, { velocity: velocityScale, acceleration: accelerationScale });
}

export async function readRequest(file: string): Promise<unknown> {
  if (file !== "-") return readJsonFile(file);
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `The standard input is not JSON: ${(cause as Error).message}`;
    throw new FlycatcherError("FLY_JSON_MALFORMED", message, {}, { cause });
  }
}
