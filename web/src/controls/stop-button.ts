import { stopRobot } from "../connection/live-actions.js";
import { element } from "../dom/element.js";
import { Listeners } from "../dom/listeners.js";
import { refreshOn } from "../dom/refresh.js";
import type { LiveStore } from "../live/live-store.js";
import { type StopTiming, stopTiming } from "../live/stop-timing.js";

/** The emergency stop: a button that is always there, and the space bar. */
export class StopButton {
  readonly element: HTMLButtonElement;
  readonly timings = new Listeners<StopTiming>();
  readonly failures = new Listeners<Error>();

  constructor(store: LiveStore) {
    this.element = element(
      "button",
      {
        class: "stop",
        attributes: { type: "button", "aria-keyshortcuts": "Space", title: "Stop the robot at once (space bar)" },
        on: { pointerdown: () => this.stop() },
      },
      [element("span", { text: "STOP" }), element("kbd", { text: "space" })],
    );
    // Before anything else on the page hears of the key.
    window.addEventListener("keydown", (event) => this.#handle(event), { capture: true });
    refreshOn(store.changes, ["state", "hello"], () => {
      const activity = store.state?.activity;
      this.element.classList.toggle("stopped", activity === "stopped" || activity === "fault");
    });
  }

  stop(): void {
    const asked = performance.now();
    stopRobot().then(
      ({ braked }) => {
        const answeredAfter = performance.now() - asked;
        const timing = stopTiming(performance.timeOrigin + asked, answeredAfter, braked);
        this.element.dataset.brakedAfter = String(timing.brakedAfter ?? timing.answeredAfter);
        this.timings.emit(timing);
      },
      (error: Error) => this.failures.emit(error),
    );
  }

  #handle(event: KeyboardEvent): void {
    if (event.code !== "Space" || isWriting(event.target)) return;
    if (!event.repeat) this.stop();
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Whether a space belongs into a text. */
export function isWriting(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && ["text", "password", "search", "number"].includes(target.type);
}
