import { createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Vec3 } from "../../src/math/vec3.js";
import type { RemoveBall, ThrowBall } from "../../src/messages/world.js";
import { StreamedWorldNode, type streamedWorldPorts } from "../../src/nodes/streamed-world.js";
import { LineReader } from "../../src/simulation/robot-sim/world-protocol.js";
import type { InPort, OutPort, PortsOf } from "../../src/transport/port.js";
import { eventually } from "../support/eventually.js";

const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

/** A port with messages that all wait at the same time. */
function waiting<M>(messages: M[]): InPort<M> {
  return {
    get waiting() {
      return messages.length;
    },
    lost: 0,
    take: () => messages.shift() ?? null,
  } as unknown as InPort<M>;
}

describe("StreamedWorldNode", () => {
  it("removes the ball of the last throw before it throws the next, where both come at once", async () => {
    const received: string[] = [];
    const server = createServer((socket) => {
      const reader = new LineReader();
      sockets.push(socket);
      socket.on("data", (bytes) => received.push(...(reader.take(bytes) ?? [])));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const zero = Float64Array.of(0, 0, 0) as unknown as Vec3;
    const state = { time: 1, position: zero, velocity: zero, drag: 0 };
    const ball: ThrowBall = { id: 2, state, aim: zero, flightTime: 1, framePhase: 0, bounce: null, hand: null };
    const out = { put: () => undefined } as unknown as OutPort<never>;
    const ports = {
      in: { throws: waiting([ball]), removals: waiting<RemoveBall>([{ id: 1 }]) },
      out: { world: out, flights: out, grasps: out, fates: out },
    } as unknown as PortsOf<typeof streamedWorldPorts>;
    const node = new StreamedWorldNode(ports, {
      ...{ host: "127.0.0.1", port, secret: "s", zero: 0 },
      clock: () => 0,
      wake: () => undefined,
    });
    await node.warmUp();
    node.step(0);
    await eventually(() => received.length === 5);
    const types = received.map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types.filter((type) => type !== "stream" && type !== "open")).toEqual(["remove", "throw"]);
    node.close();
  });
});
