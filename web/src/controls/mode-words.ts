import type { SessionSettings } from "../../../src/messages/session.js";

export type CatchMode = SessionSettings["mode"];

/** What each mode of the planner does best. */
export const modeWords: Readonly<Record<CatchMode, string>> = {
  soft: "the smallest accelerations",
  latest: "as late as possible",
  cool: "arrive early, then wait",
  sure: "the most probable catch",
};

/** For a row of buttons. */
export const modeLabels = (Object.keys(modeWords) as CatchMode[]).map((value) => ({
  value,
  text: value,
  hint: modeWords[value],
}));
