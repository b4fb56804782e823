import { styleText } from "node:util";

/** What a text is, which decides its colour. */
export type Meaning = keyof typeof formats;

const formats = {
  good: "green",
  bad: "red",
  doubtful: "yellow",
  heading: "bold",
  name: "cyan",
  secondary: "dim",
} as const satisfies Record<string, Parameters<typeof styleText>[0]>;

type Output = Pick<NodeJS.WriteStream, "isTTY">;

/**
 * Whether texts to a stream are coloured. `NO_COLOR` forbids it (no-color.org), `FORCE_COLOR` demands it, or forbids it with 0 or
 * false; else a terminal has colours unless it is dumb.
 */
export function hasColours({ isTTY }: Output, env: NodeJS.ProcessEnv = process.env): boolean {
  const { NO_COLOR = "", FORCE_COLOR, TERM } = env;
  if (NO_COLOR !== "" || FORCE_COLOR === "0" || FORCE_COLOR === "false") return false;
  return FORCE_COLOR !== undefined || (isTTY === true && TERM !== "dumb");
}

/** A text as a stream shows it: in the colour of its meaning, or as it is. */
export function colour(meaning: Meaning, text: string, output: Output = process.stdout): string {
  return hasColours(output) && text !== "" ? styleText(formats[meaning], text) : text;
}
