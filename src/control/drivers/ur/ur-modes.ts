/** Modes of the robot, of its safety system and of the program, as RTDE numbers them. */
export const RobotMode = {
  noController: -1,
  disconnected: 0,
  confirmSafety: 1,
  booting: 2,
  powerOff: 3,
  powerOn: 4,
  idle: 5,
  backdrive: 6,
  running: 7,
  updating: 8,
} as const;

export const SafetyMode = {
  normal: 1,
  reduced: 2,
  protectiveStop: 3,
  recovery: 4,
  safeguardStop: 5,
  systemEmergencyStop: 6,
  robotEmergencyStop: 7,
  violation: 8,
  fault: 9,
  validateJoint: 10,
  undefined: 11,
} as const;

export const RuntimeState = { stopping: 0, stopped: 1, playing: 2, pausing: 3, paused: 4, resuming: 5 } as const;

/** Below this share of its speed the robot falls behind its commands. */
const FULL_SPEED = 0.99;

/** Why a robot cannot follow commands, by one word for the run's status. */
export type UrFault =
  | "none"
  | "protective-stop"
  | "safeguard-stop"
  | "system-emergency-stop"
  | "robot-emergency-stop"
  | "recovery-mode"
  | "safety-violation"
  | "safety-fault"
  | "joint-validation"
  | "safety-stop"
  | "power-off"
  | "brakes-on"
  | "not-running"
  | "program-ended"
  | "speed-slider"
  | "silent"
  | "clock"
  | "state-not-finite"
  | "state-jump"
  | "command-not-finite"
  | "command-jump"
  | "no-connection";

const safetyFaults: readonly UrFault[] = [
  "safety-stop",
  "none",
  "none",
  "protective-stop",
  "recovery-mode",
  "safeguard-stop",
  "system-emergency-stop",
  "robot-emergency-stop",
  "safety-violation",
  "safety-fault",
  "joint-validation",
];

const robotModeFaults: readonly UrFault[] = ["power-off", "brakes-on", "not-running"];

/** What the safety system and the power say against a motion; "none": the robot may be commanded. */
export function standingFault(robotMode: number, safetyMode: number): UrFault {
  const safety = safetyFaults[safetyMode] ?? "safety-stop";
  if (safety !== "none") return safety;
  if (robotMode === RobotMode.running) return "none";
  if (robotMode === RobotMode.powerOff) return "power-off";
  return robotMode === RobotMode.powerOn || robotMode === RobotMode.idle ? "brakes-on" : "not-running";
}

/** Whether it is the safety system's or the robot's mode: a person may have caused it, or be near. */
export function isSafetyOrMode(fault: UrFault): boolean {
  return fault !== "none" && (safetyFaults.includes(fault) || robotModeFaults.includes(fault));
}

/** Whether the robot has reported what cannot be: where it stands is not known until a person has looked. */
export function isUntrue(fault: UrFault): boolean {
  return fault === "state-jump" || fault === "state-not-finite" || fault === "clock";
}

/** Whether the limiter lets the robot go as fast as it is commanded. */
export function isFullSpeed(speedScaling: number): boolean {
  return speedScaling >= FULL_SPEED;
}

const explanations: Readonly<Record<UrFault, string>> = {
  none: "the robot follows commands",
  "protective-stop": "the robot is in a protective stop",
  "safeguard-stop": "the safeguard has stopped the robot",
  "system-emergency-stop": "the emergency stop of the cell is pressed",
  "robot-emergency-stop": "the emergency stop of the robot is pressed",
  "recovery-mode": "the robot is outside its safety limits, in recovery mode",
  "safety-violation": "the safety system reports a violation",
  "safety-fault": "the safety system reports a fault",
  "joint-validation": "a joint waits for its safety check",
  "safety-stop": "the safety system has stopped the robot",
  "power-off": "the robot's power is off",
  "brakes-on": "the robot's brakes are on",
  "not-running": "the robot is not running",
  "program-ended": "the program on the robot has ended or is paused",
  "speed-slider": "the robot runs below full speed: its speed slider or a limit holds it back",
  silent: "the robot does not report its state",
  clock: "the robot's clock has gone back",
  "state-not-finite": "the robot reports a joint that is not a finite number",
  "state-jump": "the robot reports joints that jump",
  "command-not-finite": "a command was not a finite number",
  "command-jump": "a command does not begin where the robot stands",
  "no-connection": "the robot's program has no connection to the driver",
};

/** The same as half a sentence. */
export function faultWords(fault: UrFault): string {
  return explanations[fault];
}
