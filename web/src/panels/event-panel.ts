import { element } from "../dom/element.js";
import { number } from "../dom/format.js";
import { createPanel, emptyNote } from "../dom/panel.js";
import { refreshOn } from "../dom/refresh.js";
import type { LiveStore } from "../live/live-store.js";

/** What the parts of the pipeline had to say, newest first. */
export function createEventPanel(store: LiveStore): HTMLElement {
  const list = element("ol", { class: "events" });
  const panel = createPanel({ title: "Events", state: "folded" }, [list]);
  refreshOn(store.changes, ["event", "hello"], () => {
    if (store.events.length === 0) list.replaceChildren(emptyNote("Nothing to report."));
    else {
      list.replaceChildren(
        ...store.events
          .toReversed()
          .map(({ time, severity, source, text }) =>
            element("li", { class: severity }, [
              element("span", { class: "figure", text: `${number(time, 2)} s` }),
              element("span", { class: "quiet", text: source }),
              element("span", { text }),
            ]),
          ),
      );
    }
  });
  return panel.element;
}
