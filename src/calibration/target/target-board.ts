/**
 * A printed board of dark discs in rows and columns. Three of them have a light hole; they say which disc is which, so a part of the
 * board is enough. Lengths in metres; x to the right and y down, as the board is read, z into it.
 */
export interface TargetBoard {
  readonly columns: number;
  readonly rows: number;
  /** Between the centres of neighbours [m]. */
  readonly spacing: number;
  /** Of the discs [m]. */
  readonly radius: number;
}

/** Fits a sheet of A4, and one of US letter. */
export const defaultBoard: TargetBoard = { columns: 9, rows: 6, spacing: 0.028, radius: 0.009 };

/** Radius of a hole against that of its disc. */
export const HOLE = 0.45;

/** The marked discs: the first, two columns to its right, one row below it. No turn of the board looks the same. */
export function markedDiscs({ columns, rows }: TargetBoard): readonly (readonly [number, number])[] {
  const [column, row] = [Math.floor(columns / 2) - 1, Math.floor(rows / 2) - 1];
  return [
    [column, row],
    [column + 2, row],
    [column, row + 1],
  ];
}

/** Centre of a disc; the board's origin is that of the disc in column 0, row 0 [m]. */
export function discCentre({ spacing }: TargetBoard, column: number, row: number): readonly [number, number] {
  return [spacing * column, spacing * row];
}
