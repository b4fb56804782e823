import { element, setText } from "./element.js";

export interface SliderOptions {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  readonly format: (value: number) => string;
  /** While it is dragged. */
  readonly input?: (value: number) => void;
  /** When it is let go. */
  readonly change?: (value: number) => void;
}

/** A labelled slider with its value beside it. */
export class Slider {
  readonly element: HTMLLabelElement;
  readonly #input: HTMLInputElement;
  readonly #output = element("output", { class: "figure" });
  readonly #format: (value: number) => string;

  constructor({ label, min, max, step, value, format, input, change }: SliderOptions) {
    this.#format = format;
    this.#input = element("input", {
      attributes: { type: "range", min, max, step, value },
      on: {
        input: () => {
          setText(this.#output, format(this.value));
          input?.(this.value);
        },
        change: () => change?.(this.value),
      },
    });
    setText(this.#output, format(value));
    this.element = element("label", { class: "slider" }, [element("span", { text: label }), this.#input, this.#output]);
  }

  get value(): number {
    return this.#input.valueAsNumber;
  }

  /** Set from outside, unless a person has hold of it. */
  set value(value: number) {
    if (document.activeElement === this.#input && this.#input.matches(":active")) return;
    this.#input.valueAsNumber = value;
    setText(this.#output, this.#format(value));
  }

  set disabled(isDisabled: boolean) {
    this.#input.disabled = isDisabled;
  }
}
