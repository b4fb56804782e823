/** Sectors of an outline that may be hidden: each a third of it, beginning at multiples of a sixth of a turn. */
export const SECTORS = 6;
const LENGTH = 1 / 3;

/** Number of no sector: nothing is hidden. */
export const NOTHING_HIDDEN = -1;

/** Whether what lies at this part of a turn, 0 to 1, is in a hidden sector. */
export function isHidden(turn: number, sector: number): boolean {
  if (sector === NOTHING_HIDDEN) return false;
  const after = turn - sector / SECTORS;
  return after - Math.floor(after) < LENGTH;
}
