import { luma } from "./colour-projection.js";

/** Red, green and blue. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** The colour of `#rrggbb`; of anything else the one given. */
export function parseRgb(text: string | undefined, otherwise: Rgb): Rgb {
  const [, ...parts] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? "") ?? [];
  return parts.length === 3 ? (parts.map((part) => Number.parseInt(part, 16)) as unknown as Rgb) : otherwise;
}

/** Its brightness: the gray value that a gray camera has for it. */
export function brightnessOf([red, green, blue]: Rgb): number {
  return luma.red * red + luma.green * green + luma.blue * blue;
}
