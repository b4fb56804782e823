import { element } from "../dom/element.js";
import { number } from "../dom/format.js";
import { emptyNote } from "../dom/panel.js";
import type { Page, Sheet } from "../page.js";
import { createFileDrop } from "./file-drop.js";
import { type ReadRecording, readRecording } from "./recording-file.js";
import { RecordingView } from "./recording-view.js";
import { ReplayJobPanel } from "./replay-job-panel.js";
import { fetchRecording, type StoredRecording, storedRecordings, uploadRecording } from "./replay-service.js";

/** What has been opened so far, to compare with. */
interface Opened {
  readonly recording: ReadRecording;
  /** Its identity at the service, to which a dropped file is brought when it is to run again. */
  readonly identity: () => Promise<string>;
}

/** Recordings: open one from the list or by dropping it, look at any moment of it, run it again, compare. */
export class ReplaySheet implements Sheet {
  readonly element = element("main", { class: "sheet live replay" });
  readonly #page: Page;
  readonly #list = element("div", { class: "recordings" });
  readonly #others = element("div", { class: "recordings" });
  readonly #comparing: HTMLElement;
  readonly #place = element("div", { class: "replay-place" });
  readonly #side = element("aside", { class: "side", attributes: { "aria-label": "Events" } });
  readonly #opened = new Map<string, Opened>();
  #view: RecordingView | null = null;
  #jobs: ReplayJobPanel | null = null;

  constructor(page: Page) {
    this.#page = page;
    this.#comparing = element("section", { class: "control-group", attributes: { hidden: "" } }, [
      element("h2", { text: "Compare with" }),
      this.#others,
    ]);
    const controls = element("div", { class: "controls" }, [
      element("section", { class: "control-group" }, [
        element("h2", { text: "Open" }),
        createFileDrop((file) => void page.toasts.guard(this.#openFile(file))),
      ]),
      element("section", { class: "control-group" }, [element("h2", { text: "Recordings here" }), this.#list]),
      this.#comparing,
    ]);
    this.element.append(controls, this.#welcome(), this.#side);
  }

  show(): void {
    void this.#page.toasts.guard(this.#fillList());
  }

  hide(): void {
    this.#view?.player.pause();
  }

  key({ key }: KeyboardEvent): boolean {
    const { transport } = this.#view ?? {};
    if (transport === undefined) return false;
    if (key === "ArrowLeft") transport.step(-1);
    else if (key === "ArrowRight") transport.step(1);
    else if (key === "k") transport.toggle();
    else return false;
    return true;
  }

  #welcome(): HTMLElement {
    this.#place.className = "replay-welcome";
    this.#place.replaceChildren(
      element("h2", { text: "Replay a throw" }),
      element("p", {
        text: "Open a recording on the left: scrub through it, slow it down, jump to the catch, run the pipeline on it again.",
      }),
    );
    return this.#place;
  }

  async #fillList(): Promise<void> {
    const recordings = await storedRecordings();
    if (recordings === null || recordings.length === 0) {
      const words = recordings === null ? "This service keeps no recordings." : "None yet: press Record in a live run.";
      this.#list.replaceChildren(emptyNote(words));
      return;
    }
    this.#list.replaceChildren(...recordings.map((recording) => this.#entry(recording)));
  }

  #entry({ id, title, robot, perception, duration }: StoredRecording): HTMLElement {
    return element(
      "button",
      {
        class: "recording-entry",
        attributes: { type: "button" },
        on: { click: () => void this.#page.toasts.guard(this.#openStored(id)) },
      },
      [
        element("span", { text: title }),
        element("span", {
          class: "quiet",
          text: `${robot ?? "balls alone"} · ${perception} · ${number(duration, 1)} s`,
        }),
      ],
    );
  }

  async #openFile(file: File): Promise<void> {
    let stored: Promise<string> | null = null;
    const identity = (): Promise<string> => {
      stored ??= uploadRecording(file);
      return stored;
    };
    await this.#open({ recording: await readRecording(file.name, file), identity });
  }

  async #openStored(id: string): Promise<void> {
    const known = this.#opened.get(id);
    if (known !== undefined) return this.#open(known);
    const recording = await readRecording(id, await fetchRecording(id));
    return this.#open({ recording, identity: () => Promise.resolve(id) });
  }

  async #open(opened: Opened): Promise<void> {
    const { recording, identity } = opened;
    const view = await RecordingView.open(recording, this.#page);
    this.#view?.dispose();
    this.#jobs?.dispose();
    this.#view = view;
    this.#opened.set(recording.name, opened);
    this.#place.remove();
    this.element.insertBefore(view.middle, this.#side);
    this.#jobs = new ReplayJobPanel(identity);
    this.#side.replaceChildren(this.#jobs.element, ...view.panels);
    this.#offerOthers();
  }

  #offerOthers(): void {
    const others = [...this.#opened.values()].filter(({ recording }) => recording.name !== this.#view?.name);
    this.#comparing.hidden = others.length === 0;
    const buttons = others.map(({ recording }) => {
      const button = element("button", {
        text: recording.name,
        attributes: { type: "button", "aria-pressed": "false" },
        on: { click: () => void this.#page.toasts.guard(this.#compare(recording, button)) },
      });
      return button;
    });
    this.#others.replaceChildren(...buttons);
  }

  async #compare(recording: ReadRecording, button: HTMLButtonElement): Promise<void> {
    const isOn = button.getAttribute("aria-pressed") !== "true";
    for (const other of this.#others.querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-pressed", String(isOn));
    if (isOn) await this.#view?.compare(recording);
    else this.#view?.stopComparing();
  }
}
