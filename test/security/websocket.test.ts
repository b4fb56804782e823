import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { Random } from "../../src/math/random.js";
import { SessionSlot } from "../../src/service/session-slot.js";
import { type RunningService, startService } from "../../src/service/start-service.js";
import { serviceOptions } from "../service/make-service.js";
import { TrialSession } from "../service/trial-session.js";
import { deep } from "../support/deep.js";
import { descriptors } from "../support/descriptors.js";
import { eventually } from "../support/eventually.js";
import { mutateBytes, mutateJson, pick, repeatedly } from "../support/mutate.js";

vi.setConfig({ testTimeout: deep(120_000, 14_400_000), hookTimeout: 60_000 });

let service: RunningService;
let session: TrialSession;
beforeAll(async () => {
  session = new TrialSession({ controls: ["throw"] });
  const live = new SessionSlot(session);
  service = await startService({ ...serviceOptions("service.foxglove=true"), live });
});
afterAll(() => service.close());

const requests = [
  { type: "watch", images: true, swept: false },
  { type: "plot", fields: ["control.commands.q[0]"] },
  { type: "rate", poses: 10 },
  { op: "subscribe", subscriptions: [{ id: 0, channelId: 1 }] },
  { op: "unsubscribe", subscriptionIds: [0] },
] as const;

/** A masked frame of a client (RFC 6455). */
function frameOf(payload: Uint8Array, opcode: number): Buffer {
  const head = [0x80 | opcode, ...(payload.length < 126 ? [0x80 | payload.length] : longLength(payload.length))];
  return Buffer.concat([Buffer.from(head), Buffer.alloc(4), payload]);
}

function longLength(length: number): number[] {
  return [0x80 | 126, length >> 8, length & 255];
}

/** Ends when the other side does, or after all is sent. */
async function talk(path: string, frames: readonly Uint8Array[]): Promise<void> {
  const socket = connect(service.port, "127.0.0.1");
  socket.on("error", () => undefined);
  const head = ["Host: localhost", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  const protocol = path === "/foxglove" ? ["Sec-WebSocket-Protocol: foxglove.sdk.v1"] : [];
  const lines = [`GET ${path} HTTP/1.1`, ...head, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", ...protocol];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  await once(socket, "data");
  for (const frame of frames) if (socket.writable) socket.write(frame);
  // A close frame: what is still open then is answered, and ended.
  if (socket.writable) socket.end(frameOf(Buffer.from([0x03, 0xe8]), 8));
  socket.resume();
  if (!socket.destroyed) await once(socket, "close");
}

describe("the stream", () => {
  it("outlives changed requests and damaged frames, and keeps no socket of theirs", async () => {
    const random = new Random("websocket fuzz");
    await eventually(() => session !== undefined);
    const before = await descriptors();
    for (let k = 0; k < deep(80, 1_000_000); k++) {
      const path = pick(["/v1/live/stream", "/foxglove"], random);
      const frames = Array.from({ length: 1 + random.integer(4) }, () => {
        const request = repeatedly(random.integer(3), pick(requests, random) as unknown, (tree) =>
          mutateJson(tree, random),
        );
        const text = Buffer.from(JSON.stringify(request) ?? "");
        const frame = frameOf(text, pick([0, 1, 1, 1, 2, 3, 8, 9, 10, 15], random));
        return random.integer(3) === 0 ? mutateBytes(frame, random) : frame;
      });
      await talk(path, frames);
    }
    let open = -1;
    await eventually(() => {
      service.app.server.getConnections((_, count) => {
        open = count;
      });
      return open === 0;
    });
    expect(await descriptors()).toBeLessThanOrEqual(before + 2);
    const socket = new WebSocket(`ws://127.0.0.1:${service.port}/v1/live/stream`);
    const [first] = await once(socket, "message");
    expect(JSON.parse(String(first))).toMatchObject({ type: "hello" });
    socket.close();
    await once(socket, "close");
  });

  it("tells the session what viewers want to see a few times, however often they change it", async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${service.port}/v1/live/stream`);
    await once(socket, "message");
    session.asked.length = 0;
    for (let k = 0; k < 3000; k++) socket.send(JSON.stringify({ type: "watch", swept: k % 2 === 0 }));
    socket.send(JSON.stringify({ type: "watch", swept: true, images: true }));
    await eventually(() => session.asked.some((asked) => JSON.stringify(asked) === '{"images":true}'));
    expect(session.asked.length).toBeLessThan(600);
    expect(session.asked.at(-1)).toEqual({ swept: true });
    socket.close();
    await once(socket, "close");
  });
});
