import { svg } from "./element.js";

/** Small drawings for buttons, of one stroke, in the colour of the text. */
const paths = {
  key: "M10.5 9.5a3.5 3.5 0 1 0-3-1.8L3 12.2V15h2.6v-1.8h1.8v-1.8l1-1a3.5 3.5 0 0 0 2.1-.9ZM11.6 5.9h.01",
  help: "M6.6 6.4a2.4 2.4 0 1 1 3.6 2.1c-.9.5-1.2.9-1.2 1.9M9 13.3h.01",
  theme: "M9 2.5a6.5 6.5 0 1 0 0 13ZM9 2.5a6.5 6.5 0 0 1 0 13",
  present: "M3 7V3h4M11 3h4v4M15 11v4h-4M7 15H3v-4",
  play: "M6 4.2v9.6L13.6 9Z",
  pause: "M6.2 4.5v9M11.8 4.5v9",
  back: "M11.5 4.5 7 9l4.5 4.5M5 4.5v9",
  forth: "M6.5 4.5 11 9l-4.5 4.5M13 4.5v9",
} as const;

export type IconName = keyof typeof paths;

export function icon(name: IconName): SVGSVGElement {
  return svg("svg", { viewBox: "0 0 18 18", class: "icon-drawing", "aria-hidden": "true" }, [
    svg("path", { d: paths[name] }),
  ]);
}
