import { gravity } from "../flight/ball.js";
import { degrees } from "../math/angle.js";
import { Random } from "../math/random.js";
import { biasForces } from "../robot/dynamics/inverse-dynamics.js";
import { massMatrix } from "../robot/dynamics/mass-matrix.js";
import { stateAt } from "../robot/kinematics/kinematics.js";
import { JointKind, type Robot } from "../robot/robot.js";
import type { SidecarJointLimit } from "../robot/sidecar/sidecar-schema.js";
import type { Decision } from "./decision.js";

/** Speed of a joint of which the URDF says nothing [rad/s, m/s], and its range [rad, m]. */
const ASSUMED_SPEED = { angle: 1.5, length: 0.25 };
const ASSUMED_RANGE = { angle: Math.PI, length: 0.5 };

/** Speeds and ranges that the URDF does not give. */
export function missingLimits({ model, urdf }: Robot): {
  limits: Record<string, SidecarJointLimit>;
  decisions: Decision[];
} {
  const limits: Record<string, SidecarJointLimit> = {};
  const guessed: string[] = [];
  const bounded = new Set(urdf.joints.flatMap(({ name, type }) => (/^(revolute|prismatic)$/.test(type) ? [name] : [])));
  for (const [dof, name] of model.dofNames.entries()) {
    const kind = model.jointKind[model.dofJoint[dof]!] === JointKind.revolute ? "angle" : "length";
    const [lower, upper, speed] = [model.lower[dof]!, model.upper[dof]!, model.maxVelocity[dof]!];
    const lacksRange = bounded.has(name) && !(Number.isFinite(lower) && Number.isFinite(upper));
    const limit: SidecarJointLimit = {
      ...(lacksRange && { lower: -ASSUMED_RANGE[kind], upper: ASSUMED_RANGE[kind] }),
      ...(!(speed > 0 && Number.isFinite(speed)) && { velocity: ASSUMED_SPEED[kind] }),
    };
    if (Object.keys(limit).length === 0) continue;
    limits[name] = limit;
    guessed.push(name);
  }
  const reason = `the URDF gives none: assumed ${degrees(ASSUMED_SPEED.angle).toFixed(0)}°/s or ${ASSUMED_SPEED.length} m/s; correct them in robot.json`;
  return {
    limits,
    decisions: guessed.length === 0 ? [] : [{ subject: "speeds", decision: guessed.join(", "), reason }],
  };
}

/** Random configurations in which torques are looked at. */
const CONFIGURATIONS = 64;
/** Torque in reserve, for what pushes the joint from elsewhere. */
const RESERVE = 0.7;
/** Of the configurations the tenth that has least. */
const QUANTILE = 0.1;
/** Full speed is reached no sooner and no later than this [s], and in that time where torques are not known. */
const SOONEST = 0.15;
const LATEST = 0.8;
const BY_RULE = 0.2;
/** Fingers are light [s]. */
const FINGERS = 0.05;

/** Accelerations of all joints without one: from torque and inertia, or by the rule. */
export function accelerations(
  robot: Robot,
  fingers: ReadonlySet<string>,
  seed: string,
): { values: Record<string, number>; decisions: Decision[] } {
  const { model } = robot;
  const possible = possibleAccelerations(robot, seed);
  const values: Record<string, number> = {};
  const byRule: string[] = [];
  const byTorque: string[] = [];
  for (const [dof, name] of model.dofNames.entries()) {
    if (Number.isFinite(model.maxAcceleration[dof]!)) continue;
    const speed = model.maxVelocity[dof]!;
    const torque = fingers.has(name) ? Number.NaN : possible[dof]!;
    const isKnown = torque > 0 && Number.isFinite(torque);
    const rule = speed / (fingers.has(name) ? FINGERS : BY_RULE);
    const value = isKnown ? Math.min(Math.max(torque, speed / LATEST), speed / SOONEST) : rule;
    values[name] = Number(value.toPrecision(3));
    if (!fingers.has(name)) (isKnown ? byTorque : byRule).push(name);
  }
  return { values, decisions: explained(values, byTorque, byRule) };
}

function explained(values: Readonly<Record<string, number>>, byTorque: string[], byRule: string[]): Decision[] {
  const list = (names: readonly string[]) => names.map((name) => `${name} ${values[name]}`).join(", ");
  const fromTorque = `${100 * RESERVE} % of what the URDF's torques leave beside gravity, over the inertia in ${CONFIGURATIONS} random postures; full speed in ${SOONEST} to ${LATEST} s`;
  const fromRule = `full speed in ${BY_RULE} s, because the URDF gives no torque limit or no inertia`;
  return [
    ...(byTorque.length === 0 ? [] : [{ subject: "accelerations", decision: list(byTorque), reason: fromTorque }]),
    ...(byRule.length === 0 ? [] : [{ subject: "accelerations", decision: list(byRule), reason: fromRule }]),
  ];
}

/** What the torque of each joint can do by itself, from rest, in all but the worst tenth of postures; NaN where unknown. */
function possibleAccelerations({ model }: Robot, seed: string): number[] {
  const n = model.dofCount;
  const random = new Random(seed);
  const found: number[][] = model.dofNames.map(() => []);
  for (let k = 0; k < CONFIGURATIONS; k++) {
    const q = model.lower.map((low, i) =>
      random.uniformIn(Math.max(low, -Math.PI), Math.min(model.upper[i]!, Math.PI)),
    );
    const state = stateAt(model, q);
    const inertia = massMatrix(state, new Float64Array(n * n));
    const held = biasForces(state, gravity(), new Float64Array(n));
    for (let i = 0; i < n; i++) {
      const effort = model.maxEffort[i]!;
      const own = inertia[i * n + i]!;
      if (effort > 0 && Number.isFinite(effort) && own > 1e-6) {
        found[i]!.push((RESERVE * (effort - Math.abs(held[i]!))) / own);
      }
    }
  }
  return found.map((values) => values.sort((a, b) => a - b)[Math.floor(QUANTILE * values.length)] ?? Number.NaN);
}
