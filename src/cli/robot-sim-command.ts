import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { FrameKey } from "../control/udp/frame-key.js";
import { defaultBall } from "../flight/ball.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { requestRealTime, requestRealTimeFor, threadsOfProcess } from "../runtime/real-time-priority.js";
import { fullChallenges, noChallenges } from "../simulation/head-motion/challenges.js";
import { robotProtocols } from "../simulation/robot-sim/robot-ends.js";
import type { RobotSimReady } from "../simulation/robot-sim/robot-process.module.js";
import { RobotSim, type RobotSimOptions } from "../simulation/robot-sim/robot-sim.module.js";
import { addBallOptions, type BallWords, ballOf } from "./ball-options.js";
import { choiceOption } from "./choice-option.js";
import { HIGHEST_PORT, MOST_BALLS, wholeNumber } from "./terminal.js";

const challengesByName = { full: fullChallenges, none: noChallenges };

interface RobotSimCliOptions
  extends Omit<RobotSimOptions, "robot" | "challenges" | "ball" | "key" | "secret">,
    BallWords {
  readonly robot: string;
  readonly keyFile?: string;
  readonly challenges: keyof typeof challengesByName;
  readonly priority: number;
}

/** The key of the robot's protocol, if no file has it: an argument would show it to all users of the machine. */
export const KEY_VARIABLE = "FLYCATCHER_ROBOT_KEY";
const SECRET_SIZE = 24;

/** How long a simulated robot outlives the process that started it [ms]: long enough to come to rest. */
const ORPHANED_MS = 3000;

const examples = `
Examples:
  flycatcher robot-sim --port 7700
  flycatcher robot-sim --robot lwr-arm --port 7700 --challenges none
  flycatcher robot-sim --robot ur10e-net --protocol ur`;

/** `flycatcher robot-sim`: the simulated robot in a process of its own, served as a real one would be. */
export function registerRobotSimCommand(program: Command): void {
  addBallOptions(program.command("robot-sim"))
    .description(
      "Simulate a robot in real time and serve it over the cyclic UDP protocol, or as the controller of a maker does.",
    )
    .option("--robot <robot>", "robot to simulate", "agile-justin")
    .addOption(
      choiceOption(
        "--protocol <which>",
        "udp: cyclic UDP; ur: a controller of Universal Robots",
        robotProtocols,
      ).default("udp"),
    )
    .option("--host <address>", "address of the robot's protocol; any but a loopback address needs a key", "127.0.0.1")
    .option("--key-file <path>", `file with the key that frames are signed with; else ${KEY_VARIABLE}, else none`)
    .option(
      "--port <number>",
      "port of the robot's protocol; with ur RTDE's, and the next two are primary interface and dashboard; 0: any",
      wholeNumber(0, HIGHEST_PORT),
      0,
    )
    .option("--world-port <number>", "TCP port of the simulated world; 0: any", wholeNumber(0, HIGHEST_PORT), 0)
    .option("--seed <number>", "seed of noise and shaking", wholeNumber(0), 1)
    .option("--balls <number>", "largest number of balls at a time", wholeNumber(0, MOST_BALLS), 2)
    .option("--missed-cycles <number>", "cycles without a command after which the robot brakes", wholeNumber(0), 12)
    .addOption(
      choiceOption(
        "--challenges <which>",
        "full: elastic torso, slip, noise; none: a stiff robot with perfect sensors",
        Object.keys(challengesByName),
      ).default("full"),
    )
    .option("--priority <number>", "real-time priority (FIFO), if permitted; 0: normal priority", wholeNumber(0), 75)
    .addHelpText("after", examples)
    .action(robotSim);
}

async function robotSim(options: RobotSimCliOptions): Promise<void> {
  const { robot, challenges, keyFile, ...rest } = options;
  const ball = ballOf(options) ?? defaultBall;
  const secret = randomBytes(SECRET_SIZE).toString("base64url");
  const sim = await RobotSim.start({
    ...rest,
    ball,
    key: keyOf(keyFile),
    secret,
    robot: loadRobot(robot),
    challenges: challengesByName[challenges],
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => sim.stop());
  // The process that started us has gone when its end of the pipe is closed: the robot brakes, and then is not needed any more.
  if (process.channel !== undefined) process.on("disconnect", () => setTimeout(() => sim.stop(), ORPHANED_MS));
  const grant = options.priority > 0 ? requestRealTime(options.priority) : null;
  if (grant?.granted) requestRealTimeFor(threadsOfProcess(), options.priority);
  const { udp, world } = sim.ports;
  const link = `${sim.address}&secret=${secret}`;
  process.send?.({ udp, world, secret, link } satisfies RobotSimReady);
  process.stderr.write(`${robot} at ${link}\n`);
  if (grant !== null) process.stderr.write(`${grant.text}\n`);
  await sim.run();
}

function keyOf(file: string | undefined): FrameKey | null {
  const text = file === undefined ? process.env[KEY_VARIABLE] : readFileSync(file, "utf8").trim();
  return text === undefined || text === "" ? null : new FrameKey(text);
}
