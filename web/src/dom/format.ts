/** Numbers and names for people. Figures keep their width, so that a column does not dance. */

/** A true minus sign, as wide as a plus. */
export function number(value: number, digits = 0): string {
  return value.toFixed(digits).replace("-", "−");
}

/** Seconds as milliseconds. */
export function milliseconds(seconds: number, digits = 0): string {
  return `${number(1e3 * seconds, digits)} ms`;
}

/** Metres as millimetres. */
export function millimetres(metres: number, digits = 0): string {
  return `${number(1e3 * metres, digits)} mm`;
}

export function percent(share: number): string {
  return `${number(100 * share)} %`;
}

/** `leftArm6` → `left arm 6`. */
export function words(name: string): string {
  return name
    .replace(/([a-z])([A-Z0-9])/g, "$1 $2")
    .replaceAll("-", " ")
    .toLowerCase();
}
