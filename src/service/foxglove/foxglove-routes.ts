import type { WebSocket } from "@fastify/websocket";
import { createPosePacket } from "../../catching/stage/pose-packet.js";
import type { Stage } from "../../catching/stage/stage.js";
import type { Robot } from "../../robot/robot.js";
import type { ServiceInstance } from "../service-types.js";
import { type FoxglovePicture, FoxglovePictures, foxgloveTopics } from "./foxglove-pictures.js";
import { advertise, messageData, parseFoxgloveRequest, serverInfo } from "./foxglove-protocol.js";

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
export function registerFoxglove(app: ServiceInstance, stage: Stage, robot: Robot): void {
  const clients = new Set<FoxgloveClient>();
  const pictures = new FoxglovePictures(robot, 2 * stage.facts.ballRadius);
  const pose = createPosePacket(stage.facts.joints.length, stage.facts.hands.length);
  const sessionId = `${Date.now()}`;
  const show = (made: readonly FoxglovePicture[]): void => {
    for (const picture of made) for (const client of clients) client.show(picture);
  };
  const leave = stage.watch({
    hear: (message) => {
      if (clients.size > 0) show(pictures.message(message));
    },
  });
  const timer = setInterval(() => {
    if (clients.size > 0 && stage.pose(pose)) show(pictures.pose(pose));
  }, 1000 / POSE_HZ);
  app.get("/foxglove", { websocket: true, config: { isForAllOrigins: true }, schema: { hide: true } }, (socket) => {
    const client = new FoxgloveClient(socket, () => pictures.shapes(stage.pose(pose) ? pose.time : 0));
    clients.add(client);
    socket.on("close", () => clients.delete(client));
    socket.on("error", () => socket.terminate());
    socket.send(serverInfo(`Flycatcher: ${stage.facts.robot}`, sessionId));
    socket.send(advertise(topicNames.map((name) => foxgloveTopics[name])));
  });
  app.addHook("preClose", async () => {
    clearInterval(timer);
    leave();
    for (const client of clients) client.close();
  });
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
      if (!isBinary) this.#hear(String(data));
    });
  }

  #hear(text: string): void {
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
