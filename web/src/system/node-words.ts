import type { ComponentState } from "../../../src/messages/system.js";
import { number } from "../dom/format.js";

/** `25 Hz`, `0.4 Hz`; a dash where it is not known. */
export function rateWords(rate: number | null): string {
  return rate === null ? "– Hz" : `${number(rate, rate < 9.95 && rate > 0 ? 1 : 0)} Hz`;
}

export function restartWords(restarts: number): string {
  return restarts === 0 ? "" : `↻ ${restarts}`;
}

/** What is wrong with an in-port, or that nothing is. */
export function inputWords({ port, from, state }: ComponentState["inputs"][number]): string {
  const source = from.slice(0, from.indexOf("."));
  if (state === "missing") return `${port}: ${source} does not run`;
  return state === "silent" ? `${port}: nothing published yet` : `${port}: messages come`;
}

/** How a node stands, in a few words. */
export function stateWords({ health, restarts }: ComponentState): string {
  if (restarts === 0) return health;
  return `${health}, restarted ${restarts === 1 ? "once" : `${restarts} times`}`;
}
