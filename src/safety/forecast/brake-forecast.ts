/** What the monitor would do during a motion. `never` alone is a proof. */
export const BrakeForecast = {
  /** It lets every command pass, whenever its ticks are; so the robot does not touch itself either. */
  never: 0,
  /** At `brakeTime` its criterion fails; before `freeUntil` it does not. */
  brakes: 1,
  /** Too near to tell, out of samples, or beyond the limits of joints and speeds: it lets pass until `freeUntil`. */
  unresolved: 2,
  /** Ramps or posture do not fit the dofs, are not finite, or are no continuous motion. */
  invalid: 3,
} as const;
export type BrakeForecast = (typeof BrakeForecast)[keyof typeof BrakeForecast];
