import type { HelloMessage } from "../../../src/messages/page.js";
import { element, setText } from "../dom/element.js";
import { number } from "../dom/format.js";
import { createPanel, emptyNote } from "../dom/panel.js";
import { refreshOn } from "../dom/refresh.js";
import type { LiveStore } from "../live/live-store.js";
import { letterOf } from "./state-panel.js";

type ThrowResult = HelloMessage["throws"][number];

const SHOWN = 40;

/** The throws so far, newest first, with what became of each and why. */
export function createThrowPanel(store: LiveStore): HTMLElement {
  const list = element("ol", { class: "throws" });
  const panel = createPanel({ title: "Throws" }, [list]);
  refreshOn(store.changes, ["hello", "throw"], () => {
    const { throws, summary } = store;
    setText(panel.note, summary === null || summary.throws === 0 ? "" : `${summary.throws} so far`);
    if (throws.length === 0) list.replaceChildren(emptyNote("No ball thrown yet. Press T, or Throw."));
    else list.replaceChildren(...throws.slice(-SHOWN).reverse().map(item));
  });
  return panel.element;
}

/** Shape and colour both tell the outcome. */
const marks = { caught: "✓", missed: "✕", "no-plan": "–" } as const;
const names = { caught: "caught", missed: "missed", "no-plan": "no plan" } as const;

function item({ id, outcome, arm, reason, verdict, catchTime, speed, replans }: ThrowResult): HTMLElement {
  const figures = [
    catchTime === null ? "" : `after ${number(catchTime, 2)} s`,
    verdict === null ? "" : `off by ${number(1e3 * verdict.lateral)} mm, ${number(1e3 * verdict.timing, 1)} ms`,
    `${number(speed, 1)} m/s`,
    replans > 0 ? `${replans} replans` : "",
  ];
  return element("li", { class: `throw ${outcome}` }, [
    element("span", {
      class: "outcome",
      text: marks[outcome],
      attributes: { role: "img", "aria-label": names[outcome] },
    }),
    element("span", { class: "figure throw-id", text: String(id) }),
    element("span", { class: "badge", text: arm === null ? "·" : letterOf(arm) }),
    element("span", { class: "throw-words" }, [
      element("span", { text: reason === null ? names[outcome] : `${names[outcome]}: ${reason}` }),
      element("span", { class: "quiet", text: figures.filter((text) => text !== "").join(" · ") }),
    ]),
  ]);
}
