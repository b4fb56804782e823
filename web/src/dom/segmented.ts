import { element } from "./element.js";

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly text: string;
  readonly hint?: string;
}

/** A row of buttons of which one is pressed. */
export class Segmented<Value extends string> {
  readonly element: HTMLElement;
  readonly #buttons = new Map<Value, HTMLButtonElement>();

  constructor(label: string, choices: readonly Choice<Value>[], choose: (value: Value) => void) {
    for (const { value, text, hint } of choices) {
      const button = element("button", {
        text,
        attributes: { type: "button", "aria-pressed": "false", title: hint ?? null },
        on: { click: () => choose(value) },
      });
      this.#buttons.set(value, button);
    }
    this.element = element("div", { class: "segmented", attributes: { role: "group", "aria-label": label } }, [
      ...this.#buttons.values(),
    ]);
  }

  set value(value: Value | null) {
    for (const [own, button] of this.#buttons) button.setAttribute("aria-pressed", String(own === value));
  }

  /** Choices that cannot be taken. */
  set disabled(values: readonly Value[]) {
    for (const [own, button] of this.#buttons) button.disabled = values.includes(own);
  }
}
