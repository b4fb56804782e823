import type { PlanRequest } from "../../../src/planning/request/request.js";
import { element } from "../dom/element.js";
import { createPanel } from "../dom/panel.js";
import { Segmented } from "../dom/segmented.js";
import type { Toasts } from "../dom/toast.js";
import { asCurl, asTypeScript } from "./problem.js";

type Language = "curl" | "typescript";

/** The request as a command or a program, to be taken away. */
export class CopyPanel {
  readonly element: HTMLElement;
  readonly #text = element("pre", { class: "code", attributes: { tabindex: 0 } });
  readonly #choice: Segmented<Language>;
  #language: Language = "curl";
  #request: PlanRequest | null = null;

  constructor(toasts: Toasts) {
    const choices = [
      { value: "curl", text: "curl" },
      { value: "typescript", text: "TypeScript" },
    ] as const;
    this.#choice = new Segmented<Language>("Language", choices, (language) => {
      this.#language = language;
      this.#write();
    });
    const copy = element("button", {
      text: "Copy",
      attributes: { type: "button" },
      on: {
        click: () =>
          void toasts.guard(
            navigator.clipboard.writeText(this.#text.textContent ?? "").then(() => toasts.say("Copied")),
          ),
      },
    });
    this.element = createPanel({ title: "Export" }, [
      element("div", { class: "copy-row" }, [this.#choice.element, copy]),
      this.#text,
    ]).element;
  }

  set request(request: PlanRequest) {
    this.#request = request;
    this.#write();
  }

  #write(): void {
    this.#choice.value = this.#language;
    if (this.#request === null) return;
    this.#text.textContent =
      this.#language === "curl" ? asCurl(this.#request, location.origin) : asTypeScript(this.#request);
  }
}
