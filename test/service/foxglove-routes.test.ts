import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { SessionSlot } from "../../src/service/session-slot.js";
import { type RunningService, startService } from "../../src/service/start-service.js";
import { eventually } from "../support/eventually.js";
import { serviceOptions } from "./make-service.js";
import { TrialSession } from "./trial-session.js";

interface AdvertisedChannel {
  readonly id: number;
  readonly topic: string;
  readonly encoding: string;
  readonly schemaName: string;
  readonly schema: string;
}

const robot = loadRobot("lwr-arm");
const session = new TrialSession({ joints: robot.model.dofNames, hands: robot.hands.map(({ name }) => name) });
let service: RunningService;

beforeAll(async () => {
  service = await startService({ ...serviceOptions("service.foxglove=true"), live: new SessionSlot(session) });
});

afterAll(async () => {
  await service.close();
});

/** A client as Foxglove Studio is one: subscribes to all it is offered and keeps what comes, by topic. */
class StudioClient {
  readonly texts: { readonly op: string; readonly channels?: readonly AdvertisedChannel[] }[] = [];
  readonly messages = new Map<string, unknown[]>();
  readonly socket: WebSocket;

  constructor(protocol: string) {
    const address = `${service.address.replace("http", "ws")}/foxglove`;
    this.socket = new WebSocket(address, protocol, { headers: { origin: "https://app.foxglove.dev" } });
    this.socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.#take(data);
      else this.#hear(JSON.parse(String(data)));
    });
  }

  get channels(): readonly AdvertisedChannel[] {
    return this.texts.find(({ op }) => op === "advertise")?.channels ?? [];
  }

  #hear(text: StudioClient["texts"][number]): void {
    this.texts.push(text);
    if (text.op !== "advertise") return;
    const subscriptions = this.channels.map(({ id }) => ({ id: 100 + id, channelId: id }));
    this.socket.send(JSON.stringify({ op: "subscribe", subscriptions }));
  }

  #take(data: Buffer): void {
    expect(data.readUInt8(0)).toBe(1);
    const { topic } = this.channels[data.readUInt32LE(1) - 100]!;
    const message: unknown = JSON.parse(data.subarray(13).toString());
    this.messages.set(topic, [...(this.messages.get(topic) ?? []), message]);
  }
}

describe("Foxglove's protocol", () => {
  test.each(["foxglove.sdk.v1", "foxglove.websocket.v1"])("is spoken as %s", async (protocol) => {
    const client = new StudioClient(protocol);
    await eventually(() => client.messages.has("/tf") && client.messages.has("/robot"));
    expect(client.socket.protocol).toBe(protocol);
    expect(client.texts[0]).toMatchObject({ op: "serverInfo", capabilities: [] });
    client.socket.close();
  });

  test("brings messages that are as their schemas say", async () => {
    const client = new StudioClient("foxglove.sdk.v1");
    await eventually(() => client.messages.has("/tf"));
    session.broadcast.publish({
      type: "event",
      time: 1.5,
      severity: "info",
      source: "tracker",
      code: "born",
      text: "a ball",
    });
    session.broadcast.publish({
      type: "prediction",
      time: 1.5,
      track: 3,
      confirmed: true,
      tExposure: 1.4,
      path: [
        [1.5, 2, 0, 1, 0.01],
        [1.54, 1.8, 0, 1.1, 0.02],
      ],
    });
    await eventually(() => client.channels.every(({ topic }) => client.messages.has(topic)));
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const { topic, schema, encoding } of client.channels) {
      expect(encoding).toBe("json");
      const validate = ajv.compile(JSON.parse(schema));
      for (const message of client.messages.get(topic)!) {
        expect(validate(message), `${topic}: ${ajv.errorsText(validate.errors)}`).toBe(true);
      }
    }
    client.socket.close();
  });

  test("is not there unless it is asked for", async () => {
    const plain = await startService({ ...serviceOptions(), live: new SessionSlot(session) });
    const socket = new WebSocket(`${plain.address.replace("http", "ws")}/foxglove`, "foxglove.sdk.v1");
    const message = await new Promise<string>((resolve) => socket.once("error", (error) => resolve(error.message)));
    expect(message).toContain("404");
    await plain.close();
  });
});
