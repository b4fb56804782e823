import { type CatchMode, modeLabels } from "../controls/mode-words.js";
import { element, setText } from "../dom/element.js";
import { percent } from "../dom/format.js";
import { createPanel } from "../dom/panel.js";
import { Segmented } from "../dom/segmented.js";
import { followReplay, replayReport, startReplay } from "./replay-service.js";

type Wish = "as recorded" | CatchMode;

/** Runs the pipeline again on a recording, in another mode if one likes, and shows the report beside earlier ones. */
export class ReplayJobPanel {
  readonly element: HTMLElement;
  readonly #recording: () => Promise<string>;
  readonly #jobs = element("div", { class: "job" });
  readonly #addresses: string[] = [];

  /** `recording` gives its identity at the service, to which it may have to be brought first. */
  constructor(recording: () => Promise<string>) {
    this.#recording = recording;
    let wish: Wish = "as recorded";
    const choices = [{ value: "as recorded", text: "as it was" } as const, ...modeLabels];
    const modes = new Segmented<Wish>("Mode of the replay", choices, (chosen) => {
      wish = chosen;
      modes.value = chosen;
    });
    modes.value = wish;
    const start = element("button", {
      class: "primary",
      text: "Run it again",
      attributes: { type: "button" },
      on: { click: () => void this.#run(wish) },
    });
    const words = "The whole pipeline works on what was recorded; start two and compare.";
    this.element = createPanel({ title: "Replay", hint: words }, [
      element("div", { class: "job" }, [modes.element, start, element("p", { class: "quiet", text: words })]),
      this.#jobs,
    ]).element;
  }

  dispose(): void {
    for (const address of this.#addresses) URL.revokeObjectURL(address);
  }

  async #run(wish: Wish): Promise<void> {
    const title = element("h3", { text: `Replay, ${wish}` });
    const bar = element("progress", { attributes: { max: 1, value: 0 } });
    const words = element("p", { class: "quiet", attributes: { role: "status" } });
    const job = element("div", { class: "job" }, [title, bar, words]);
    this.#jobs.prepend(job);
    try {
      const first = await startReplay(await this.#recording(), wish === "as recorded" ? null : wish);
      const { id, state, problem } = await followReplay(first, ({ progress }) => {
        bar.value = progress;
        setText(words, percent(progress));
      });
      bar.remove();
      setText(words, state === "done" ? "done" : (problem?.detail ?? "failed"));
      if (state === "done") job.append(this.#frame(await replayReport(id)));
    } catch (error) {
      bar.remove();
      setText(words, error instanceof Error ? error.message : String(error));
    }
  }

  /** A report is a page of its own: it is framed without any right to run scripts. */
  #frame(report: Blob): HTMLElement {
    const address = URL.createObjectURL(report);
    this.#addresses.push(address);
    return element("iframe", {
      class: "report-frame",
      attributes: { src: address, sandbox: "", title: "Report of the replay" },
    });
  }
}
