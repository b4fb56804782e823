import type { LogLine } from "../../../src/messages/system.js";
import { element, setText } from "../dom/element.js";
import { number } from "../dom/format.js";
import { refreshOn } from "../dom/refresh.js";
import type { LiveStore } from "../live/live-store.js";
import { type Level, type LogFilter, levels, MOST_LINES, matches } from "./log-lines.js";

/** A list is at its end if no more than this is left below [px]. */
const END = 24;

/** The run's log, newest at the bottom: filtered by node, level and words. Follows new lines while it is at its end. */
export class LogView {
  readonly element: HTMLElement;
  readonly #store: LiveStore;
  readonly #list = element("ol", { class: "log-lines", attributes: { role: "log", "aria-label": "Log", tabindex: 0 } });
  readonly #source = element("select", { attributes: { "aria-label": "Node of the log" } });
  readonly #level: HTMLSelectElement;
  readonly #search: HTMLInputElement;
  readonly #note = element("span", { class: "panel-note" });
  readonly #follow = element("button", {
    class: "log-follow",
    text: "Newest ↓",
    attributes: { type: "button", hidden: "" },
  });
  #filter: LogFilter = { source: "", level: "debug", search: "" };
  #shown = 0;
  #generation = 0;
  #isFollowing = true;
  /** Where the list was scrolled to [px]. */
  #top = 0;

  constructor(store: LiveStore) {
    this.#store = store;
    const changed = (): void => this.#refilter();
    this.#level = element(
      "select",
      { attributes: { "aria-label": "Least level of the log" }, on: { change: changed } },
      levels.map((level) =>
        element("option", { text: level === "debug" ? "all levels" : level, attributes: { value: level } }),
      ),
    );
    this.#search = element("input", {
      attributes: { type: "search", placeholder: "Search", "aria-label": "Search the log", spellcheck: "false" },
      on: { input: changed },
    });
    this.#source.addEventListener("change", changed);
    this.#list.addEventListener("scroll", () => this.#scrolled());
    this.#follow.addEventListener("click", () => this.#goToEnd());
    this.element = element("section", { class: "panel system-log", attributes: { "aria-label": "Log of the run" } }, [
      element("div", { class: "system-head" }, [
        element("h2", { text: "Log" }),
        this.#note,
        element("div", { class: "log-filters" }, [this.#source, this.#level, this.#search]),
      ]),
      element("div", { class: "log-frame" }, [this.#list, this.#follow]),
    ]);
    new ResizeObserver(() => {
      if (this.#isFollowing) this.#goToEnd();
    }).observe(this.#list);
    refreshOn(store.changes, ["event", "log", "hello"], () => this.#update());
  }

  /** Shows the lines of one node. */
  showNode(name: string): void {
    if (![...this.#source.options].some(({ value }) => value === name)) this.#source.append(option(name));
    this.#source.value = name;
    this.#refilter();
  }

  #refilter(): void {
    const level = this.#level.value as Level;
    this.#filter = { source: this.#source.value, level, search: this.#search.value.trim() };
    this.#list.replaceChildren();
    this.#shown = 0;
    this.#isFollowing = true;
    this.#update();
  }

  #update(): void {
    const { lines } = this.#store;
    if (lines.generation !== this.#generation) {
      this.#generation = lines.generation;
      this.#list.replaceChildren();
      this.#shown = 0;
    }
    const added = lines.since(this.#shown).filter((line) => matches(line, this.#filter));
    this.#shown = lines.count;
    this.#list.append(...added.map(row));
    while (this.#list.childElementCount > MOST_LINES) this.#list.firstElementChild!.remove();
    this.#updateSources(lines.sources);
    setText(this.#note, `${this.#list.childElementCount} of ${Math.min(lines.count, MOST_LINES)} lines`);
    this.#list.dataset.shown = String(this.#list.childElementCount);
    if (this.#isFollowing) this.#goToEnd();
  }

  #updateSources(sources: readonly string[]): void {
    const known = [...this.#source.options].map(({ value }) => value);
    if (known.length === 0) this.#source.append(option("", "all nodes"));
    for (const source of sources) if (!known.includes(source)) this.#source.append(option(source));
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#list;
    // Only a person scrolls up: new lines and another size of the list do not.
    if (scrollTop < this.#top) this.#isFollowing = false;
    if (scrollHeight - scrollTop - clientHeight <= END) this.#isFollowing = true;
    this.#top = scrollTop;
    this.#follow.hidden = this.#isFollowing;
  }

  #goToEnd(): void {
    this.#isFollowing = true;
    this.#follow.hidden = true;
    this.#list.scrollTop = this.#list.scrollHeight;
    this.#top = this.#list.scrollTop;
  }
}

function option(value: string, text = value): HTMLOptionElement {
  return element("option", { text, attributes: { value } });
}

function row({ time, severity, source, code, text }: LogLine): HTMLElement {
  return element("li", { class: `log-line ${severity}`, attributes: { title: code } }, [
    element("span", { class: "log-time figure", text: number(time, 3) }),
    element("span", { class: "log-level", text: severity }),
    element("span", { class: "log-source", text: source }),
    element("span", { class: "log-text", text }),
  ]);
}
