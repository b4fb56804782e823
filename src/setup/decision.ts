/** Something that was decided about a robot, and why. */
export interface Decision {
  readonly subject: string;
  readonly decision: string;
  readonly reason: string;
}
