import { stopRobot } from "../connection/live-actions.js";
import { element } from "../dom/element.js";
import { Listeners } from "../dom/listeners.js";
import { refreshOn } from "../dom/refresh.js";
import type { LiveStore } from "../live/live-store.js";

/** When a stop was asked for, by the browser's `Date`-like clock, and how long the service took to answer [ms]. */
export interface StopTiming {
  readonly asked: number;
  readonly answeredAfter: number;
}

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
    window.addEventListener("keydown", (event) => this.#heed(event), { capture: true });
    refreshOn(store.changes, ["state", "hello"], () => {
      const activity = store.state?.activity;
      this.element.classList.toggle("stopped", activity === "stopped" || activity === "fault");
    });
  }

  stop(): void {
    const answer = stopRobot();
    const asked = performance.now();
    answer.then(
      () => this.timings.emit({ asked: performance.timeOrigin + asked, answeredAfter: performance.now() - asked }),
      (error: Error) => this.failures.emit(error),
    );
  }

  #heed(event: KeyboardEvent): void {
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
