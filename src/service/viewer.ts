import type { WebSocket } from "@fastify/websocket";
import type { PageMessage } from "../messages/page.js";
import { MAX_FIELDS } from "../view/field-taps.js";

/** Bytes that may wait for a viewer before poses and images are left out, and before all but what must arrive is. */
const FULL = 65_536;
const OVERFULL = 524_288;
/** What every viewer gets, however slowly it reads: few and small. */
const indispensable: ReadonlySet<PageMessage["type"]> = new Set(["hello", "start", "throw", "event"]);
/** Longest message a viewer may send [bytes]. */
export const MAX_REQUEST_BYTES = 16_384;
/** How long a viewer has to answer that the connection is closed [ms]. */
const PATIENCE_MS = 500;
/** Poses a second at most. */
const MOST_POSES = 60;

/** What a viewer does beside watching. */
interface ViewerObserver {
  /** It wants images, swept volumes or fields, or no more. */
  changed(): void;
  /** It has given a sign of life. */
  beat(): void;
}

/** A client of the stream, over a WebSocket. */
export class Viewer {
  wantsImages = false;
  wantsSwept = false;
  /** Fields that it plots. */
  fields: readonly string[] = [];
  readonly #socket: WebSocket;
  readonly #observer: ViewerObserver;
  #beatNumber = Number.NaN;
  #posePeriodMs = 1000 / MOST_POSES;
  #nextPose = 0;

  constructor(socket: WebSocket, observer: ViewerObserver) {
    this.#socket = socket;
    this.#observer = observer;
    socket.on("message", (data, isBinary) => {
      if (!isBinary) this.#handle(String(data));
    });
  }

  #handle(text: string): void {
    const request = parseRequest(text);
    if (request === null) {
      this.refuse(
        "expected {type: watch, images, swept}, {type: plot, fields}, {type: rate, poses} or {type: beat, number}",
      );
    } else if (request.type === "plot") {
      this.fields = request.fields;
      this.#observer.changed();
    } else if (request.type === "beat") {
      // One that is sent again is no sign of life.
      if (request.number !== this.#beatNumber) this.#observer.beat();
      this.#beatNumber = request.number;
    } else if (request.type === "watch") {
      this.wantsImages = request.images ?? this.wantsImages;
      this.wantsSwept = request.swept ?? this.wantsSwept;
      this.#observer.changed();
    } else {
      this.#posePeriodMs = request.poses === 0 ? Number.POSITIVE_INFINITY : 1000 / request.poses;
      this.#nextPose = 0;
    }
  }

  /** Ends the connection of a client that asks for what there is not. */
  refuse(reason: string): void {
    this.fields = [];
    this.#socket.close(1008, reason);
  }

  send(type: PageMessage["type"], text: string): void {
    if (type === "samples" && this.fields.length === 0) return;
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
    // A client that does not answer is cut off.
    setTimeout(() => this.#socket.terminate(), PATIENCE_MS).unref();
  }
}

type ViewerRequest =
  | { readonly type: "watch"; readonly images: boolean | undefined; readonly swept: boolean | undefined }
  | { readonly type: "plot"; readonly fields: readonly string[] }
  | { readonly type: "beat"; readonly number: number }
  | { readonly type: "rate"; readonly poses: number };

/** A viewer's request; null if it is none. */
function parseRequest(text: string): ViewerRequest | null {
  try {
    const request = JSON.parse(text) as Partial<Record<string, unknown>> | null;
    const { poses, images, swept, fields, number } = request ?? {};
    if (request?.type === "beat" && Number.isSafeInteger(number)) return { type: "beat", number: number as number };
    if (request?.type === "plot" && isFieldList(fields)) return { type: "plot", fields };
    const isWatch = request?.type === "watch" && isOptionalFlag(images) && isOptionalFlag(swept);
    if (isWatch) return { type: "watch", images, swept };
    const isRate = request?.type === "rate" && typeof poses === "number" && poses >= 0 && poses <= MOST_POSES;
    return isRate ? { type: "rate", poses } : null;
  } catch {
    return null;
  }
}

function isFieldList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MAX_FIELDS && value.every((field) => typeof field === "string");
}

/** A wish that is left out stays as it was. */
function isOptionalFlag(value: unknown): value is boolean | undefined {
  return value === undefined || typeof value === "boolean";
}
