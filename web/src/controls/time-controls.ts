import { changeSettings, record, resetRobot, stepTime } from "../connection/live-actions.js";
import { element, setText } from "../dom/element.js";
import { number } from "../dom/format.js";
import { refreshOn } from "../dom/refresh.js";
import { Slider } from "../dom/slider.js";
import type { Page } from "../page.js";

const steps = [1, 10, 40] as const;

/** Time in lock-step: stand still, slowly, a step at a time; and the robot: reset, record. */
export class TimeControls {
  readonly element: HTMLElement;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    const { store, toasts } = page;
    const pause = element("button", { attributes: { type: "button" }, on: { click: () => this.togglePause() } });
    const stepButtons = steps.map((ticks) =>
      element("button", {
        text: `+${ticks} ms`,
        attributes: { type: "button", title: ticks === 40 ? "One camera frame" : null },
        on: { click: () => void toasts.guard(stepTime(ticks)) },
      }),
    );
    const speed = new Slider({
      label: "Speed",
      min: -4,
      max: 1,
      step: 0.5,
      value: 0,
      format: (power) => `× ${number(2 ** power, power < 0 ? 2 : 1)}`,
      change: (power) => void toasts.guard(changeSettings({ speed: 2 ** power })),
    });
    const time = element("section", { class: "control-group" }, [
      element("h2", { text: "Time" }),
      element("div", { class: "button-row" }, [pause, ...stepButtons]),
      speed.element,
    ]);
    const reset = element(
      "button",
      { text: "Reset", attributes: { type: "button" }, on: { click: () => this.reset() } },
      [element("kbd", { text: "R" })],
    );
    const recording = element("button", {
      attributes: { type: "button" },
      on: { click: () => this.#toggleRecording() },
    });
    const recordingName = element("p", { class: "quiet" });
    this.element = element("div", { class: "control-stack" }, [
      time,
      element("section", { class: "control-group" }, [
        element("h2", { text: "Run" }),
        element("div", { class: "button-row" }, [reset, recording]),
        recordingName,
      ]),
    ]);
    refreshOn(store.changes, ["hello", "state"], () => {
      const { settings } = store;
      const facts = store.hello?.facts;
      const controls = facts?.controls ?? [];
      time.hidden = facts?.clock !== "lock-step";
      setText(pause, settings?.paused ? "Go on" : "Pause");
      for (const button of stepButtons) button.disabled = settings?.paused !== true;
      speed.value = Math.log2(settings?.speed ?? 1);
      reset.disabled = !controls.includes("reset");
      recording.disabled = !controls.includes("record");
      setText(recording, settings?.recording ? "End recording" : "Record");
      recording.classList.toggle("recording", settings?.recording != null);
      setText(recordingName, settings?.recording ?? "");
    });
  }

  togglePause(): void {
    const { store, toasts } = this.#page;
    if (store.hello?.facts.clock !== "lock-step") return;
    void toasts.guard(changeSettings({ paused: !(store.settings?.paused ?? false) }));
  }

  reset(): void {
    void this.#page.toasts.guard(resetRobot());
  }

  #toggleRecording(): void {
    void this.#page.toasts.guard(record(this.#page.store.settings?.recording == null ? "on" : "off"));
  }
}
