import { element, setText } from "../dom/element.js";
import { percent } from "../dom/format.js";
import { createPanel } from "../dom/panel.js";
import { changeWords, type ReplayChanges, ReplayParameters } from "./replay-parameters.js";
import { followReplay, replayReport, startReplay } from "./replay-service.js";

/** Runs the pipeline again on a recording, with something changed if one likes, and shows the report beside earlier ones. */
export class ReplayJobPanel {
  readonly element: HTMLElement;
  readonly #recording: () => Promise<string>;
  readonly #jobs = element("div", { class: "job" });
  readonly #addresses: string[] = [];

  /** `recording` gives its identity at the service, to which it may have to be brought first. */
  constructor(recording: () => Promise<string>) {
    this.#recording = recording;
    const parameters = new ReplayParameters();
    const start = element("button", {
      class: "primary",
      text: "Run it again",
      attributes: { type: "button" },
      on: {
        click: () => {
          const changes = parameters.changes();
          if (changes !== null) void this.#run(changes);
        },
      },
    });
    const words = "The whole pipeline runs on the recording; start two and compare.";
    this.element = createPanel({ title: "Replay", hint: words }, [
      element("div", { class: "job" }, [parameters.element, start, element("p", { class: "quiet", text: words })]),
      this.#jobs,
    ]).element;
  }

  dispose(): void {
    for (const address of this.#addresses) URL.revokeObjectURL(address);
  }

  async #run(changes: ReplayChanges): Promise<void> {
    const title = element("h3", { text: `Replay, ${changeWords(changes)}` });
    const bar = element("progress", { attributes: { max: 1, value: 0 } });
    const words = element("p", { class: "quiet", attributes: { role: "status" } });
    const job = element("div", { class: "job" }, [title, bar, words]);
    this.#jobs.prepend(job);
    try {
      const first = await startReplay(await this.#recording(), changes);
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
