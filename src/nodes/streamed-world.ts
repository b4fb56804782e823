import type { Socket } from "node:net";
import type { Vec3 } from "../math/vec3.js";
import { Event } from "../messages/report.js";
import { BallFate, Grasp, RemoveBall, ThrowBall, TrueFlight, TrueWorld } from "../messages/world.js";
import { openSocket } from "../simulation/robot-sim/world-client.module.js";
import { decodeMessage, encodeLine, LineReader, type WorldMessage } from "../simulation/robot-sim/world-protocol.js";
import { droppedEvent, throwOf } from "../simulation/true-flight.js";
import { fromBytes, packetOf } from "../transport/message.js";
import { type Node, WHEN_CALLED } from "../transport/node.js";
import { type PortsOf, takeEach } from "../transport/port.js";

export const streamedWorldPorts = {
  in: { throws: ThrowBall, removals: RemoveBall },
  out: { world: TrueWorld, flights: TrueFlight, grasps: Grasp, fates: BallFate, dropped: RemoveBall, events: Event },
} as const;

export interface StreamedWorldOptions {
  readonly host: string;
  /** TCP port of the simulated world; 0: a real robot has none beside it, and nothing is put. */
  readonly port: number;
  /** What the world asks for. */
  readonly secret: string;
  /** The run's zero on the machine's monotonic clock, which the world's process shares [s]. */
  readonly zero: number;
  /** The run's clock [ns]. */
  readonly clock: () => number;
  /** See `NodeSite`. */
  readonly wake: () => void;
}

const LINE_END = 0x0a;
const WORLD_BYTES = packetOf(TrueWorld).byteLength;

/**
 * The simulated world about a robot in another process: throws and removals go there, the true state of the world and what
 * becomes of balls come from there. Only simulated sensors, evaluators and views take what it puts.
 */
export class StreamedWorldNode implements Node {
  readonly #ports: PortsOf<typeof streamedWorldPorts>;
  readonly #options: StreamedWorldOptions;
  readonly #sockets: Socket[] = [];
  #bytes: Buffer = Buffer.alloc(0);
  /** Whether the line before the stream has come. */
  #isWelcome = false;

  constructor(ports: PortsOf<typeof streamedWorldPorts>, options: StreamedWorldOptions) {
    this.#ports = ports;
    this.#options = options;
  }

  /** Settles when both connections are open. */
  async warmUp(): Promise<void> {
    const { host, port, secret } = this.#options;
    if (port === 0) return;
    for (let k = 0; k < 2; k++) this.#sockets.push(await openSocket({ host, world: port, secret }));
    const [talk, stream] = this.#sockets as [Socket, Socket];
    const reader = new LineReader();
    for (const socket of this.#sockets) socket.on("error", () => socket.destroy());
    talk.on("data", (bytes) => {
      for (const line of reader.take(bytes) ?? []) this.#take(decodeMessage(line));
    });
    stream.on("data", (bytes) => {
      this.#read(bytes);
      this.#options.wake();
    });
    stream.write(encodeLine({ type: "stream" }));
  }

  step(nowNs: number): number {
    const { zero } = this.#options;
    const talk = this.#sockets[0];
    // Removals first: the ball of the last throw makes room for the next, and both may come at once.
    takeEach(this.#ports.in.removals, nowNs, ({ id }) => void talk?.write(encodeLine({ type: "remove", id })));
    takeEach(this.#ports.in.throws, nowNs, (thrown) => {
      const ball = throwOf(thrown);
      const state = { ...ball.state, time: ball.state.time + zero };
      talk?.write(encodeLine({ type: "throw", ball: { ...ball, state } }));
    });
    return WHEN_CALLED;
  }

  #take(message: WorldMessage | null): void {
    const nowNs = this.#options.clock();
    const { out } = this.#ports;
    if (message?.type === "flight") out.flights.put(this.#flightOf(message.flight), nowNs);
    else if (message?.type === "grasp") out.grasps.put(message.grasp, nowNs);
    else if (message?.type === "fate") out.fates.put(message.fate, nowNs);
    else if (message?.type === "dropped") {
      out.dropped.put({ id: message.ball }, nowNs);
      out.events.put(droppedEvent(message.ball, message.reason), nowNs);
    }
  }

  /** On the run's clock, with arrays. */
  #flightOf({ ball, aim, flightTime, pieces }: TrueFlight): TrueFlight {
    const { zero } = this.#options;
    const vector = (numbers: Iterable<number>) => Float64Array.from(numbers) as unknown as Vec3;
    const onRunClock = pieces.map(({ time, until, position, velocity, drag, lift }) => ({
      time: time - zero,
      until: until - zero,
      position: vector(position),
      velocity: vector(velocity),
      drag,
      ...(lift !== undefined && { lift: vector(lift) }),
    }));
    return { ball, aim: aim === null ? null : vector(aim), flightTime, pieces: onRunClock };
  }

  #read(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    if (!this.#isWelcome) this.#readWelcome();
    while (this.#isWelcome && this.#bytes.length >= WORLD_BYTES) {
      const world = fromBytes(TrueWorld, this.#bytes);
      this.#bytes = this.#bytes.subarray(WORLD_BYTES);
      this.#ports.out.world.put({ ...world, time: world.time - this.#options.zero }, this.#options.clock());
    }
  }

  #readWelcome(): void {
    const end = this.#bytes.indexOf(LINE_END);
    if (end < 0) return;
    const message = decodeMessage(this.#bytes.toString("utf8", 0, end));
    this.#bytes = this.#bytes.subarray(end + 1);
    this.#isWelcome = message?.type === "welcome";
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
