import type { Connection } from "./connection/live-stream.js";
import { element, setText } from "./dom/element.js";
import { type IconName, icon } from "./dom/icons.js";
import { refreshOn } from "./dom/refresh.js";
import type { LiveStore } from "./live/live-store.js";
import type { Page } from "./page.js";
import { isDark, setTheme } from "./theme.js";

export type SheetName = "live" | "replay" | "playground" | "system";

export const sheetNames: readonly { readonly name: SheetName; readonly text: string }[] = [
  { name: "live", text: "Live" },
  { name: "replay", text: "Replay" },
  { name: "playground", text: "Playground" },
  { name: "system", text: "System" },
];

export interface HeaderActions {
  readonly open: (sheet: SheetName) => void;
  readonly present: () => void;
  readonly askForToken: () => void;
  readonly showKeys: () => void;
}

/** Name, sheets, connection, and what holds for the whole page. */
export class Header {
  readonly element: HTMLElement;
  readonly #tabs = new Map<SheetName, HTMLAnchorElement>();

  constructor(page: Page, stop: HTMLElement, actions: HeaderActions) {
    for (const { name, text } of sheetNames) {
      const tab = element("a", { text, attributes: { href: `#${name}` }, on: { click: () => actions.open(name) } });
      this.#tabs.set(name, tab);
    }
    this.element = element("header", { class: "header" }, [
      element("h1", { class: "name" }, [
        element("span", { class: "mark", attributes: { "aria-hidden": "true" } }),
        "Flycatcher",
      ]),
      element("nav", { class: "tabs", attributes: { "aria-label": "Sheets" } }, [...this.#tabs.values()]),
      createStatus(page),
      element("div", { class: "header-buttons" }, [
        iconButton("key", "Token", actions.askForToken),
        iconButton("help", "Keys (?)", actions.showKeys),
        iconButton("theme", "Light or dark (L)", toggleTheme),
        iconButton("present", "Presentation (P)", actions.present),
      ]),
      stop,
    ]);
  }

  set sheet(current: SheetName) {
    for (const [name, tab] of this.#tabs) {
      if (name === current) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
  }
}

export function toggleTheme(): void {
  setTheme(isDark() ? "light" : "dark");
}

function iconButton(name: IconName, label: string, act: () => void): HTMLElement {
  const attributes = { type: "button", "aria-label": label, title: label };
  return element("button", { class: "icon", attributes, on: { click: act } }, [icon(name)]);
}

/** Whether the page hears the service, and what the robot is about. */
function createStatus({ stream, store }: Page): HTMLElement {
  const words = element("span");
  const status = element("p", { class: "status", attributes: { role: "status" } }, [
    element("span", { class: "status-light", attributes: { "aria-hidden": "true" } }),
    words,
  ]);
  const update = (): void => {
    status.dataset.connection = stream.connection.state;
    status.dataset.activity = activityOf(store) ?? "unknown";
    const { robot } = store.hello?.facts ?? {};
    setText(words, statusWords(stream.connection, robot, activityOf(store), speedOf(store)));
  };
  stream.connections.add(update);
  refreshOn(store.changes, ["state", "hello", "start"], update);
  return status;
}

function activityOf({ start, state }: LiveStore): string | undefined {
  return start === null ? state?.activity : "starting";
}

/** How fast time goes, where that is not real time. */
function speedOf({ settings }: LiveStore): string | undefined {
  return settings === null || settings.speed === 1 ? undefined : `speed ${Number(settings.speed.toFixed(2))}`;
}

function statusWords({ state }: Connection, ...words: readonly (string | undefined)[]): string {
  const connection: Readonly<Record<Connection["state"], string>> = {
    connected: words.filter((word) => word !== undefined).join(" · "),
    connecting: "connecting",
    lost: "reconnecting",
    "no-run": "no live run",
    refused: "token needed",
  };
  return connection[state];
}
