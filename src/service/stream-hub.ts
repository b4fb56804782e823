import type { WebSocket } from "@fastify/websocket";
import { type PageMessage, pageJson } from "../messages/page.js";
import { FlycatcherError } from "../runtime/errors.js";
import { createPosePacket, encodeImagePacket, encodePosePacket, type ImagePacket } from "../view/pose-packet.js";
import type { Session } from "../view/session.js";
import { firstMessages } from "../view/session-broadcast.js";
import { encodeSweptPacket, type SweptPacket } from "../view/swept-packet.js";
import { Viewer } from "./viewer.js";

/** Poses are taken so often [ms]: no viewer gets more. */
const POSE_PERIOD_MS = 1000 / 60;
/** The session is told so often what viewers want to see [ms]. */
const WANTS_PERIOD_MS = 100;

/**
 * Sends a session to all viewers: everything is encoded once, however many there are, and nothing is taken from the session
 * while there are none. A viewer that reads slowly gets less, and delays no other.
 */
export class StreamHub {
  readonly #session: Session;
  readonly #viewers = new Set<Viewer>();
  readonly #pose: ReturnType<typeof createPosePacket>;
  #leave: (() => void) | null = null;
  #timer: NodeJS.Timeout | undefined;
  #lastPose = Number.NaN;
  #plotted: readonly string[] = [];
  /** Set while the wishes of viewers rest, and whether some have changed meanwhile. */
  #rest: NodeJS.Timeout | undefined;
  #haveWantsChanged = false;

  readonly #beat: () => void;

  /** @param beat Called at each heartbeat of a viewer. */
  constructor(session: Session, beat: () => void = () => undefined) {
    this.#session = session;
    this.#beat = beat;
    this.#pose = createPosePacket(session.facts.joints.length, session.facts.hands.length);
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  add(socket: WebSocket): void {
    const viewer: Viewer = new Viewer(socket, { changed: () => this.#updateWants(viewer), beat: this.#beat });
    this.#viewers.add(viewer);
    socket.on("close", () => this.#remove(viewer));
    socket.on("error", () => socket.terminate());
    if (this.#leave === null) {
      this.#begin();
      return;
    }
    for (const message of firstMessages(this.#session.snapshot())) viewer.send(message.type, textOf(message));
  }

  /** The first viewer gets what every new one does. */
  #begin(): void {
    this.#leave = this.#session.subscribe({
      onMessage: (message) => this.#publish(message),
      onImage: (image) => this.#show(image),
      onSwept: (volumes) => this.#showSwept(volumes),
    });
    this.#timer = setInterval(() => this.#showPose(), POSE_PERIOD_MS);
  }

  #remove(viewer: Viewer): void {
    if (!this.#viewers.delete(viewer)) return;
    this.#updateWants(null);
    if (this.#viewers.size === 0) this.#end();
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#leave?.();
    this.#leave = null;
  }

  #publish(message: PageMessage): void {
    const text = textOf(message);
    for (const viewer of this.#viewers) viewer.send(message.type, text);
  }

  #show(image: ImagePacket): void {
    const bytes = encodeImagePacket(image);
    for (const viewer of this.#viewers) viewer.showImage(bytes);
  }

  #showSwept(volumes: SweptPacket): void {
    const bytes = encodeSweptPacket(volumes);
    for (const viewer of this.#viewers) viewer.showSwept(bytes);
  }

  #showPose(): void {
    if (!this.#session.pose(this.#pose) || this.#pose.time === this.#lastPose) return;
    this.#lastPose = this.#pose.time;
    const bytes = encodePosePacket(this.#pose);
    const now = performance.now();
    for (const viewer of this.#viewers) viewer.showPose(bytes, now);
  }

  /** Only what a viewer wants is computed. `asker` has asked for something else; one that asks for an unknown field is refused. */
  #updateWants(asker: Viewer | null): void {
    this.#updatePictures();
    try {
      this.#plot([...new Set([...this.#viewers].flatMap(({ fields }) => fields))]);
    } catch (error) {
      asker?.refuse(error instanceof FlycatcherError ? error.code : "unknown field");
    }
  }

  /** A viewer may change its mind thousands of times a second; the session hears of it a few times. */
  #updatePictures(): void {
    this.#haveWantsChanged = true;
    if (this.#rest !== undefined) return;
    this.#haveWantsChanged = false;
    const viewers = [...this.#viewers];
    this.#session.wantImages(viewers.some(({ wantsImages }) => wantsImages));
    this.#session.wantSwept(viewers.some(({ wantsSwept }) => wantsSwept));
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      if (this.#haveWantsChanged) this.#updatePictures();
    }, WANTS_PERIOD_MS);
    this.#rest.unref();
  }

  #plot(fields: readonly string[]): void {
    if (fields.length === 0 && this.#plotted.length === 0) return;
    this.#session.plotFields(fields);
    this.#plotted = fields;
  }

  close(): void {
    this.#end();
    for (const viewer of this.#viewers) viewer.close();
    this.#viewers.clear();
  }
}

/** As it is described, and nothing else. */
function textOf(message: PageMessage): string {
  return JSON.stringify(pageJson(message));
}
