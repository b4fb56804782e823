import { element, setText } from "../dom/element.js";
import { millimetres, words } from "../dom/format.js";
import { createPanel, emptyNote } from "../dom/panel.js";
import { refreshOn } from "../dom/refresh.js";
import type { LiveStore } from "../live/live-store.js";

/** Full length of a bar, and from where on it is a warning [m]. */
const FULL = 0.3;
const NEAR = 0.02;

/** How near the robot is to itself, nearest pair first. */
export function createDistancePanel(store: LiveStore): HTMLElement {
  const list = element("ol", { class: "distances" });
  const panel = createPanel(
    {
      title: "Self-distance",
      hint: "Nearest pairs of bodies now; on the right the smallest distance while braking.",
    },
    [list],
  );
  refreshOn(store.changes, ["safety"], () => {
    const { safety } = store;
    if (safety === null) {
      list.replaceChildren(emptyNote("No distances yet."));
      return;
    }
    setText(panel.note, safety.braking === null ? "" : `while braking ${millimetres(safety.braking)}`);
    list.replaceChildren(
      ...safety.pairs.map(({ a, b, distance }) => {
        const fill = element("span", { class: distance < NEAR ? "bar-fill over" : "bar-fill" });
        fill.style.width = `${100 * Math.max(0, Math.min(1, distance / FULL))}%`;
        return element("li", {}, [
          element("span", { class: "pair", text: `${words(a)} – ${words(b)}` }),
          element("span", { class: "bar", attributes: { "aria-hidden": "true" } }, [fill]),
          element("span", { class: "figure", text: millimetres(distance) }),
        ]);
      }),
    );
  });
  return panel.element;
}
