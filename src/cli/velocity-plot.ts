import type { RampDescription } from "../planning/request/answer.js";

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

/** Bits of the dots of a Braille character, by column and row (Unicode block U+2800). */
const dotBits = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

/** A small drawing of dots, two across and four down in each character. */
export class BrailleCanvas {
  /** In dots. */
  readonly width: number;
  readonly height: number;
  readonly #columns: number;
  readonly #cells: Uint8Array;

  /** Size in characters. */
  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.width = 2 * columns;
    this.height = 4 * rows;
    this.#cells = new Uint8Array(columns * rows);
  }

  /** Sets a dot; (0, 0) is at the top left. Dots outside are left out. */
  dot(x: number, y: number): void {
    if (!(x >= 0 && x < this.width && y >= 0 && y < this.height)) return;
    const cell = Math.floor(y / 4) * this.#columns + Math.floor(x / 2);
    this.#cells[cell]! |= dotBits[(x % 2) as 0 | 1][(y % 4) as 0 | 1 | 2 | 3];
  }

  /** The dots of a column from `from` to `to`, both included. */
  column(x: number, from: number, to: number): void {
    for (let y = Math.min(from, to); y <= Math.max(from, to); y++) this.dot(x, y);
  }

  /** One text a row. */
  lines(): string[] {
    const rows = this.#cells.length / this.#columns;
    return Array.from({ length: rows }, (_, row) =>
      String.fromCodePoint(
        ...Array.from(this.#cells.subarray(row * this.#columns, (row + 1) * this.#columns), (bits) => 0x2800 + bits),
      ),
    );
  }
}
