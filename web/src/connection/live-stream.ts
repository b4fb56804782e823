import type { PageMessage } from "../../../src/messages/page.js";
import {
  decodeImagePacket,
  decodePosePacket,
  type ImagePacket,
  type PosePacket,
} from "../../../src/view/pose-packet.js";
import { decodeSweptPacket, type SweptPacket } from "../../../src/view/swept-packet.js";
import { Listeners } from "../dom/listeners.js";
import { readToken } from "./access-token.js";
import { BackOff } from "./back-off.js";
import { ServiceError, send } from "./service-request.js";

/** How the page stands with the service. */
export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "connected" }
  /** It went away, or never was there; tried again by itself at `retryAt` (of `Date.now()`). */
  | { readonly state: "lost"; readonly retryAt: number }
  /** The service answers, but has no live run. */
  | { readonly state: "no-run" }
  /** A token is needed, or another one. */
  | { readonly state: "refused" };

/** A service without a live run may get one by being started again: looked at again after so long [ms]. */
const NO_RUN_RETRY_MS = 15_000;

/** Heartbeats within the longest time that may pass between two. */
const BEATS = 5;

/** The WebSocket of a live run. Connects, and connects again, by itself. */
export class LiveStream {
  readonly messages = new Listeners<PageMessage>();
  readonly poses = new Listeners<PosePacket>();
  readonly images = new Listeners<ImagePacket>();
  readonly swept = new Listeners<SweptPacket>();
  readonly connections = new Listeners<Connection>();
  connection: Connection = { state: "connecting" };
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #wishes = { images: false, swept: false };
  #fields: readonly string[] = [];
  #isClosed = false;
  #beats: ReturnType<typeof setInterval> | undefined;
  #beatNumber = 0;
  readonly #backOff = new BackOff();

  /** Asks first over HTTP, which says why not; a WebSocket only says that. */
  async connect(): Promise<void> {
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#become({ state: "connecting" });
    try {
      await send("/v1/live");
    } catch (error) {
      this.#failed(error);
      return;
    }
    if (!this.#isClosed) this.#open();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#beats);
    this.#socket?.close();
  }

  /** Camera images and swept volumes cost the service something: they come only while they are shown. */
  watch(what: "images" | "swept", wish: "on" | "off"): void {
    this.#wishes[what] = wish === "on";
    this.#say({ type: "watch", ...this.#wishes });
  }

  /** Fields of messages that are sampled, and no others. */
  plot(fields: readonly string[]): void {
    if (fields.length === 0 && this.#fields.length === 0) return;
    this.#fields = fields;
    this.#say({ type: "plot", fields });
  }

  /** Heartbeats go out, several within `longestMs`; 0: none are expected. A page that hangs, or is hidden, sends none. */
  beatWithin(longestMs: number): void {
    clearInterval(this.#beats);
    if (longestMs === 0) return;
    this.#beats = setInterval(() => this.#say({ type: "beat", number: ++this.#beatNumber }), longestMs / BEATS);
  }

  #open(): void {
    const address = new URL("/v1/live/stream", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const token = readToken();
    const socket = new WebSocket(address, ["flycatcher.v1", ...(token === null ? [] : [`bearer.${token}`])]);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.addEventListener("open", () => this.#opened());
    socket.addEventListener("message", ({ data }) => this.#handle(data as string | ArrayBuffer));
    socket.addEventListener("close", () => {
      if (this.#socket === socket) this.#failed(null);
    });
  }

  #opened(): void {
    this.#backOff.reset();
    if (this.#wishes.images || this.#wishes.swept) this.#say({ type: "watch", ...this.#wishes });
    if (this.#fields.length > 0) this.#say({ type: "plot", fields: this.#fields });
    this.#become({ state: "connected" });
  }

  #handle(data: string | ArrayBuffer): void {
    if (typeof data === "string") {
      this.messages.emit(JSON.parse(data) as PageMessage);
      return;
    }
    const bytes = new Uint8Array(data);
    const pose = decodePosePacket(bytes);
    if (pose !== null) {
      this.poses.emit(pose);
      return;
    }
    const image = decodeImagePacket(bytes);
    if (image !== null) this.images.emit(image);
    const swept = decodeSweptPacket(bytes);
    if (swept !== null) this.swept.emit(swept);
  }

  #failed(error: unknown): void {
    this.#socket = null;
    if (this.#isClosed) return;
    if (error instanceof ServiceError && error.needsToken) {
      this.#become({ state: "refused" });
      return;
    }
    const isWithoutRun = error instanceof ServiceError && error.status === 404;
    const waitMs = isWithoutRun ? NO_RUN_RETRY_MS : this.#backOff.next();
    this.#timer = setTimeout(() => void this.connect(), waitMs);
    this.#become(isWithoutRun ? { state: "no-run" } : { state: "lost", retryAt: Date.now() + waitMs });
  }

  #say(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #become(connection: Connection): void {
    this.connection = connection;
    this.connections.emit(connection);
  }
}
