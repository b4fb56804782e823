import { element } from "./element.js";

const SHOWN_MS = 5000;

/** Short words at the edge of the page, read out by screen readers, that go away by themselves. */
export class Toasts {
  readonly element = element("div", { class: "toasts", attributes: { role: "status", "aria-live": "polite" } });

  say(text: string, kind: "info" | "problem" = "info"): void {
    const toast = element("p", { class: `toast ${kind}`, text });
    this.element.append(toast);
    setTimeout(() => toast.remove(), SHOWN_MS);
  }

  /** Says why `action` failed, if it does. */
  async guard(action: Promise<unknown>): Promise<void> {
    try {
      await action;
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), "problem");
    }
  }
}
