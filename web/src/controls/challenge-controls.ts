import { changeSettings } from "../connection/live-actions.js";
import { element } from "../dom/element.js";
import { number, words } from "../dom/format.js";
import { refreshOn } from "../dom/refresh.js";
import { Slider } from "../dom/slider.js";
import type { Page } from "../page.js";

/** How hard the simulation makes it: 1 is as a real robot has it. */
export function createChallengeControls({ store, toasts }: Page): HTMLElement {
  const list = element("div", { class: "sliders" });
  const section = element("section", { class: "control-group" }, [element("h2", { text: "Challenges" }), list]);
  const sliders = new Map<string, Slider>();
  refreshOn(store.changes, ["hello"], () => {
    const challenges = Object.entries(store.settings?.challenges ?? {});
    section.hidden = challenges.length === 0;
    for (const [name, strength] of challenges) {
      const known = sliders.get(name);
      if (known !== undefined) known.value = strength;
      else sliders.set(name, add(name, strength));
    }
    const may = store.hello?.facts.controls.includes("challenges") ?? false;
    for (const slider of sliders.values()) slider.disabled = !may;
  });

  function add(name: string, strength: number): Slider {
    const slider = new Slider({
      label: words(name),
      min: 0,
      max: 3,
      step: 0.25,
      value: strength,
      format: (value) => (value === 0 ? "off" : `× ${number(value, 2)}`),
      change: (value) =>
        void toasts.guard(changeSettings({ challenges: { ...store.settings?.challenges, [name]: value } })),
    });
    list.append(slider.element);
    return slider;
  }
  return section;
}
