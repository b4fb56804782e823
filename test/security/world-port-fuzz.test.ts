import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultBall } from "../../src/flight/ball.js";
import { Random } from "../../src/math/random.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { noChallenges } from "../../src/simulation/head-motion/challenges.js";
import { RobotSim } from "../../src/simulation/robot-sim/robot-sim.module.js";
import { openSocket } from "../../src/simulation/robot-sim/world-client.module.js";
import {
  decodeMessage,
  decodeRequest,
  encodeLine,
  LineReader,
  type WorldMessage,
  type WorldRequest,
} from "../../src/simulation/robot-sim/world-protocol.js";
import { Thrower, throwerDefaults } from "../../src/simulation/world/thrower.js";
import { ThrowGenerator, throwSpaceOf } from "../../src/simulation/world/throws.js";
import { deep } from "../support/deep.js";
import { eventually } from "../support/eventually.js";
import { mutateBytes, mutateJson, oddValues, pick, repeatedly } from "../support/mutate.js";

const robot = loadRobot("lwr-arm");
const secret = "of this test";
const throws = new ThrowGenerator(throwSpaceOf(robot), 1);
const thrower = new Thrower(throwerDefaults, 1);
const values = [...oddValues, "NaN", "Infinity", "-0", 1e12, -1e12, 3600, 2 ** 31, "stream", "throw"];

/** Requests to begin with. Sent to a world that goes on, they set no clock and no pace. */
function validRequests(id: number): WorldRequest[] {
  return [
    { type: "throw", ball: thrower.prepare(throws.make(id, 0)) },
    { type: "throw", ball: throws.make(id + 1, 0) },
    { type: "remove", id },
    { type: "challenges", challenges: { vibration: 1, slip: 0 } },
  ];
}

function mutatedLine(random: Random, id: number): string {
  const line = encodeLine(pick(validRequests(id), random)).trim();
  if (random.uniform() < 0.2) return mutateBytes(Buffer.from(line), random).toString("utf8");
  const times = 1 + random.integer(4);
  return JSON.stringify(repeatedly<unknown>(times, JSON.parse(line), (tree) => mutateJson(tree, random, values)));
}

describe("lines of the world's protocol that are nearly right", () => {
  it("are requests, or none", () => {
    const random = new Random("world lines");
    let requests = 0;
    for (let n = 0; n < deep(3000, 1_000_000); n++) {
      const request = decodeRequest(mutatedLine(random, n % 1000));
      if (request === null) continue;
      requests++;
      expect(decodeRequest(encodeLine(request).trim())).toEqual(request);
    }
    expect(requests).toBeGreaterThan(100);
  });

  it("are cut from bytes as they come, however they are divided", () => {
    const random = new Random("line pieces");
    for (let n = 0; n < deep(200, 20_000); n++) {
      const whole = Array.from({ length: 20 }, (_, k) => "x".repeat(random.integer(40)) + k).join("\n");
      const reader = new LineReader(60);
      const lines: string[] = [];
      let rest = Buffer.from(`${whole}\n`);
      while (rest.length > 0) {
        const size = 1 + random.integer(90);
        lines.push(...(reader.take(rest.subarray(0, size)) ?? ["too long"]));
        rest = rest.subarray(size);
      }
      expect(lines.join("\n")).toBe(whole);
    }
  });

  describe("at a simulated robot", () => {
    const told: WorldMessage[] = [];
    let sim: RobotSim;
    let running: Promise<void>;
    let client: Socket;
    beforeAll(async () => {
      sim = await RobotSim.start({
        ...{ robot, challenges: noChallenges, seed: 1, host: "127.0.0.1", port: 0, worldPort: 0 },
        ...{ protocol: "udp", key: null, secret, ball: defaultBall, balls: 2, missedCycles: 12 },
      });
      running = sim.run();
      client = await openSocket({ host: "127.0.0.1", world: sim.ports.world, secret });
      const reader = new LineReader();
      client.on("data", (bytes: Buffer) => {
        for (const line of reader.take(bytes) ?? []) {
          const message = decodeMessage(line);
          if (message !== null) told.push(message);
        }
      });
    }, 120_000);
    afterAll(async () => {
      client.destroy();
      sim.stop();
      await running;
    });

    it("leave it as it is: the next ball is thrown", { timeout: 120_000 }, async () => {
      const random = new Random("world fuzz");
      const lines = deep(300, 20_000);
      for (let n = 0; n < lines; n++) {
        client.write(`${mutatedLine(random, n)}\n`);
        if (n % 20 === 19) {
          for (let id = n - 20; id <= n + 1; id++) client.write(encodeLine({ type: "remove", id }));
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      }
      await eventually(() => client.writableLength === 0);
      // What the fuzzer has thrown under other numbers keeps its place: another connection asks until there is room.
      const id = 999_999;
      const thrown = () => told.some((message) => message.type === "released" && message.ball === id);
      for (const message of told)
        if (message.type === "released") client.write(encodeLine({ type: "remove", id: message.ball }));
      client.write(encodeLine({ type: "throw", ball: throws.make(id, 0) }));
      await eventually(thrown);
    });

    it("end a connection without the secret, and nothing else", { timeout: 120_000 }, async () => {
      const random = new Random("world fuzz without the secret");
      const before = told.length;
      for (let n = 0; n < deep(30, 3000); n++) {
        const stranger = connect({ host: "127.0.0.1", port: sim.ports.world });
        stranger.on("error", () => undefined);
        stranger.write(`${mutatedLine(random, n)}\n`);
        await once(stranger.resume(), "close");
      }
      expect(told.slice(before).filter(({ type }) => type === "released" || type === "dropped")).toEqual([]);
    });
  });
});
