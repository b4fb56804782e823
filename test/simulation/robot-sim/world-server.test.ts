import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSocket } from "../../../src/simulation/robot-sim/world-client.module.js";
import { encodeLine, MAX_LINE, type WorldRequest } from "../../../src/simulation/robot-sim/world-protocol.js";
import { WorldServer } from "../../../src/simulation/robot-sim/world-server.module.js";
import { eventually } from "../../support/eventually.js";

const secret = "only for this run";
const ball = { diameter: 0.085, mass: 0.05, drag: 0.032 };

describe("the world's TCP port", () => {
  const requests: WorldRequest[] = [];
  const sockets: Socket[] = [];
  let server: WorldServer;
  beforeEach(async () => {
    requests.length = 0;
    server = await WorldServer.listen({
      port: 0,
      secret,
      onRequest: (request) => requests.push(request),
      welcome: () => ({ type: "welcome", robot: "lwr-arm", ball, balls: 1, udpPort: 1 }),
    });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.close();
  });

  /** What a connection that sends this gets before it ends. */
  async function answerTo(text: string): Promise<string> {
    const socket = connect({ host: "127.0.0.1", port: server.port });
    sockets.push(socket);
    let answer = "";
    socket.on("data", (bytes: Buffer) => {
      answer += bytes.toString();
    });
    socket.on("error", () => undefined);
    socket.write(text);
    await once(socket, "close");
    return answer;
  }

  it("takes requests from a connection that has shown the secret", async () => {
    const socket = await openSocket({ host: "127.0.0.1", world: server.port, secret });
    sockets.push(socket);
    socket.write('not json\n{"type":"throw","ball":{"id":1,"state":null}}\n{"type":"cut","duration":-1}\n');
    socket.write('{"type":"controller","event":"explode"}\n');
    socket.write(encodeLine({ type: "cut", duration: 0.5 }) + encodeLine({ type: "controller", event: "half-speed" }));
    await eventually(() => requests.length === 2);
    expect(requests).toEqual([
      { type: "cut", duration: 0.5 },
      { type: "controller", event: "half-speed" },
    ]);
  });

  it.each([
    ["no secret", encodeLine({ type: "cut", duration: 0.5 })],
    ["another secret", encodeLine({ type: "open", secret: "guessed" }) + encodeLine({ type: "cut", duration: 0.5 })],
    [
      "the form of a web page",
      `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${encodeLine({ type: "open", secret })}${encodeLine({ type: "cut", duration: 0.5 })}`,
    ],
    ["a line that does not end", "x".repeat(MAX_LINE + 1)],
  ])("ends a connection that begins with %s, without a word", async (_, text) => {
    expect(await answerTo(text)).toBe("");
    expect(requests).toEqual([]);
  });

  it("ends a connection with the secret that sends a line without end", async () => {
    const socket = await openSocket({ host: "127.0.0.1", world: server.port, secret });
    sockets.push(socket);
    socket.on("error", () => undefined);
    await once(socket, "data");
    socket.write("x".repeat(MAX_LINE + 1));
    await once(socket.resume(), "close");
    expect(requests).toEqual([]);
  });
});
