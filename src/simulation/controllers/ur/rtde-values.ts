import type { UrController } from "./ur-controller.js";
import { UR_JOINTS, UrRobotMode, UrSafetyMode } from "./ur-modes.js";

/** What the robot's sensors say, in the order of its joints. */
export interface UrReading {
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly effort: Float64Array;
}

export type RtdeType = "BOOL" | "UINT8" | "INT32" | "UINT32" | "UINT64" | "DOUBLE" | "VECTOR3D" | "VECTOR6D";

export const rtdeSizes: Record<RtdeType, number> = {
  ...{ BOOL: 1, UINT8: 1, INT32: 4, UINT32: 4, UINT64: 8, DOUBLE: 8 },
  ...{ VECTOR3D: 24, VECTOR6D: 48 },
};

interface RtdeOutput {
  readonly type: RtdeType;
  read(controller: UrController, reading: UrReading): number | Float64Array;
}

/** Torque of a joint for a current of its motor, gear included [N·m/A]. Chosen: Universal Robots publishes none. */
const TORQUE_PER_AMPERE = 12;
const noVector = new Float64Array(3);

function vector(read: RtdeOutput["read"]): RtdeOutput {
  return { type: "VECTOR6D", read };
}

function currents({ effort }: UrReading): Float64Array {
  return effort.map((torque) => torque / TORQUE_PER_AMPERE);
}

/** The outputs that this controller knows. */
export const rtdeOutputs: Readonly<Record<string, RtdeOutput>> = {
  timestamp: { type: "DOUBLE", read: ({ time }) => time },
  target_q: vector(({ arm }) => arm.q),
  target_qd: vector(({ arm }) => arm.qd),
  actual_q: vector((_, { q }) => q),
  actual_qd: vector((_, { qd }) => qd),
  actual_current: vector((_, reading) => currents(reading)),
  joint_control_output: vector((_, reading) => currents(reading)),
  target_moment: vector((_, { effort }) => effort),
  speed_scaling: { type: "DOUBLE", read: ({ speedScaling }) => speedScaling },
  target_speed_fraction: { type: "DOUBLE", read: ({ arm }) => arm.speedFraction },
  runtime_state: { type: "UINT32", read: ({ runtimeState }) => runtimeState },
  robot_mode: { type: "INT32", read: ({ robotMode }) => robotMode },
  safety_mode: { type: "INT32", read: ({ safetyMode }) => safetyMode },
  robot_status_bits: { type: "UINT32", read: robotBits },
  safety_status_bits: { type: "UINT32", read: safetyBits },
  payload: { type: "DOUBLE", read: () => 0 },
  payload_cog: { type: "VECTOR3D", read: () => noVector },
  output_int_register_24: { type: "INT32", read: ({ program }) => program?.refused ?? 0 },
  output_int_register_25: { type: "INT32", read: ({ program }) => program?.extrapolated ?? 0 },
};

/** Inputs that a client may hold. */
export const rtdeInputs: Readonly<Record<string, RtdeType>> = {
  speed_slider_mask: "UINT32",
  speed_slider_fraction: "DOUBLE",
};

/** Power on, program running. */
function robotBits({ robotMode, program }: UrController): number {
  return (robotMode === UrRobotMode.powerOff ? 0 : 1) | (program === null ? 0 : 2);
}

/** Normal, protective stopped, robot emergency stopped. */
function safetyBits({ safetyMode }: UrController): number {
  if (safetyMode === UrSafetyMode.normal) return 1;
  return safetyMode === UrSafetyMode.protectiveStop ? 1 << 2 : 1 << 6;
}

/** Writes a value of an output; returns where the next one begins. */
export function writeRtde(view: DataView, at: number, type: RtdeType, value: number | Float64Array): number {
  if (typeof value !== "number") {
    const count = type === "VECTOR6D" ? UR_JOINTS : 3;
    for (let i = 0; i < count; i++) view.setFloat64(at + 8 * i, value[i]!);
  } else if (type === "DOUBLE") view.setFloat64(at, value);
  else if (type === "UINT64") view.setBigUint64(at, BigInt(value));
  else if (type === "UINT32") view.setUint32(at, value);
  else if (type === "INT32") view.setInt32(at, value);
  else view.setUint8(at, value);
  return at + rtdeSizes[type];
}
