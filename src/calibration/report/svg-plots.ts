/** Just enough SVG for the report; sizes in pixels, colours that colour-blind readers can tell apart. */

export const colours = { before: "#d55e00", after: "#0072b2", ink: "#444", grid: "#ddd" } as const;

const SIZE = 300;
const MARGIN = 34;
const BARS = 40;

type Point = readonly [number, number];

/** Points about a cross; those beyond ±`range` are left out and counted in the caption. */
export function scatterPlot(
  title: string,
  unit: string,
  points: readonly Point[],
  range: number,
  colour: string,
): string {
  const scale = (SIZE - 2 * MARGIN) / (2 * range);
  const inside = points.filter(([x, y]) => Math.abs(x) <= range && Math.abs(y) <= range);
  const dots = inside.map(([x, y]) => {
    const [left, top] = [SIZE / 2 + scale * x, SIZE / 2 + scale * y];
    return `<circle cx="${left.toFixed(1)}" cy="${top.toFixed(1)}" r="1.3"/>`;
  });
  const missing = points.length - inside.length;
  const caption = missing > 0 ? `${title}, ${missing} beyond` : title;
  return svg(
    caption,
    `<path d="M${MARGIN} ${SIZE / 2}H${SIZE - MARGIN}M${SIZE / 2} ${MARGIN}V${SIZE - MARGIN}" stroke="${colours.grid}"/>
<g fill="${colour}" fill-opacity="0.35">${dots.join("")}</g>
<text x="${SIZE - MARGIN}" y="${SIZE / 2 - 4}" text-anchor="end">${formatRange(range)} ${unit}</text>`,
  );
}

/** Histogram of numbers over ±`range`, with the normal distribution of standard deviation `sigma` for comparison. */
export function histogram(
  title: string,
  unit: string,
  values: readonly number[],
  sigma: number,
  colour: string,
): string {
  const range = 4 * sigma;
  const counts = new Array<number>(BARS).fill(0);
  for (const value of values) {
    const bar = Math.floor(((value + range) / (2 * range)) * BARS);
    if (bar >= 0 && bar < BARS) counts[bar] = counts[bar]! + 1;
  }
  const width = (SIZE - 2 * MARGIN) / BARS;
  const expected = (values.length * 2 * range) / BARS / (sigma * Math.sqrt(2 * Math.PI));
  const height = (SIZE - 2 * MARGIN) / Math.max(expected, ...counts);
  const bars = counts.map((count, k) => {
    const [x, h] = [MARGIN + k * width, count * height];
    return `<rect x="${x.toFixed(1)}" y="${(SIZE - MARGIN - h).toFixed(1)}" width="${width.toFixed(1)}" height="${h.toFixed(1)}"/>`;
  });
  const curve = Array.from({ length: 81 }, (_, k) => {
    const z = (k - 40) / 10;
    const [x, y] = [
      SIZE / 2 + (z / 4) * (SIZE / 2 - MARGIN),
      SIZE - MARGIN - height * expected * Math.exp(-z * z * 0.5),
    ];
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return svg(
    title,
    `<g fill="${colour}" fill-opacity="0.6">${bars.join("")}</g>
<polyline points="${curve.join(" ")}" fill="none" stroke="${colours.ink}"/>
<text x="${SIZE - MARGIN}" y="${SIZE - MARGIN + 14}" text-anchor="end">${formatRange(range)} ${unit}</text>`,
  );
}

function svg(title: string, content: string): string {
  return `<svg viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}" role="img" aria-label="${escapeText(title)}">
<rect x="${MARGIN}" y="${MARGIN}" width="${SIZE - 2 * MARGIN}" height="${SIZE - 2 * MARGIN}" fill="none" stroke="${colours.grid}"/>
<text x="${SIZE / 2}" y="20" text-anchor="middle">${escapeText(title)}</text>
${content}
</svg>`;
}

function formatRange(range: number): string {
  return `±${Number(range.toPrecision(2))}`;
}

export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
