import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { ClientMode, ClientSession } from "../control/udp/client-session.js";
import { Frame, FrameCodec, FrameKind, FrameStatus, isNewer, readFrame } from "../control/udp/frame.js";
import type { FrameKey } from "../control/udp/frame-key.js";
import { RobotClock } from "../control/udp/robot-clock.js";
import { faultName, RobotMode } from "../control/udp/robot-session.js";
import { CommandMode } from "../messages/command-mode.js";
import { JointCommand, RobotRequest, RobotStatus } from "../messages/control.js";
import { Event } from "../messages/report.js";
import { JointState } from "../messages/sensing.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { Node, NodeCondition } from "../transport/node.js";
import { type PortsOf, takeEach } from "../transport/port.js";
import type { StopLine } from "../transport/stop-line.js";

export const udpRobotPorts = {
  in: { commands: JointCommand, requests: RobotRequest },
  out: { state: JointState, joints: JointState, status: RobotStatus, events: Event },
} as const;

export interface UdpRobotOptions {
  readonly host: string;
  readonly port: number;
  readonly count: number;
  /** See `robotFingerprint`. */
  readonly fingerprint: Uint8Array;
  /** Shared with the robot; null if it asks for none. */
  readonly key: FrameKey | null;
  /** From encoder read to arrival [s], as calibrated. */
  readonly latency: number;
  /** How long the robot may take to answer [ms]. */
  readonly connectTimeoutMs: number;
  /** The run's clock [ns]. */
  readonly clock: () => number;
  /** Braking commands, and the robot's answers to them, are noted in it. */
  readonly stopLine: StopLine;
  /** See `NodeSite`. */
  readonly wake: () => void;
}

/** Time between two `hello` frames [ns]. */
const HELLO_NS = 20e6;
/** A client that has nothing to command sends `alive` in this interval, so that it does not count as gone [ns]. */
const SIGN_OF_LIFE_NS = 200e6;
/** Without a state for this long `hello` is sent again [ns]. */
const SILENCE_NS = 500e6;
/** Between two statuses, unless something changes [ns]. */
const STATUS_NS = 100e6;
const POLL_MS = 5;

/** A robot at the other end of the cyclic UDP protocol: states are put as they arrive, commands are sent as they come. */
export class UdpRobotNode implements Node {
  readonly #ports: PortsOf<typeof udpRobotPorts>;
  readonly #options: UdpRobotOptions;
  readonly #session: ClientSession;
  readonly #socket: Socket;
  readonly #received = new Frame();
  readonly #sent = new Frame();
  readonly #codec: FrameCodec;
  readonly #robotClock = new RobotClock();
  readonly #commands: CommandMemory;
  readonly #command: JointCommand;
  #wantsReset = false;
  #helloNs = Number.NEGATIVE_INFINITY;
  #stateNs = 0;
  #sentNs = 0;
  #published: RobotStatus = { isAtFault: false, fault: "none" };
  #publishedNs = Number.NEGATIVE_INFINITY;
  /** Number of the first frame with a braking command for the newest stop; whether the robot's answer is still to come. */
  #brakeFrame = 0;
  #awaitsAnswer = false;
  /** Whether states have come, and then none for a while. */
  #isSilent = false;
  /** Datagrams that were no frames. */
  #unreadable = 0;
  #isClosed = false;

  constructor(ports: PortsOf<typeof udpRobotPorts>, options: UdpRobotOptions) {
    const { count, fingerprint, key } = options;
    const joints = () => new Float64Array(count);
    this.#ports = ports;
    this.#options = options;
    this.#session = new ClientSession({ count, fingerprint, helloNumber: () => randomInt(1, 2 ** 32 - 1) });
    this.#codec = new FrameCodec(key);
    this.#commands = new CommandMemory(count);
    const scratch = { time: 0, cycle: 0, mode: "hold", q: joints(), qd: joints(), qdd: joints() } as const;
    this.#command = { ...scratch, closedAt: new Float64Array(0) };
    options.stopLine.attachDriver();
    this.#socket = createSocket("udp4");
    this.#socket.on("error", () => undefined);
    this.#socket.on("message", (bytes) => this.#receive(bytes));
  }

  get condition(): NodeCondition {
    const { mode, counts } = this.#session;
    const lost = `${counts.lost} states lost, ${counts.stale} late, ${this.#unreadable} unreadable`;
    if (mode === ClientMode.connected) return { health: "running", detail: lost };
    return { health: "degraded", detail: `the robot does not answer; ${lost}` };
  }

  /** Settles once the robot has answered. */
  async warmUp(): Promise<void> {
    const { host, port, connectTimeoutMs } = this.#options;
    await new Promise<void>((resolve) => this.#socket.connect(port, host, resolve));
    const end = performance.now() + connectTimeoutMs;
    while (this.#session.mode !== ClientMode.connected) {
      if (performance.now() > end) {
        const isMistaken = this.#session.mode === ClientMode.mistaken;
        await this.close();
        const why = isMistaken
          ? "is another robot than the one configured"
          : `does not answer in ${connectTimeoutMs} ms`;
        throw new FlycatcherError("FLY_ROBOT_UNREACHABLE", `the robot at ${host}:${port} ${why}`);
      }
      this.#sendHello(this.#options.clock());
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  step(nowNs: number): number {
    takeEach(this.#ports.in.requests, nowNs, ({ action }) => {
      if (action === "reset") this.#wantsReset = true;
    });
    this.#takeCommands(nowNs);
    this.#sendHello(nowNs);
    this.#publishStatus(nowNs);
    return nowNs + HELLO_NS;
  }

  /** Only the newest is sent; all are remembered. */
  #takeCommands(nowNs: number): void {
    const { commands } = this.#ports.in;
    let newest: JointCommand | null = null;
    for (let got = commands.take(nowNs, this.#command); got !== null; got = commands.take(nowNs, this.#command)) {
      this.#commands.add(got.time, got.q);
      newest = got;
    }
    if (newest !== null && this.#session.mode === ClientMode.connected) this.#send(newest);
  }

  #send({ mode, q, qd }: JointCommand): void {
    if (this.#session.robotMode === RobotMode.fault && this.#wantsReset) {
      this.#wantsReset = false;
      this.#sendFrame(FrameKind.reset);
    }
    const frame = this.#sent;
    this.#session.fill(frame, FrameKind.command, CommandMode[mode], this.#options.clock() / 1e9);
    for (let i = 0; i < this.#options.count; i++) {
      frame.position[i] = q[i]!;
      frame.velocity[i] = qd[i]!;
      frame.effort[i] = 0;
    }
    this.#transmit();
    if (mode === "brake") this.#noteStop(frame.sequence);
  }

  #noteStop(sequence: number): void {
    const { stopLine } = this.#options;
    const { braked } = stopLine;
    if (braked === stopLine.sent) return;
    stopLine.noteSent(braked);
    this.#brakeFrame = sequence;
    this.#awaitsAnswer = true;
  }

  /** The robot says in each state which of our frames it has got. */
  #noteAnswer(acknowledged: number): void {
    if (!this.#awaitsAnswer || isNewer(this.#brakeFrame, acknowledged)) return;
    this.#awaitsAnswer = false;
    this.#options.stopLine.noteConfirmed(this.#options.stopLine.sent);
  }

  #sendHello(nowNs: number): void {
    if (nowNs - this.#helloNs < HELLO_NS) return;
    this.#helloNs = nowNs;
    if (this.#session.mode === ClientMode.connected && nowNs - this.#stateNs > SILENCE_NS) {
      this.#noteSilence(nowNs);
      this.#session.reconnect();
      this.#robotClock.reset();
    }
    if (this.#session.mode === ClientMode.connecting) this.#sendFrame(FrameKind.hello);
    else if (nowNs - this.#sentNs > SIGN_OF_LIFE_NS) this.#sendFrame(FrameKind.alive);
  }

  #receive(bytes: Uint8Array): void {
    const nowNs = this.#options.clock();
    if (readFrame(bytes, this.#received, this.#options.key) !== FrameStatus.ok) {
      this.#unreadable++;
      return;
    }
    const isConnecting = this.#session.mode === ClientMode.connecting;
    if (this.#session.receive(this.#received, nowNs / 1e9)) {
      this.#noteState(nowNs);
      this.#noteAnswer(this.#received.acknowledged);
      this.#publish(nowNs);
    }
    // The second frame shows the robot that its welcome has come to the right address.
    if (isConnecting && this.#session.mode === ClientMode.connected) this.#sendFrame(FrameKind.alive);
    if (this.#session.mode === ClientMode.connected) this.#stateNs = nowNs;
    this.#publishStatus(nowNs);
  }

  #noteSilence(nowNs: number): void {
    if (this.#isSilent) return;
    this.#isSilent = true;
    this.#report("error", "robot-silent", "the robot sends no states: it, or the link to it, is down", nowNs);
  }

  #noteState(nowNs: number): void {
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#report("info", "robot-heard", "the robot sends its states again", nowNs);
  }

  #report(severity: Event["severity"], code: string, text: string, nowNs: number): void {
    this.#ports.out.events.put({ severity, source: "robot", code, track: -1, text }, nowNs);
  }

  #publish(nowNs: number): void {
    const { state, joints } = this.#ports.out;
    const { count, latency } = this.#options;
    const { position, velocity, sequence, time } = this.#received;
    const measured = this.#robotClock.place(time, nowNs / 1e9) - latency;
    const q = Float64Array.from(position.subarray(0, count));
    const qd = Float64Array.from(velocity.subarray(0, count));
    const commanded = this.#commands.at(measured) ?? q;
    const message = { time: measured, cycle: sequence, q, qd, commanded };
    state.put(message, nowNs);
    joints.put(message, nowNs);
  }

  /** Whether the robot can be led: when that changes, and now and then. */
  #publishStatus(nowNs: number): void {
    const isAtFault = this.#session.robotMode === RobotMode.fault;
    if (isAtFault === this.#published.isAtFault && nowNs - this.#publishedNs < STATUS_NS) return;
    this.#published = { isAtFault, fault: faultName(this.#session.robotFault) };
    this.#publishedNs = nowNs;
    this.#ports.out.status.put(this.#published, nowNs);
  }

  #sendFrame(kind: FrameKind): void {
    this.#session.fill(this.#sent, kind, CommandMode.hold, this.#options.clock() / 1e9);
    this.#transmit();
  }

  #transmit(): void {
    if (this.#isClosed) return;
    this.#sentNs = this.#options.clock();
    const length = this.#codec.write(this.#sent);
    // The socket may send later, when the codec's memory is written again. That nothing listens is no error.
    this.#socket.send(this.#codec.bytes.slice(0, length), () => undefined);
  }

  /** Takes leave, so that the robot stands still. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#session.mode === ClientMode.connected) this.#sendFrame(FrameKind.release);
    this.#isClosed = true;
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}

/** Commands kept: those of the last tenth of a second. */
const KEPT = 128;

/** Which positions were commanded when. */
export class CommandMemory {
  readonly #times = new Float64Array(KEPT).fill(Number.NEGATIVE_INFINITY);
  readonly #positions: readonly Float64Array[];
  #count = 0;

  constructor(joints: number) {
    this.#positions = Array.from({ length: KEPT }, () => new Float64Array(joints));
  }

  add(time: number, q: Float64Array): void {
    const at = this.#count++ % KEPT;
    this.#times[at] = time;
    this.#positions[at]!.set(q);
  }

  /** The command whose time is nearest to `time`, in memory of its own; null if there is none. */
  at(time: number): Float64Array | null {
    let nearest = -1;
    for (let k = this.#count - 1; k >= Math.max(0, this.#count - KEPT); k--) {
      if (nearest >= 0 && this.#distance(k, time) > this.#distance(nearest, time)) break;
      nearest = k;
    }
    return nearest < 0 ? null : this.#positions[nearest % KEPT]!.slice();
  }

  #distance(k: number, time: number): number {
    return Math.abs(this.#times[k % KEPT]! - time);
  }
}
