/** When the robot was commanded to brake. */
export interface Braking {
  /** When the first braking command was sent to the robot: UTC [ms since 1970], and since the request arrived [ms]. */
  readonly at: number;
  readonly afterMs: number;
  /** Who says so: the robot, which has got it; the driver, which has sent it; control alone, where the driver notes nothing. */
  readonly confirmedBy: "robot" | "driver" | "control";
  /** When the robot's answer came, since the request arrived [ms]; null without one. */
  readonly confirmedAfterMs: number | null;
}

/** What became of a stop. */
export interface StopAnswer {
  /** null: no braking command is known to have left for the robot. */
  readonly braked: Braking | null;
  /** The same in words. */
  readonly detail: string;
}

/** Where the stop is listened for. */
export interface StopAddress {
  /** Any request to it stops the robot: `http://127.0.0.1:8060`. */
  readonly url: string;
  /** The same number for HTTP and UDP. */
  readonly port: number;
  /** Longest time between two heartbeats [ms]; 0: none are expected. */
  readonly heartbeatMs: number;
}
