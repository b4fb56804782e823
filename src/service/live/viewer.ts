import type { WebSocket } from "@fastify/websocket";
import type { StageMessage } from "../../view/stage-messages.js";

/** Bytes that may wait for a viewer before poses and images are left out, and before all but what must arrive is. */
const FULL = 65_536;
const OVERFULL = 524_288;
/** What a viewer must hear, however slowly he reads: few and small. */
const indispensable: ReadonlySet<StageMessage["type"]> = new Set(["hello", "throw", "event"]);
/** Longest message a viewer may send [bytes]. */
export const LONGEST_WORD = 16_384;
/** How long a viewer has to answer that the connection is closed [ms]. */
const PATIENCE_MS = 500;
/** Poses a second at most. */
const MOST_POSES = 60;

/** One who watches over a WebSocket. */
export class Viewer {
  wantsImages = false;
  wantsSwept = false;
  readonly #socket: WebSocket;
  readonly #changed: () => void;
  #posePeriodMs = 1000 / MOST_POSES;
  #nextPose = 0;

  /** `changed` is called when he wants images or swept volumes, or no more. */
  constructor(socket: WebSocket, changed: () => void) {
    this.#socket = socket;
    this.#changed = changed;
    socket.on("message", (data, isBinary) => {
      if (!isBinary) this.#hear(String(data));
    });
  }

  #hear(text: string): void {
    const word = parseWord(text);
    if (word === null) {
      this.#socket.close(1008, "expected {type: watch, images, swept} or {type: rate, poses}");
    } else if (word.type === "watch") {
      this.wantsImages = word.images ?? this.wantsImages;
      this.wantsSwept = word.swept ?? this.wantsSwept;
      this.#changed();
    } else {
      this.#posePeriodMs = word.poses === 0 ? Number.POSITIVE_INFINITY : 1000 / word.poses;
      this.#nextPose = 0;
    }
  }

  tell(type: StageMessage["type"], text: string): void {
    if (this.#socket.bufferedAmount < OVERFULL || indispensable.has(type)) this.#socket.send(text);
  }

  /** `now` [ms], on any clock. */
  showPose(bytes: Uint8Array, now: number): void {
    if (now < this.#nextPose || this.#socket.bufferedAmount > FULL) return;
    // A millisecond early is in time: timers are no more exact.
    this.#nextPose = now + this.#posePeriodMs - 1;
    this.#socket.send(bytes);
  }

  showImage(bytes: Uint8Array): void {
    if (this.wantsImages && this.#socket.bufferedAmount <= FULL) this.#socket.send(bytes);
  }

  showSwept(bytes: Uint8Array): void {
    if (this.wantsSwept && this.#socket.bufferedAmount <= FULL) this.#socket.send(bytes);
  }

  close(): void {
    this.#socket.close(1001, "the service closes");
    // Who does not answer holds nobody up.
    setTimeout(() => this.#socket.terminate(), PATIENCE_MS).unref();
  }
}

type Word =
  | { readonly type: "watch"; readonly images?: boolean; readonly swept?: boolean }
  | { readonly type: "rate"; readonly poses: number };

/** What a viewer says; null if it is nothing he may say. */
function parseWord(text: string): Word | null {
  try {
    const word = JSON.parse(text) as Partial<Record<string, unknown>> | null;
    const { poses, images, swept } = word ?? {};
    const isWatch = word?.type === "watch" && isWish(images) && isWish(swept);
    if (isWatch)
      return { type: "watch", ...(images !== undefined && { images }), ...(swept !== undefined && { swept }) };
    const isRate = word?.type === "rate" && typeof poses === "number" && poses >= 0 && poses <= MOST_POSES;
    return isRate ? { type: "rate", poses } : null;
  } catch {
    return null;
  }
}

/** What is not wished for anew stays as it was. */
function isWish(value: unknown): value is boolean | undefined {
  return value === undefined || typeof value === "boolean";
}
