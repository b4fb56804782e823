import type { RampDescription } from "../planning/request/answer.js";
import { BrailleCanvas } from "./braille-canvas.js";

/** Width of a plot [characters], and rows of it. */
const columns = 56;
const rows = 2;

/** Share of the greatest speed shown that counts as none. */
const STANDSTILL = 1e-6;

/** Speed of a ramp at `t`, from its numbers. */
export function velocityAt({ w0, ab, tb, a, t1, t2, T }: RampDescription, t: number): number {
  if (t <= 0) return w0;
  if (t >= T) return 0;
  if (t < tb) return w0 + ab * t;
  if (t < t1) return w0 + ab * tb + a * (t - tb);
  return a * (T - Math.max(t, t2));
}

/** Greatest |speed| of a ramp. */
export function peakSpeed(ramp: RampDescription): number {
  return Math.max(Math.abs(ramp.w0), Math.abs(velocityAt(ramp, ramp.t1)));
}

/** Shares of the limits that a plot may end at: the least that holds all speeds is taken. */
const edges = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1] as const;

export function edgeFor(greatestShare: number): number {
  return edges.find((edge) => greatestShare <= edge) ?? 1;
}

/**
 * The speed of a joint over [0, until], in two lines of text. `edge` [rad/s or m/s] is the greatest speed shown, to the
 * sides that the joint moves to; in front stand the speeds at the upper and the lower edge. What is beyond is drawn there.
 */
export function plotVelocity(ramp: RampDescription, edge: number, until: number): [string, string] {
  const canvas = new BrailleCanvas(columns, rows);
  const speeds = Array.from({ length: canvas.width }, (_, x) => velocityAt(ramp, (until * (x + 0.5)) / canvas.width));
  const still = STANDSTILL * edge;
  const bottom = speeds.some((speed) => speed < -still) ? -edge : 0;
  const top = bottom < 0 && speeds.every((speed) => speed <= still) ? 0 : edge;
  const level = (speed: number) => {
    const height = (speed - bottom) / (top - bottom);
    return Math.round((canvas.height - 1) * (1 - Math.min(1, Math.max(0, height))));
  };
  let before = level(speeds[0]!);
  for (const [x, speed] of speeds.entries()) {
    const here = level(speed);
    // Joined to the last dot, but without doubling it.
    const from = here === before ? here : before + Math.sign(here - before);
    canvas.column(x, from, here);
    before = here;
  }
  const [upper, lower] = canvas.lines();
  return [`${label(top)} ┤${upper}│`, `${label(bottom)} ┤${lower}│`];
}

function label(speed: number): string {
  const sign = speed > 0 ? "+" : speed < 0 ? "−" : "";
  return `${sign}${Math.abs(speed).toFixed(speed === 0 ? 0 : 2)}`.padStart(6);
}
