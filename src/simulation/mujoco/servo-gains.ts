import { massMatrix } from "../../robot/dynamics/mass-matrix.js";
import { stateAt } from "../../robot/kinematics/kinematics.js";
import type { Robot, RobotModel } from "../../robot/robot.js";
import type { SidecarSimulation } from "../../robot/sidecar/sidecar-simulation.js";

type ServoSettings = NonNullable<SidecarSimulation["servo"]>;

/** A servo of 20 Hz, critically damped, where a sidecar says nothing. */
const defaultServo = { bandwidthHz: 20, dampingRatio: 1 } as const;

/** Smallest inertia a servo is laid out for [kg·m² or kg]: a joint without any mass behind it. */
const LEAST_INERTIA = 1e-4;

/**
 * The position servo of each dof: force = stiffness·(q_set − q) + damping·(q̇_set − q̇) + inertia·q̈_set + what holds the
 * arm against gravity and its own motion. Arrays in model order. [dofCount]
 */
export interface ServoGains {
  /** [N·m/rad or N/m] */
  readonly stiffness: Float64Array;
  /** [N·m·s/rad or N·s/m] */
  readonly damping: Float64Array;
  /** Rotor inertia at the joint [kg·m² or kg]. */
  readonly armature: Float64Array;
  /** What the servo takes the dof's inertia for, rotor included, whatever the posture [kg·m² or kg]. */
  readonly inertia: Float64Array;
}

/**
 * Servos from the sidecar's `simulation` block. Where it gives a bandwidth f and a damping ratio ζ, the stiffness is
 * I·(2πf)² and the damping 2ζ·I·2πf with I the dof's inertia in `posture`: each joint is laid out by itself, as robots'
 * servos are, and the coupling between joints is what remains of the tracking error.
 */
export function servoGains(robot: Robot, posture: Float64Array): ServoGains {
  const { model, sidecar } = robot;
  const masses = inertiasOf(model, posture);
  const n = model.dofCount;
  const gains = {
    stiffness: new Float64Array(n),
    damping: new Float64Array(n),
    armature: new Float64Array(n),
    inertia: new Float64Array(n),
  };
  for (let i = 0; i < n; i++) {
    const servo = settingsOf(sidecar.simulation, model.dofNames[i]!);
    const armature = servo.armature ?? 0;
    const inertia = Math.max(LEAST_INERTIA, masses[i]! + armature);
    const frequency = 2 * Math.PI * (servo.bandwidthHz ?? defaultServo.bandwidthHz);
    const stiffness = servo.stiffness ?? inertia * frequency ** 2;
    const ratio = servo.dampingRatio ?? defaultServo.dampingRatio;
    gains.stiffness[i] = stiffness;
    gains.damping[i] = servo.damping ?? 2 * ratio * Math.sqrt(stiffness * inertia);
    gains.armature[i] = armature;
    gains.inertia[i] = inertia;
  }
  return gains;
}

function settingsOf(simulation: SidecarSimulation | undefined, joint: string): ServoSettings {
  return simulation?.jointServos?.[joint] ?? simulation?.servo ?? defaultServo;
}

/** Diagonal of the mass matrix. */
function inertiasOf(model: RobotModel, posture: Float64Array): Float64Array {
  const state = stateAt(model, posture);
  const n = model.dofCount;
  const M = massMatrix(state, new Float64Array(n * n));
  return Float64Array.from({ length: n }, (_, i) => M[n * i + i]!);
}
