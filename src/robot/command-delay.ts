import type { JointGroup, Robot } from "./robot.js";

/** How late the joints of a group follow their commands [s]: as the latest of them. */
export function commandDelayOf(
  { commandDelay }: Pick<Robot, "commandDelay">,
  { dofs }: Pick<JointGroup, "dofs">,
): number {
  if (commandDelay === undefined) return 0;
  let longest = 0;
  for (const dof of dofs) longest = Math.max(longest, commandDelay[dof]!);
  return longest;
}
