import type { Robot } from "../robot/robot.js";

/** The links that the dofs move and that carry a collision body, or lie between, parents first: all whose poses a check reads. */
export function linksThatMove({ model, hulls }: Robot, dofs: Int32Array): Int32Array {
  const { linkCount, parentLink, termStart, termDof } = model;
  const moves = new Uint8Array(linkCount);
  const isNeeded = new Uint8Array(linkCount);
  for (let link = 1; link < linkCount; link++) {
    const terms = termDof.subarray(termStart[link]!, termStart[link + 1]!);
    moves[link] = moves[parentLink[link]!] === 1 || terms.some((dof) => dofs.includes(dof)) ? 1 : 0;
  }
  for (const { link } of hulls) for (let at = link; at > 0; at = parentLink[at]!) isNeeded[at] = 1;
  return Int32Array.from(moves.keys()).filter((link) => moves[link] === 1 && isNeeded[link] === 1);
}
