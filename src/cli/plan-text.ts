import type { PlanAnswer, RampDescription } from "../planning/request/answer.js";
import { JointKind, type Robot } from "../robot/robot.js";
import { colour } from "../runtime/colours.js";
import { formatTable } from "./terminal.js";
import { edgeFor, peakSpeed, plotVelocity } from "./velocity-plot.js";

/** Shares of the limits that the request left to the planner. */
interface LimitScales {
  readonly velocity: number;
  readonly acceleration: number;
}

/** A plan for people: what, where, when, and how each joint moves. */
export function formatPlan(answer: PlanAnswer, robot: Robot, scales: LimitScales): string {
  const { catch: caught, ramps } = answer;
  if (caught === undefined || ramps === undefined) return [headline(answer), "", ...reasonLines(answer)].join("\n");
  const joints = ramps.map((ramp) => jointOf(robot, ramp, scales));
  const header = ["joint", "from", "to", "peak speed", "", "acceleration", "", "peak torque", ""];
  const table = formatTable(header, joints.map(jointRow));
  return [headline(answer), "", ...factLines(answer, caught), "", table, "", ...plotLines(joints)].join("\n");
}

function plotLines(joints: readonly PlannedJoint[]): string[] {
  const until = Math.max(...joints.map(({ ramp }) => ramp.T));
  const edge = edgeFor(Math.max(...joints.map(({ ramp, maxVelocity }) => peakSpeed(ramp) / maxVelocity)));
  const name = Math.max(...joints.map(({ ramp }) => ramp.joint.length));
  const limits = edge === 1 ? "the joints' limits" : `${(100 * edge).toFixed(0)} % of the joints' limits`;
  return [
    `speeds over ${until.toFixed(3)} s; the edges are 0 and ${limits}`,
    ...joints.flatMap(({ ramp, maxVelocity }) => {
      const [upper, lower] = plotVelocity(ramp, edge * maxVelocity, until);
      return [`${ramp.joint.padEnd(name)} ${upper}`, `${"".padEnd(name)} ${lower}`];
    }),
  ];
}

function headline({ robot, group, mode, status, statistics }: PlanAnswer): string {
  const { milliseconds, starts, iterations, solver } = statistics;
  const effort = `${starts} starts, ${iterations} iterations of ${solver}`;
  const found = colour(status === "solved" ? "good" : "doubtful", status);
  return `${robot} ${group}, ${mode}: ${found} in ${milliseconds.toFixed(1)} ms ${colour("secondary", `(${effort})`)}`;
}

function reasonLines({ reasons = [] }: PlanAnswer): string[] {
  const width = Math.max(...reasons.map(({ kind }) => kind.length));
  return reasons.map(({ kind, sentence }) => `  ${colour("doubtful", kind.padEnd(width))}  ${sentence}`);
}

function factLines(answer: PlanAnswer, caught: NonNullable<PlanAnswer["catch"]>): string[] {
  const { time, arrival, handPosition, ballVelocity } = caught;
  const waits = time - arrival > 1e-9 ? `, the hand is there at ${arrival.toFixed(3)} s` : "";
  const speed = Math.hypot(...ballVelocity);
  const slope = (180 / Math.PI) * Math.asin(-ballVelocity[2]! / speed);
  const { clearance, successProbability, covariance, objective, body, verified = [] } = answer;
  const facts: [string, string | undefined][] = [
    ["catch", `at ${time.toFixed(3)} s${waits}`],
    ["hand", `at ${handPosition.map((value) => value.toFixed(3)).join(", ")} m in the world`],
    ["ball", `${speed.toFixed(2)} m/s, falling at ${slope.toFixed(0)}°`],
    ["body", bodyText[body]],
    ["objective", objective?.toPrecision(5)],
    [
      "clearance",
      clearance === undefined ? undefined : `${(100 * clearance).toFixed(1)} cm to the nearest keep-out shape`,
    ],
    [
      "success",
      successProbability === undefined
        ? undefined
        : `${(100 * successProbability).toFixed(1)} % by the covariance ${covariance}`,
    ],
    ["verified", verified.join(", ")],
  ];
  return facts.flatMap(([fact, text]) =>
    text === undefined ? [] : [`${colour("secondary", fact.padEnd(10))} ${text}`],
  );
}

const bodyText: Readonly<Record<PlanAnswer["body"], string | undefined>> = {
  none: undefined,
  moved: "torso and base help",
  stayed: "torso and base stay",
};

interface PlannedJoint {
  readonly ramp: RampDescription;
  readonly maxVelocity: number;
  readonly maxAcceleration: number;
  readonly unit: "rad" | "m";
}

function jointOf({ model }: Robot, ramp: RampDescription, scales: LimitScales): PlannedJoint {
  const dof = model.dofNames.indexOf(ramp.joint);
  return {
    ramp,
    maxVelocity: model.maxVelocity[dof]! * scales.velocity,
    maxAcceleration: model.maxAcceleration[dof]! * scales.acceleration,
    unit: model.jointKind[model.dofJoint[dof]!] === JointKind.prismatic ? "m" : "rad",
  };
}

function jointRow({ ramp, maxVelocity, maxAcceleration, unit }: PlannedJoint): string[] {
  const { joint, q0, q, a, peakTorque, torqueRatio } = ramp;
  const speed = peakSpeed(ramp);
  return [
    joint,
    q0.toFixed(3),
    `${q.toFixed(3)} ${unit}`,
    `${speed.toFixed(2)} ${unit}/s`,
    percent(speed / maxVelocity),
    `${Math.abs(a).toFixed(2)} ${unit}/s²`,
    percent(Math.abs(a) / maxAcceleration),
    `${peakTorque.toFixed(1)} ${unit === "m" ? "N" : "N·m"}`,
    torqueRatio === undefined ? "" : percent(torqueRatio),
  ];
}

/** Of a limit; what is above it is marked. */
function percent(share: number): string {
  const text = `${(100 * share).toFixed(0)} %`;
  return share > 1.001 ? colour("bad", `${text} !`) : text;
}
