import type { WebSocket } from "@fastify/websocket";
import { createPosePacket, encodeImagePacket, encodePosePacket, type ImagePacket } from "../../view/pose-packet.js";
import type { Stage } from "../../view/stage.js";
import type { StageMessage } from "../../view/stage-messages.js";
import { encodeSweptPacket, type SweptPacket } from "../../view/swept-packet.js";
import { Viewer } from "./viewer.js";

/** Poses are taken so often [ms]: no viewer gets more. */
const POSE_PERIOD_MS = 1000 / 60;

/**
 * Shows a stage to all who watch: everything is put into bytes once, whoever many look on, and nothing is taken from the stage
 * while nobody does. A viewer that reads slowly is told less, and holds nobody up.
 */
export class StreamHub {
  readonly #stage: Stage;
  readonly #viewers = new Set<Viewer>();
  readonly #pose: ReturnType<typeof createPosePacket>;
  #leave: (() => void) | null = null;
  #timer: NodeJS.Timeout | undefined;
  #lastPose = Number.NaN;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#pose = createPosePacket(stage.facts.joints.length, stage.facts.hands.length);
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  add(socket: WebSocket): void {
    const viewer = new Viewer(socket, () => this.#watch());
    this.#viewers.add(viewer);
    socket.on("close", () => this.#remove(viewer));
    socket.on("error", () => socket.terminate());
    if (this.#leave === null) {
      this.#begin();
      return;
    }
    const { hello, state, safety, components } = this.#stage.snapshot();
    for (const message of [hello, state, safety, components]) {
      if (message !== null) viewer.tell(message.type, JSON.stringify(message));
    }
  }

  /** The first viewer hears what every newcomer does. */
  #begin(): void {
    this.#leave = this.#stage.watch({
      hear: (message) => this.#tell(message),
      see: (image) => this.#show(image),
      seeSwept: (volumes) => this.#showSwept(volumes),
    });
    this.#timer = setInterval(() => this.#showPose(), POSE_PERIOD_MS);
  }

  #remove(viewer: Viewer): void {
    if (!this.#viewers.delete(viewer)) return;
    this.#watch();
    if (this.#viewers.size === 0) this.#end();
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#leave?.();
    this.#leave = null;
  }

  #tell(message: StageMessage): void {
    const text = JSON.stringify(message);
    for (const viewer of this.#viewers) viewer.tell(message.type, text);
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
    if (!this.#stage.pose(this.#pose) || this.#pose.time === this.#lastPose) return;
    this.#lastPose = this.#pose.time;
    const bytes = encodePosePacket(this.#pose);
    const now = performance.now();
    for (const viewer of this.#viewers) viewer.showPose(bytes, now);
  }

  /** What somebody wants is made, and nothing else. */
  #watch(): void {
    const viewers = [...this.#viewers];
    this.#stage.watchImages(viewers.some(({ wantsImages }) => wantsImages));
    this.#stage.watchSwept(viewers.some(({ wantsSwept }) => wantsSwept));
  }

  close(): void {
    this.#end();
    for (const viewer of this.#viewers) viewer.close();
    this.#viewers.clear();
  }
}
