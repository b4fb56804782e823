import type { Channel } from "../../channels/channel.js";
import type { GetPort } from "../../channels/get-port.js";
import type { Event } from "../../messages/event.js";
import type { LiveEvent } from "./live-watcher.js";

const POLL_MS = 20;

/** Hands on what the threads of a run tell as events. */
export class EventReader {
  readonly #port: GetPort<Event>;
  readonly #listener: (event: LiveEvent) => void;
  readonly #timer: NodeJS.Timeout;

  constructor(events: Channel<Event>, listener: (event: LiveEvent) => void) {
    this.#port = events.openGetPort("every");
    this.#listener = listener;
    this.#timer = setInterval(() => this.#read(), POLL_MS);
  }

  #read(): void {
    for (let packet = this.#port.tryReceive(); packet !== null; packet = this.#port.tryReceive()) {
      this.#listener({
        time: packet.t.seconds,
        severity: packet.severity,
        source: packet.source.read(),
        code: packet.code.read(),
        text: packet.text.read(),
      });
      this.#port.release(packet);
    }
  }

  /** Hands on what is still there, and no more. */
  close(): void {
    clearInterval(this.#timer);
    this.#read();
    this.#port.close();
  }
}
