/** How the driver reaches a robot by Universal Robots, and how its program moves. */
export interface UrOptions {
  readonly host: string;
  /** Ports of the controller: state, programs, dashboard. */
  readonly rtde: number;
  readonly primary: number;
  readonly dashboard: number;
  /** Where the driver listens for the robot's program: address, and port; 0: any. */
  readonly listen: string;
  readonly reverse: number;
  /** The driver's address as the robot sees it; empty: that of the connection to it. */
  readonly callback: string;
  /** Of `servoj` [s], and without unit. */
  readonly lookahead: number;
  readonly gain: number;
  /** Fastest joint that the robot's program accepts [rad/s]. */
  readonly maxSpeed: number;
  /** How long the program waits for the next command before it stops the robot [ms]. */
  readonly timeoutMs: number;
  /** Whether `start` may switch the power on and release the brakes, and unlock a protective stop. */
  readonly powerOn: boolean;
  readonly unlock: boolean;
}

export const urDefaults: Omit<UrOptions, "host"> = {
  rtde: 30004,
  primary: 30001,
  dashboard: 29999,
  listen: "127.0.0.1",
  reverse: 50001,
  callback: "",
  lookahead: 0.03,
  gain: 2000,
  maxSpeed: 3.5,
  timeoutMs: 20,
  powerOn: false,
  unlock: false,
};
