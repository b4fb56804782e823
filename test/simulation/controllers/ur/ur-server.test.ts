import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UrServer } from "../../../../src/simulation/controllers/ur/ur-server.module.js";
import { eventually } from "../../../support/eventually.js";

let server: UrServer;
let reverse: Server;
let program: Socket | null;
const sockets: Socket[] = [];

beforeEach(async () => {
  program = null;
  const limits = { lower: new Float64Array(6).fill(-6), upper: new Float64Array(6).fill(6) };
  const [start, maxVelocity] = [new Float64Array(6), new Float64Array(6).fill(2)];
  const ports = { rtde: 0, primary: 0, dashboard: 0 };
  server = await UrServer.listen({
    ...{ host: "127.0.0.1", ports, start, ...limits, maxVelocity, period: 0.002, timestep: 0.001 },
  });
  reverse = createServer((socket) => {
    program = socket;
    sockets.push(socket);
    socket.on("error", () => undefined);
  });
  reverse.listen(0, "127.0.0.1");
  await once(reverse, "listening");
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
  await new Promise((resolve) => reverse.close(resolve));
});

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Time passes for the robot, whose joints follow at once. */
function pass(milliseconds: number): void {
  for (let tick = 0; tick < milliseconds; tick++) {
    server.cycle(server.session.target, 1);
    const still = new Float64Array(6);
    server.tell({ q: server.session.target, qd: still, effort: still });
  }
}

async function runProgram(): Promise<Socket> {
  const { port } = reverse.address() as { port: number };
  const primary = await open(server.ports.primary);
  const lines = [`FLY_HOST = "127.0.0.1"`, `FLY_REVERSE_PORT = ${port}`, "FLY_LOOKAHEAD = 0.03", "FLY_GAIN = 2000"];
  lines.push("FLY_SCALE = 1000000", "FLY_MAX_SPEED = 3.5");
  primary.write(`stop program\ndef flycatcher():\n  ${lines.join("\n  ")}\nend\n`);
  await eventually(() => program !== null);
  return program!;
}

function servoj(position: number): Buffer {
  const bytes = Buffer.alloc(32);
  bytes.writeInt32BE(200, 0);
  bytes.writeInt32BE(Math.round(1e6 * position), 4);
  bytes.writeInt32BE(1, 28);
  return bytes;
}

describe("UrServer", () => {
  it("runs a program that is sent to it, is led over the reverse connection, and publishes what the joints do", async () => {
    const rtde = await open(server.ports.rtde);
    const received: Buffer[] = [];
    rtde.on("data", (bytes) => received.push(bytes));
    rtde.write(Buffer.from([0, 5, 86, 0, 2]));
    const names = "timestamp,actual_q,runtime_state";
    const recipe = Buffer.alloc(11 + names.length);
    recipe.writeUInt16BE(recipe.length, 0);
    recipe.writeUInt8(79, 2);
    recipe.writeDoubleBE(500, 3);
    recipe.write(names, 11);
    rtde.write(Buffer.concat([recipe, Buffer.from([0, 3, 83])]));
    await eventually(() => Buffer.concat(received).length === 34);
    received.length = 0;
    const peer = await runProgram();
    peer.write(Buffer.concat(Array.from({ length: 100 }, (_, n) => servoj(0.001 * (n + 1)))));
    await eventually(() => {
      pass(10);
      return server.session.target[0]! > 0.099;
    });
    await eventually(() => Buffer.concat(received).length >= 64);
    const bytes = Buffer.concat(received);
    const last = bytes.subarray(64 * Math.floor(bytes.length / 64) - 64);
    expect(last.readUInt16BE(0)).toBe(64);
    expect(last.readUInt32BE(60)).toBe(2);
  });

  it("stops when the connection that leads it closes", async () => {
    const peer = await runProgram();
    peer.write(servoj(0.001));
    await eventually(() => {
      pass(1);
      return server.session.target[0]! > 0;
    });
    peer.destroy();
    await eventually(() => {
      pass(1);
      return server.controller.programEnd === "connection closed";
    });
    pass(1000);
    expect(server.controller.arm.isStanding).toBe(true);
  });

  it("answers on the dashboard, and closes a line that never ends", async () => {
    const dashboard = await open(server.ports.dashboard);
    const words: string[] = [];
    dashboard.on("data", (bytes) => words.push(bytes.toString()));
    dashboard.write("robotmode\nsafetystatus\nsing\n");
    await eventually(() => words.join("").split("\n").length === 5);
    expect(words.join("").split("\n").slice(1, 4)).toEqual([
      "Robotmode: RUNNING",
      "Safetystatus: NORMAL",
      "could not understand: 'sing'",
    ]);
    const closed = once(dashboard, "close");
    dashboard.write("x".repeat(1000));
    await closed;
  });

  it("is stopped, switched off and slowed down from outside", () => {
    const { controller } = server;
    server.happen("half-speed");
    expect(controller.speedScaling).toBe(0.5);
    server.happen("full-speed");
    server.happen("protective-stop");
    expect(controller.safetyMode).toBe(3);
    expect(controller.canRun).toBe(false);
    pass(5100);
    expect(controller.unlock()).toBe(true);
    server.happen("emergency-stop");
    expect(controller.safetyMode).toBe(7);
    server.happen("emergency-release");
    expect(controller.robotMode).toBe(3);
    server.happen("power-off");
    expect(controller.canRun).toBe(false);
  });
});
