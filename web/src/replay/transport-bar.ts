import { element, setText } from "../dom/element.js";
import { number } from "../dom/format.js";
import { icon } from "../dom/icons.js";
import { Segmented } from "../dom/segmented.js";
import type { RecordingPlayer } from "./recording-player.js";

/** One camera frame [s]. */
const STEP = 0.04;

const speeds = [
  { value: "0.1", text: "⅒" },
  { value: "0.25", text: "¼" },
  { value: "1", text: "1" },
  { value: "2", text: "2" },
] as const;
type Speed = (typeof speeds)[number]["value"];

/** Play, step, scrub, and jump to a catch. */
export class TransportBar {
  readonly element: HTMLElement;
  readonly #player: RecordingPlayer;
  readonly #play: HTMLButtonElement;
  readonly #slider: HTMLInputElement;
  readonly #label = element("output", { class: "figure transport-time" });
  readonly #end: () => void;

  constructor(player: RecordingPlayer) {
    this.#player = player;
    const { begin, end, catches } = player.session;
    this.#play = button("play", "Play or pause (K)", () => this.toggle());
    this.#slider = element("input", {
      class: "scrub",
      attributes: { type: "range", min: begin, max: end, step: 0.001, value: begin, "aria-label": "Time" },
      on: {
        input: () => {
          player.pause();
          player.seek(this.#slider.valueAsNumber);
        },
      },
    });
    const pace = new Segmented<Speed>("Speed", speeds, (value) => {
      player.speed = Number(value);
      pace.value = value;
    });
    pace.value = "1";
    this.element = element("section", { class: "transport", attributes: { "aria-label": "Playback" } }, [
      element("div", { class: "transport-row" }, [
        button("back", "Previous frame (←)", () => this.step(-1)),
        this.#play,
        button("forth", "Next frame (→)", () => this.step(1)),
        element("div", { class: "scrub-track" }, [this.#marks(catches, begin, end), this.#slider]),
        this.#label,
        pace.element,
      ]),
      this.#jumps(catches),
    ]);
    this.#end = player.times.add((time) => this.#show(time));
    this.#show(player.time);
  }

  toggle(): void {
    if (this.#player.isPlaying) this.#player.pause();
    else this.#player.play();
  }

  step(frames: number): void {
    this.#player.pause();
    this.#player.seek(this.#player.time + frames * STEP);
  }

  dispose(): void {
    this.#end();
  }

  #show(time: number): void {
    this.#slider.valueAsNumber = time;
    setText(this.#label, `${number(time, 3)} s`);
    this.#play.replaceChildren(icon(this.#player.isPlaying ? "pause" : "play"));
  }

  #marks(catches: readonly number[], begin: number, end: number): HTMLElement {
    const marks = catches.map((time) => {
      const mark = element("span", { class: "scrub-mark" });
      mark.style.left = `${(100 * (time - begin)) / Math.max(1e-9, end - begin)}%`;
      return mark;
    });
    return element("div", { class: "scrub-marks", attributes: { "aria-hidden": "true" } }, marks);
  }

  #jumps(catches: readonly number[]): HTMLElement {
    const jump = (time: number, k: number): HTMLElement =>
      element("button", {
        text: catches.length === 1 ? "Jump to the catch" : `Catch ${k + 1}`,
        attributes: { type: "button", title: `${number(time, 3)} s` },
        on: {
          click: () => {
            this.#player.pause();
            this.#player.seek(time);
          },
        },
      });
    return element(
      "div",
      { class: "chips", attributes: { role: "group", "aria-label": "Jump to a catch" } },
      catches.map(jump),
    );
  }
}

function button(name: "play" | "back" | "forth", label: string, act: () => void): HTMLButtonElement {
  const attributes = { type: "button", "aria-label": label, title: label };
  return element("button", { class: "icon", attributes, on: { click: act } }, [icon(name)]);
}
