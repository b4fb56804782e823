import type { LiveStream } from "./connection/live-stream.js";
import type { Toasts } from "./dom/toast.js";
import type { LiveStore } from "./live/live-store.js";
import type { Rendering } from "./scene/scene-view.js";

/** What all parts of the page share. */
export interface Page {
  readonly stream: LiveStream;
  readonly store: LiveStore;
  readonly toasts: Toasts;
  /** As the address says with `?render=paused` or `?render=rarely`; else as things change. */
  readonly rendering: Rendering;
}

/** One of the page's sheets. */
export interface Sheet {
  readonly element: HTMLElement;
  /** It is to be seen from now on, or not any more. */
  show?(): void;
  hide?(): void;
  /** Handles a key that nothing else has handled; whether it did. */
  key?(event: KeyboardEvent): boolean;
}
