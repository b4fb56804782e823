import type { PlanRequest } from "../../../src/planning/request/request.js";
import type { CatchMode } from "../controls/mode-words.js";
import type { Launch } from "../scene/launch-arrow.js";

/** What is to be planned on the playground. */
export interface Problem {
  readonly robot: string;
  /** An arm, or `any`. */
  readonly group: string;
  readonly posture: string;
  /** Joints that stand elsewhere than in the posture, by name [rad or m]. */
  readonly joints: Readonly<Record<string, number>>;
  readonly ball: Launch;
  /** How long the ball has been flying when the arm can begin to move [s]. */
  readonly seenFor: number;
  readonly body: "none" | "rule";
  /** Share of the joints' speeds and accelerations that may be used. */
  readonly limits: number;
}

/** What is asked of the service. Fields at their defaults are left out: what is copied is then short. */
export function requestOf(problem: Problem, mode: CatchMode): PlanRequest {
  const { robot, group, posture, joints, ball, seenFor, body, limits } = problem;
  const start = {
    ...(posture !== "ready" && { posture }),
    ...(Object.keys(joints).length > 0 && { position: { ...joints } }),
  };
  return {
    robot,
    ...(group !== "any" && { group }),
    mode,
    ball: { state: { time: -seenFor, position: rounded(ball.position), velocity: rounded(ball.velocity) } },
    ...(Object.keys(start).length > 0 && { start }),
    ...(body !== "none" && { body }),
    ...(limits !== 1 && { limits: { velocityScale: limits, accelerationScale: limits } }),
  };
}

function rounded([x, y, z]: readonly [number, number, number]): [number, number, number] {
  const round = (value: number): number => Math.round(1e3 * value) / 1e3;
  return [round(x), round(y), round(z)];
}

/** The same request for a shell. */
export function asCurl(request: PlanRequest, origin: string): string {
  const json = JSON.stringify(request).replaceAll("'", "'\\''");
  return `curl ${origin}/v1/plan -H 'content-type: application/json' -d '${json}'`;
}

/** The same request for a program. */
export function asTypeScript(request: PlanRequest): string {
  const json = JSON.stringify(request, null, 2).replace(/"(\w+)":/g, "$1:");
  return `import { planCatch } from "flycatcher";\n\nconst answer = planCatch(${json});\nconsole.log(answer.status, answer.catch?.time, answer.reasons);\n`;
}
