import { setTimeout as pause } from "node:timers/promises";
import { monotonicMs } from "../runtime/clock.js";
import type { StopLine } from "./stop-line.js";
import type { StopAnswer } from "./stop-report.js";

/** A stop is answered after this time at the latest [ms]; what the robot does is not known then. */
export const ANSWER_MS = 1000;
/** A braking command that was sent is answered by the robot in this time, or it is taken to be silent [ms]. */
const CONFIRM_MS = 100;
/** Period of the look at the line [ms]. */
const LOOK_MS = 1;

/** Waits until a stop has come as far as it will, and says how far. `arrivedMs` is when the request arrived, as of `monotonicMs`. */
export async function answerOf(
  line: StopLine,
  number: number,
  arrivedMs: number,
  nowMs: () => number = monotonicMs,
): Promise<StopAnswer> {
  const begun = nowMs();
  while (!isFinal(line, number, nowMs) && nowMs() < begun + ANSWER_MS) await pause(LOOK_MS);
  return describe(line, number, arrivedMs, nowMs);
}

function isFinal(line: StopLine, number: number, nowMs: () => number): boolean {
  const stage = line.reached(number);
  if (stage === "sent") return nowMs() > line.timeOf("sent") + CONFIRM_MS;
  return stage === "confirmed" || (stage === "braked" && !line.hasDriver);
}

function describe(line: StopLine, number: number, arrivedMs: number, nowMs: () => number): StopAnswer {
  const stage = line.reached(number);
  if (stage === "asked") {
    return { braked: null, detail: "Nothing was confirmed: control does not run, or does not lead the robot now." };
  }
  if (stage === "braked" && line.hasDriver) {
    return { braked: null, detail: "Control brakes, but its command has not left for the robot." };
  }
  const timeMs = line.timeOf(stage === "braked" ? "braked" : "sent");
  const braked = {
    at: performance.timeOrigin + performance.now() - (nowMs() - timeMs),
    afterMs: Math.max(0, timeMs - arrivedMs),
  };
  if (stage === "braked") {
    const detail = "Control commands the robot to brake; its driver does not say what it sends.";
    return { braked: { ...braked, confirmedBy: "control", confirmedAfterMs: null }, detail };
  }
  if (stage === "sent") {
    const detail = "A braking command was sent to the robot, which has not answered it.";
    return { braked: { ...braked, confirmedBy: "driver", confirmedAfterMs: null }, detail };
  }
  const confirmedAfterMs = Math.max(0, line.timeOf("confirmed") - arrivedMs);
  return {
    braked: { ...braked, confirmedBy: "robot", confirmedAfterMs },
    detail: "The robot has got a braking command.",
  };
}
