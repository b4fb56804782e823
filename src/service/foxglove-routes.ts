import type { WebSocket } from "@fastify/websocket";
import type { Robot } from "../robot/robot.js";
import { createPosePacket } from "../view/pose-packet.js";
import type { Session } from "../view/session.js";
import { type FoxglovePicture, FoxglovePictures, foxgloveTopics } from "./foxglove-pictures.js";
import { advertise, messageData, parseFoxgloveRequest, serverInfo } from "./foxglove-protocol.js";
import type { RobotLibrary } from "./robot-library.js";
import type { ServiceInstance } from "./service-types.js";
import type { SessionSlot } from "./session-slot.js";

/** Poses a second. */
const POSE_HZ = 30;
/** Bytes that may wait for a client before messages are left out. */
const FULL = 262_144;
/** Subscriptions of one client at most: each topic some times. */
const MOST_SUBSCRIPTIONS = 64;

const topicNames = Object.keys(foxgloveTopics) as FoxglovePicture["topic"][];
const encoder = new TextEncoder();

/**
 * The live run for Foxglove Studio, over its own protocol: `ws://…/foxglove`. It can only be looked at, so pages of other
 * origins, Foxglove's own among them, may.
 */
export function registerFoxglove(app: ServiceInstance, live: SessionSlot, robots: RobotLibrary): void {
  let gallery: FoxgloveGallery | null = null;
  const route = {
    websocket: true,
    config: { isForAllOrigins: true },
    schema: { hide: true },
    preValidation: async () => void live.session,
  } as const;
  app.get("/foxglove", route, (socket) => {
    gallery ??= new FoxgloveGallery(live.session, robots.get(live.session.facts.robot));
    gallery.add(socket);
  });
  app.addHook("preClose", async () => gallery?.close());
}

/** Makes pictures of a run for all who watch it with Foxglove. */
class FoxgloveGallery {
  readonly #session: Session;
  readonly #pictures: FoxglovePictures;
  readonly #pose: ReturnType<typeof createPosePacket>;
  readonly #clients = new Set<FoxgloveClient>();
  readonly #sessionId = String(Date.now());
  readonly #leave: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor(session: Session, robot: Robot) {
    this.#session = session;
    this.#pictures = new FoxglovePictures(robot, 2 * session.facts.ballRadius);
    this.#pose = createPosePacket(session.facts.joints.length, session.facts.hands.length);
    this.#leave = session.subscribe({
      onMessage: (message) => {
        if (this.#clients.size > 0) this.#show(this.#pictures.message(message));
      },
    });
    this.#timer = setInterval(() => this.#showPose(), 1000 / POSE_HZ);
  }

  add(socket: WebSocket): void {
    const client = new FoxgloveClient(socket, () => this.#pictures.shapes(this.#time()));
    this.#clients.add(client);
    socket.on("close", () => this.#clients.delete(client));
    socket.on("error", () => socket.terminate());
    socket.send(serverInfo(`Flycatcher: ${this.#session.facts.robot}`, this.#sessionId));
    socket.send(advertise(topicNames.map((name) => foxgloveTopics[name])));
  }

  #time(): number {
    return this.#session.pose(this.#pose) ? this.#pose.time : 0;
  }

  #showPose(): void {
    if (this.#clients.size > 0 && this.#session.pose(this.#pose)) this.#show(this.#pictures.pose(this.#pose));
  }

  #show(pictures: readonly FoxglovePicture[]): void {
    for (const picture of pictures) for (const client of this.#clients) client.show(picture);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#leave();
    for (const client of this.#clients) client.close();
  }
}

/** One who watches with Foxglove. */
class FoxgloveClient {
  readonly #socket: WebSocket;
  readonly #shapes: () => FoxglovePicture;
  /** Channel by the number of the subscription. */
  readonly #subscriptions = new Map<number, number>();

  constructor(socket: WebSocket, shapes: () => FoxglovePicture) {
    this.#socket = socket;
    this.#shapes = shapes;
    socket.on("message", (data, isBinary) => {
      if (!isBinary) this.#handle(String(data));
    });
  }

  #handle(text: string): void {
    const request = parseFoxgloveRequest(text);
    if (request?.op === "unsubscribe") for (const id of request.subscriptionIds) this.#subscriptions.delete(id);
    if (request?.op !== "subscribe") return;
    for (const { id, channelId } of request.subscriptions) {
      if (this.#subscriptions.size >= MOST_SUBSCRIPTIONS || topicNames[channelId] === undefined) continue;
      this.#subscriptions.set(id, channelId);
      // Shapes are told once: to each who wants them.
      if (topicNames[channelId] === "robot") this.show(this.#shapes());
    }
  }

  show({ topic, timeNs, json }: FoxglovePicture): void {
    if (this.#socket.bufferedAmount > FULL) return;
    let bytes: Uint8Array | null = null;
    for (const [id, channel] of this.#subscriptions) {
      if (topicNames[channel] !== topic) continue;
      bytes ??= encoder.encode(JSON.stringify(json));
      this.#socket.send(messageData(id, timeNs, bytes));
    }
  }

  close(): void {
    this.#socket.close(1001, "the service closes");
  }
}
