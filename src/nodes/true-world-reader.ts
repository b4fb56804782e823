import type { TrueWorld } from "../messages/world.js";
import type { StreamedScene } from "../simulation/streamed-scene.js";
import type { InPort } from "../transport/port.js";

/** Hands what comes of a streamed world to the scene that simulated sensors look at; nothing where there is no stream. */
export class TrueWorldReader {
  readonly #port: InPort<TrueWorld>;
  readonly #stream: StreamedScene | null;
  #scratch: TrueWorld | undefined;

  constructor(port: InPort<TrueWorld>, stream: StreamedScene | null) {
    this.#port = port;
    this.#stream = stream;
  }

  get isStreamed(): boolean {
    return this.#stream !== null;
  }

  take(nowNs: number): void {
    if (this.#stream === null) return;
    for (;;) {
      const world = this.#port.take(nowNs, this.#scratch);
      if (world === null) return;
      this.#stream.add(world);
      this.#scratch = world;
    }
  }
}
