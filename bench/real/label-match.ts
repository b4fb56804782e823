import type { Circle } from "../../src/tracking/circles/circle-set.js";

/** A labelled box [px]; pixel centres lie at whole numbers. */
export interface LabelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Least overlap of a circle's box with the label, intersection over union. Labels are drawn by hand with one or two pixels of
 * margin: an exact circle of 8 px in a box of 12 px has 0.44, and a circle of 7 px has 0.34.
 */
export const LEAST_OVERLAP = 0.3;
/** How far the middles of the two boxes may be apart along u and v, as a part of the label's larger side. */
export const MOST_OFFSET = 0.25;

/**
 * Intersection over union of a label and the box around the part of a circle that lies on an image; 0 if their middles are
 * too far apart.
 */
export function overlapOf(label: LabelBox, { u, v, r }: Circle, width: number, height: number): number {
  const [left, right] = sidesOf(u, v, r, width, height);
  const [top, bottom] = sidesOf(v, u, r, height, width);
  const box = { left, top, right, bottom };
  const across = Math.min(box.right, label.right) - Math.max(box.left, label.left);
  const down = Math.min(box.bottom, label.bottom) - Math.max(box.top, label.top);
  if (!(across > 0 && down > 0) || isOff(label, box)) return 0;
  return (across * down) / (areaOf(box) + areaOf(label) - across * down);
}

/** Both ends, along u, of the part of a circle that lies on an image; for v with everything exchanged. */
function sidesOf(u: number, v: number, r: number, width: number, height: number): readonly [number, number] {
  // The widest row of the circle that is on the image.
  const row = Math.max(-0.5, Math.min(height - 0.5, v));
  const half = Math.sqrt(Math.max(0, r * r - (row - v) ** 2));
  return [Math.max(-0.5, u - half), Math.min(width - 0.5, u + half)];
}

function isOff(label: LabelBox, box: LabelBox): boolean {
  const most = MOST_OFFSET * Math.max(label.right - label.left, label.bottom - label.top);
  const du = (label.left + label.right - box.left - box.right) / 2;
  const dv = (label.top + label.bottom - box.top - box.bottom) / 2;
  return !(Math.abs(du) <= most && Math.abs(dv) <= most);
}

function areaOf({ left, top, right, bottom }: LabelBox): number {
  return (right - left) * (bottom - top);
}

/** Which label each circle is of; −1: of none. Each label goes to the circle that overlaps it most. */
export function matchCircles(
  labels: readonly LabelBox[],
  circles: readonly Circle[],
  width: number,
  height: number,
): number[] {
  const matches = circles.map(() => -1);
  for (const [index, label] of labels.entries()) {
    let best = -1;
    let most = LEAST_OVERLAP;
    for (const [n, circle] of circles.entries()) {
      const overlap = overlapOf(label, circle, width, height);
      if (matches[n] !== -1 || !(overlap >= most)) continue;
      most = overlap;
      best = n;
    }
    if (best >= 0) matches[best] = index;
  }
  return matches;
}
