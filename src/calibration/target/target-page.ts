import { discCentre, HOLE, markedDiscs, type TargetBoard } from "./target-board.js";

/** White around the outermost discs, in radii: their rims need it. */
const MARGIN = 1.5;
/** Lengths of the scale that is printed below [mm]. */
const SCALE = 100;
const SCALE_HEIGHT = 12;

/** The board as an SVG of its true size, with a scale to be checked by a ruler after printing. */
export function targetPage(board: TargetBoard): string {
  const { columns, rows, spacing, radius } = board;
  const mm = (length: number) => Number((1e3 * length).toFixed(3));
  const margin = (1 + MARGIN) * radius;
  const [width, height] = [mm((columns - 1) * spacing + 2 * margin), mm((rows - 1) * spacing + 2 * margin)];
  const circle = (column: number, row: number, size: number, fill: string) => {
    const [x, y] = discCentre(board, column, row);
    return `<circle cx="${mm(x + margin)}" cy="${mm(y + margin)}" r="${mm(size)}" fill="${fill}"/>`;
  };
  const discs = Array.from({ length: columns * rows }, (_, k) =>
    circle(k % columns, Math.floor(k / columns), radius, "black"),
  );
  const holes = markedDiscs(board).map(([column, row]) => circle(column, row, HOLE * radius, "white"));
  const text = `Flycatcher target, ${columns} x ${rows} discs, ${mm(spacing)} mm apart, radius ${mm(radius)} mm. Print at 100 %; the line is ${SCALE} mm long.`;
  const [left, line] = [mm(margin), height + 4];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height + SCALE_HEIGHT}mm" viewBox="0 0 ${width} ${height + SCALE_HEIGHT}">
<rect width="100%" height="100%" fill="white"/>
${discs.join("\n")}
${holes.join("\n")}
<path d="M${left} ${line}h${SCALE}m0 -1v2m-${SCALE} -2v2" stroke="black" stroke-width="0.2" fill="none"/>
<text x="${left}" y="${line + 5}" font-family="sans-serif" font-size="3.2">${text}</text>
</svg>
`;
}
