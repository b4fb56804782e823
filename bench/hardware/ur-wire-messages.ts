/** What is done to what passes between a driver and a controller of Universal Robots. */
export interface WireWeather {
  /** Of each state: how late it comes [ms]; share that is lost; share that comes behind the next one. */
  readonly delayMs: number;
  readonly lossShare: number;
  readonly reorderShare: number;
  /** Whether states, or commands, wait. */
  readonly states: "pass" | "hold";
  readonly commands: "pass" | "hold";
  /** A set point that changes so long after the newest true state is stale; braking takes less [ms of the wall clock]. */
  readonly staleMs: number;
  /** What states say instead of the truth. */
  readonly lie: "none" | "not a number" | "jump" | "clock back" | "garbage" | "elsewhere" | "five joints";
}

export const fairWire: WireWeather = {
  ...{ delayMs: 0, lossShare: 0, reorderShare: 0 },
  ...{ states: "pass", commands: "pass", lie: "none", staleMs: 300 },
};

export type WireRequest =
  | { readonly type: "weather"; readonly weather: Partial<WireWeather> }
  /** All connections end; new ones are taken. */
  | { readonly type: "cut" }
  | { readonly type: "report" };

/** What the wire has seen. */
export interface WireReport {
  /** Set points that went to the robot's program. */
  readonly setPoints: number;
  /** Of them: changed positions when the newest true state that the driver had got was older than `staleMs`. */
  readonly stale: number;
  /** Of them: the first of a program, farther than `FAR` from where the robot stood. */
  readonly far: number;
  /** Fastest joint by the controller's newest state, which the driver may not have got [rad/s]. */
  readonly speed: number;
}

/** At speed 1 [ms]. */
export const STALE_MS = 300;
/** [rad] */
export const FAR = 0.06;
