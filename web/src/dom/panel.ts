import { type Child, element } from "./element.js";

/** A part of the page with a heading, which can be folded. */
export interface Panel {
  readonly element: HTMLDetailsElement;
  readonly body: HTMLElement;
  /** At the right of the heading: a figure, a unit. */
  readonly note: HTMLElement;
}

export interface PanelOptions {
  readonly title: string;
  /** What is to be seen, for those who hover or listen. */
  readonly hint?: string;
  readonly state?: "open" | "folded";
  readonly class?: string;
}

export function createPanel(
  { title, hint, state = "open", class: extra = "" }: PanelOptions,
  children: readonly Child[],
): Panel {
  const note = element("span", { class: "panel-note" });
  const body = element("div", { class: "panel-body" }, children);
  const heading = element("h2", { text: title, attributes: { title: hint ?? null } });
  const summary = element("summary", {}, [heading, note]);
  const panel = element("details", { class: `panel ${extra}`, attributes: { open: state === "open" ? "" : null } }, [
    summary,
    body,
  ]);
  return { element: panel, body, note };
}

/** What stands where there is nothing to show yet. */
export function emptyNote(text: string): HTMLElement {
  return element("p", { class: "empty", text });
}
