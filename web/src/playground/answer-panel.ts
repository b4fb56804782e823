import type { PlanAnswer } from "../../../src/planning/request/answer.js";
import { type CatchMode, modeWords } from "../controls/mode-words.js";
import { element, setText } from "../dom/element.js";
import { number, percent, words } from "../dom/format.js";
import { createPanel } from "../dom/panel.js";

/** Short enough for a column. */
function missWords(status: PlanAnswer["status"]): string {
  return status === "budget-exhausted" ? "time is over" : status;
}

/** The answers of all four modes side by side; one is chosen to be seen in the picture. */
export class AnswerPanel {
  readonly element: HTMLElement;
  readonly #body = element("tbody");
  readonly #reasons = element("div", { class: "reasons" });
  readonly #note: HTMLElement;
  readonly #choose: (mode: CatchMode) => void;

  constructor(choose: (mode: CatchMode) => void) {
    this.#choose = choose;
    const columns = ["mode", "catch", "arm", "objective", "P", "planned in"];
    const head = element(
      "tr",
      {},
      columns.map((name) => element("th", { text: name, attributes: { scope: "col" } })),
    );
    const table = element("table", { class: "figures answers" }, [element("thead", {}, [head]), this.#body]);
    const panel = createPanel({ title: "Plan of each mode", hint: "Choose one to see its motion." }, [
      element("div", { class: "scroll-x" }, [table]),
      this.#reasons,
    ]);
    this.element = panel.element;
    this.#note = panel.note;
  }

  set state(text: string) {
    setText(this.#note, text);
  }

  show(answers: ReadonlyMap<CatchMode, PlanAnswer>, chosen: CatchMode): void {
    this.#body.replaceChildren(...[...answers].map(([mode, answer]) => this.#row(mode, answer, mode === chosen)));
    const answer = answers.get(chosen);
    const reasons = answer?.catch === undefined ? (answer?.reasons ?? []) : [];
    this.#reasons.hidden = reasons.length === 0;
    this.#reasons.replaceChildren(
      element("h3", { text: "Why it cannot be caught" }),
      element(
        "ol",
        {},
        reasons.map(({ kind, sentence }) =>
          element("li", {}, [element("strong", { text: words(kind) }), ` ${sentence}`]),
        ),
      ),
    );
  }

  #row(mode: CatchMode, answer: PlanAnswer, isChosen: boolean): HTMLElement {
    const cell = (text: string): HTMLElement => element("td", { class: "figure", text });
    const caught = answer.catch;
    const button = element("button", {
      text: mode,
      attributes: { type: "button", "aria-pressed": String(isChosen), title: modeWords[mode] },
      on: { click: () => this.#choose(mode) },
    });
    return element("tr", { attributes: { "data-mode": mode, "data-status": answer.status } }, [
      element("th", { attributes: { scope: "row" } }, [button]),
      cell(caught === undefined ? missWords(answer.status) : `${number(caught.time, 3)} s`),
      cell(words(answer.group)),
      cell(answer.objective === undefined ? "–" : number(answer.objective, 3)),
      cell(answer.successProbability === undefined ? "–" : percent(answer.successProbability)),
      cell(`${number(answer.statistics.milliseconds, 1)} ms`),
    ]);
  }
}
