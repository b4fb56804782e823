/** `robot_mode` of RTDE. */
export const UrRobotMode = { powerOff: 3, idle: 5, running: 7 } as const;
export type UrRobotMode = (typeof UrRobotMode)[keyof typeof UrRobotMode];

/** `safety_mode` of RTDE. */
export const UrSafetyMode = { normal: 1, protectiveStop: 3, robotEmergencyStop: 7 } as const;
export type UrSafetyMode = (typeof UrSafetyMode)[keyof typeof UrSafetyMode];

/** `runtime_state` of RTDE. */
export const UrRuntimeState = { stopping: 0, stopped: 1, playing: 2 } as const;
export type UrRuntimeState = (typeof UrRuntimeState)[keyof typeof UrRuntimeState];

export const UR_JOINTS = 6;
