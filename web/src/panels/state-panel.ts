import type { ArmState } from "../../../src/messages/report.js";
import { element, setText } from "../dom/element.js";
import { number, words } from "../dom/format.js";
import { createPanel, emptyNote } from "../dom/panel.js";
import { refreshOn } from "../dom/refresh.js";
import type { LiveStore } from "../live/live-store.js";
import { StateDrawing } from "./state-drawing.js";

const TRANSITIONS_SHOWN = 5;

/** What each arm is about: its state in the drawing, the ways out of it with what they wait for, and how it got there. */
export function createStatePanel(store: LiveStore): HTMLElement {
  const drawing = new StateDrawing();
  const guards = element("ul", { class: "guards" });
  const history = element("ol", { class: "history" });
  const panel = createPanel(
    {
      title: "States",
      hint: "The state machine of each arm: its state, the conditions of the next transitions, and the last transitions.",
    },
    [drawing.element, guards, element("h3", { text: "Last transitions" }), history],
  );
  refreshOn(store.changes, ["state", "hello"], () => {
    const { state } = store;
    if (state === null) {
      guards.replaceChildren(emptyNote("No messages yet."));
      return;
    }
    setText(panel.note, monitorWords(state.monitor));
    drawing.light(
      new Map(
        state.arms.map((arm) => [letterOf(arm.arm), { state: arm.state, from: arm.transitions.at(-1)?.from ?? null }]),
      ),
    );
    guards.replaceChildren(...state.arms.map((arm) => guardItem(arm, state.time)));
    history.replaceChildren(...historyItems(state.arms));
  });
  return panel.element;
}

function monitorWords({ phase, reason }: { readonly phase: string; readonly reason: string }): string {
  return reason === "" ? `monitor: ${phase}` : `monitor: ${phase}, ${reason}`;
}

/** `leftArm` → `L`. */
export function letterOf(arm: string): string {
  return arm.charAt(0).toUpperCase();
}

function guardItem({ arm, state, since, guards }: ArmState, now: number): HTMLElement {
  const ways = guards.map(({ name, to, holds, text }) =>
    element("li", { class: holds ? "guard-way holds" : "guard-way" }, [
      element("span", { class: "guard-mark", text: holds ? "●" : "○", attributes: { "aria-hidden": "true" } }),
      element("span", { class: "guard-name", text: `${name} → ${to}` }),
      element("span", { class: "guard-text", text, attributes: { title: text } }),
    ]),
  );
  return element("li", {}, [
    element("p", { class: "guard-arm" }, [
      element("span", { class: "badge", text: letterOf(arm) }),
      element("span", { text: `${words(arm)}: ` }),
      element("strong", { text: state }),
      element("span", { class: "quiet", text: ` for ${number(Math.max(0, now - since), 1)} s` }),
    ]),
    element("ul", {}, ways),
  ]);
}

/** Replans lead from `reaching` to `reaching`: the plots show them better. */
function historyItems(arms: readonly ArmState[]): HTMLElement[] {
  return arms
    .flatMap(({ arm, transitions }) => transitions.map((transition) => ({ arm, ...transition })))
    .filter(({ from, to }) => from !== to)
    .sort((a, b) => b.time - a.time)
    .slice(0, TRANSITIONS_SHOWN)
    .map(({ arm, time, from, to, reason }) =>
      element("li", { attributes: { title: reason } }, [
        element("span", { class: "figure", text: `${number(time, 2)} s` }),
        element("span", { class: "badge", text: letterOf(arm) }),
        element("span", { text: `${from} → ${to}` }),
        element("span", { class: "quiet", text: reason }),
      ]),
    );
}
