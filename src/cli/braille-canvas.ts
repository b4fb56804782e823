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
