import { changeSettings } from "../connection/live-actions.js";
import { element, setText } from "../dom/element.js";
import { refreshOn } from "../dom/refresh.js";
import { Segmented } from "../dom/segmented.js";
import type { Page } from "../page.js";
import { modeLabels, modeWords } from "./mode-words.js";

/** What the planner tries to do best. */
export function createModeControls({ store, toasts }: Page): HTMLElement {
  const segmented = new Segmented("Mode", modeLabels, (mode) => void toasts.guard(changeSettings({ mode })));
  const words = element("p", { class: "quiet" });
  refreshOn(store.changes, ["hello"], () => {
    const mode = store.settings?.mode ?? null;
    const may = store.hello?.facts.controls.includes("mode") ?? false;
    segmented.value = mode;
    segmented.disabled = may ? [] : modeLabels.map(({ value }) => value);
    setText(words, mode === null ? "" : modeWords[mode]);
  });
  return element("section", { class: "control-group" }, [element("h2", { text: "Mode" }), segmented.element, words]);
}
