import { keepToken, readToken } from "../connection/access-token.js";
import { element } from "../dom/element.js";

/** Asks for the service's token. */
export class TokenDialog {
  readonly element: HTMLDialogElement;
  readonly #input = element("input", {
    attributes: { type: "password", id: "token", autocomplete: "off", spellcheck: "false" },
  });

  /** `kept` is called after a token was entered. */
  constructor(kept: () => void) {
    const form = element("form", { attributes: { method: "dialog" } }, [
      element("h2", { text: "Token" }),
      element("p", {
        class: "quiet",
        text: "This service is open to a network and asks for its token (service.token). It stays in this tab and is sent in a header only.",
      }),
      element("label", { text: "Token", attributes: { for: "token" } }),
      this.#input,
      element("div", { class: "button-row" }, [
        element("button", { class: "primary", text: "Use it", attributes: { value: "use" } }),
        element("button", { text: "Cancel", attributes: { value: "cancel", formnovalidate: "" } }),
      ]),
    ]);
    this.element = element("dialog", { class: "dialog" }, [form]);
    this.element.addEventListener("close", () => {
      if (this.element.returnValue !== "use") return;
      keepToken(this.#input.value.trim());
      this.#input.value = "";
      kept();
    });
  }

  open(): void {
    if (this.element.open) return;
    this.#input.placeholder = readToken() === null ? "" : "kept";
    this.element.returnValue = "";
    this.element.showModal();
  }
}
