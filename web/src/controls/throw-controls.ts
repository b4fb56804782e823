import { changeSettings, throwBalls } from "../connection/live-actions.js";
import { element } from "../dom/element.js";
import { number } from "../dom/format.js";
import { refreshOn } from "../dom/refresh.js";
import type { Page } from "../page.js";
import type { Launch } from "../scene/launch-arrow.js";

/** Throwing balls: the next, two, a preset, one aimed in the picture, or one after the other by itself. */
export class ThrowControls {
  readonly element: HTMLElement;
  /** Called when aiming begins or ends. */
  onAim: (wish: "on" | "off") => void = () => undefined;
  readonly #page: Page;
  readonly #aimed = element("p", { class: "aim-figures figure" });
  readonly #launchButton: HTMLButtonElement;
  readonly #aimBox: HTMLElement;
  #launch: Launch | null = null;

  constructor(page: Page) {
    this.#page = page;
    const one = this.#button("Throw a ball", "primary", "T", () => this.throwOne());
    const two = this.#button("Two balls", "", "2", () => this.throwTwo());
    const presets = element("div", { class: "chips", attributes: { role: "group", "aria-label": "Presets" } });
    this.#launchButton = this.#button("Launch it", "primary", null, () => this.#launchAimed());
    this.#aimBox = element("div", { class: "aim", attributes: { hidden: "" } }, [
      element("p", { class: "quiet", text: "Drag the ball to move it, the arrow's tip to throw harder or elsewhere." }),
      this.#aimed,
      this.#launchButton,
    ]);
    const aim = element("button", {
      class: "wide",
      text: "Aim in the picture",
      attributes: { type: "button", "aria-pressed": "false", "data-control": "aim" },
      on: { click: () => this.#toggleAim(aim) },
    });
    const automatic = this.#automatic();
    this.element = element("section", { class: "control-group" }, [
      element("h2", { text: "Throw" }),
      element("div", { class: "button-row" }, [one, two]),
      presets,
      aim,
      this.#aimBox,
      automatic,
    ]);
    refreshOn(page.store.changes, ["hello"], () => {
      const facts = page.store.hello?.facts;
      const may = facts?.controls.includes("throw") ?? false;
      for (const button of [one, two, aim, this.#launchButton]) button.disabled = !may;
      two.hidden = (facts?.maxBalls ?? 1) < 2;
      presets.replaceChildren(
        ...(facts?.presets ?? []).map(({ name, text }) =>
          element("button", {
            text: name,
            attributes: { type: "button", title: text },
            on: { click: () => void page.toasts.guard(throwBalls({ preset: name })) },
          }),
        ),
      );
    });
  }

  throwOne(): void {
    void this.#page.toasts.guard(throwBalls({}));
  }

  throwTwo(): void {
    void this.#page.toasts.guard(throwBalls({ balls: 2 }));
  }

  set launch(launch: Launch) {
    this.#launch = launch;
    const { position, velocity } = launch;
    const speed = Math.hypot(...velocity);
    const place = position.map((value) => number(value, 2)).join(", ");
    this.#aimed.textContent = `from ${place} m at ${number(speed, 1)} m/s`;
  }

  #launchAimed(): void {
    if (this.#launch !== null) void this.#page.toasts.guard(throwBalls({ launches: [this.#launch] }));
  }

  #toggleAim(button: HTMLButtonElement): void {
    const isOn = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(isOn));
    this.#aimBox.hidden = !isOn;
    this.onAim(isOn ? "on" : "off");
  }

  #automatic(): HTMLElement {
    const { store, toasts } = this.#page;
    const box = element("input", {
      attributes: { type: "checkbox", role: "switch" },
      on: { change: () => void toasts.guard(changeSettings({ automatic: box.checked })) },
    });
    const label = element("label", { class: "switch" }, [box, element("span", { text: "One after the other" })]);
    refreshOn(store.changes, ["hello"], () => {
      box.checked = store.settings?.automatic ?? false;
      box.disabled = !(store.hello?.facts.controls.includes("automatic") ?? false);
    });
    return label;
  }

  #button(text: string, kind: string, key: string | null, act: () => void): HTMLButtonElement {
    return element("button", { class: kind, attributes: { type: "button" }, on: { click: act } }, [
      text,
      key === null ? null : element("kbd", { text: key }),
    ]);
  }
}
