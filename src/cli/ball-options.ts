import type { Command } from "commander";
import { type Ball, defaultBall } from "../flight/ball.js";
import { describedBall, knownBall, knownBallNames } from "../flight/known-balls.js";
import { OWN_BALL } from "../runtime/config-schema.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { NamedSettings } from "./config-command.js";
import type { TextOptions } from "./terminal.js";

/** How a command says which ball it is. */
export type BallWords = TextOptions<"ball" | "ballDiameter" | "ballMass" | "ballDrag">;

/** In place of a ball's name: the size that stereo tells, where circles or images are recorded. */
export const AUTOMATIC = "auto";

/** The options that say which ball it is. */
export function addBallOptions(command: Command): Command {
  return command
    .option("--ball <name>", `a known ball: ${knownBallNames.join(", ")}`)
    .option("--ball-diameter <length>", "another diameter than that ball's [m]")
    .option("--ball-mass <mass>", "another mass [kg]")
    .option("--ball-drag <number>", "another drag [1/m]; default: of a smooth sphere, if size or mass are given");
}

/** The ball that is named or described; undefined: nothing is said of it. */
export function ballOf({ ball, ballDiameter, ballMass, ballDrag }: BallWords): Ball | undefined {
  const named = ball === undefined || ball === AUTOMATIC ? undefined : knownBall(ball);
  if (ballDiameter === undefined && ballMass === undefined && ballDrag === undefined) return named;
  const base = named ?? defaultBall;
  const diameter = positive("--ball-diameter", ballDiameter) ?? base.diameter;
  const mass = positive("--ball-mass", ballMass) ?? base.mass;
  return describedBall({ ...base, diameter, mass, drag: positive("--ball-drag", ballDrag) ?? 0 });
}

/** The same as settings of a run. */
export function ballSettings(words: BallWords): NamedSettings {
  const ball = words.ball === undefined ? undefined : knownName(words.ball);
  const { ballDiameter, ballMass, ballDrag } = words;
  const isNamed = ballDiameter === undefined && ballMass === undefined && ballDrag === undefined;
  if (isNamed) return { "ball.kind": ball };
  const own = Object.entries(ballOf(words)!).map(([key, value]) => [`ball.${key}`, String(value)]);
  return { "ball.kind": OWN_BALL, ...Object.fromEntries(own) };
}

/** Refused, if there is no such ball. */
function knownName(ball: string): string {
  knownBall(ball);
  return ball;
}

function positive(path: string, found: string | undefined): number | undefined {
  if (found === undefined) return undefined;
  const value = Number(found);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new FlycatcherError("FLY_BALL_OPTION", "there is no such ball", { path, expected: "a number above 0", found });
}
