import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { attachChannel, type ChannelHandle } from "../../channels/channel.js";
import type { GetPort } from "../../channels/get-port.js";
import type { PutPort } from "../../channels/put-port.js";
import { CommandMode, JointCommand } from "../../messages/joint-command.js";
import { JointState } from "../../messages/joint-state.js";
import { type ClockOrigin, clockFrom, type RunClock } from "../../runtime/clock.js";
import { requestRealTime } from "../../runtime/real-time-priority.js";
import { onStop, workerInput, workerReady } from "../../runtime/worker-context.js";
import { ClientMode, ClientSession } from "./client-session.js";
import { Frame, FrameCodec, FrameKind, FrameStatus, readFrame } from "./frame.js";
import { LinkStatus } from "./link-status.js";
import { RobotClock } from "./robot-clock.js";
import { RobotMode } from "./robot-session.js";

/** What the thread that talks to a robot over UDP is started with. */
export interface UdpLinkInput {
  readonly host: string;
  readonly port: number;
  readonly count: number;
  readonly fingerprint: Uint8Array;
  readonly states: ChannelHandle;
  readonly commands: ChannelHandle;
  readonly status: SharedArrayBuffer;
  readonly clock: ClockOrigin;
  /** From encoder read to arrival [s], as calibrated. */
  readonly latency: number;
  /** Real-time priority to ask for; 0: none. */
  readonly priority: number;
}

/** Time between two greetings [ms]. */
const GREETING_MS = 20;
/** A client that has nothing to command says so in this interval, lest it counts as gone [ms]. */
const SIGN_OF_LIFE_MS = 200;
/** Without a state for this long [ms] the robot is greeted anew. */
const SILENCE_MS = 500;

/**
 * Our end of the cyclic protocol, a thread of its own: states that arrive go to one channel, commands of the other are
 * sent as they come. So the control loop itself never touches a socket, which allocates.
 */
class UdpLink {
  readonly #input: UdpLinkInput;
  readonly #clock: RunClock;
  readonly #socket: Socket;
  readonly #session: ClientSession;
  readonly #status: LinkStatus;
  readonly #states: PutPort<JointState>;
  readonly #commands: GetPort<JointCommand>;
  readonly #received = new Frame();
  readonly #sent = new Frame();
  readonly #codec = new FrameCodec();
  readonly #greeter: NodeJS.Timeout;
  readonly #robotClock = new RobotClock();
  #lastState = 0;
  #lastSent = 0;
  #isClosed = false;

  constructor(input: UdpLinkInput) {
    const { count, fingerprint } = input;
    this.#input = input;
    this.#clock = clockFrom(input.clock);
    this.#session = new ClientSession({ count, fingerprint, greeting: randomInt(1, 2 ** 32 - 1) });
    this.#status = new LinkStatus(input.status);
    this.#states = attachChannel(input.states, JointState).openPutPort();
    this.#commands = attachChannel(input.commands, JointCommand).openGetPort("newest");
    this.#socket = createSocket("udp4");
    this.#socket.on("error", () => undefined);
    this.#socket.on("message", (bytes) => this.#receive(bytes));
    this.#socket.connect(input.port, input.host, () => this.#greet());
    this.#greeter = setInterval(() => this.#greet(), GREETING_MS);
  }

  #greet(): void {
    const { mode } = this.#session;
    const isSilent = this.#clock.nowNs() / 1e6 - this.#lastState > SILENCE_MS;
    if (mode === ClientMode.connected && isSilent) {
      this.#session.reconnect();
      this.#robotClock.reset();
      this.#status.update(this.#session);
    }
    const isQuiet = this.#clock.nowNs() / 1e6 - this.#lastSent > SIGN_OF_LIFE_MS;
    if (this.#session.mode === ClientMode.connecting || isQuiet) this.#say(FrameKind.hello);
  }

  #receive(bytes: Uint8Array): void {
    const time = this.#clock.nowSeconds();
    if (readFrame(bytes, this.#received) !== FrameStatus.ok) {
      this.#status.countUnreadable();
      return;
    }
    if (this.#session.receive(this.#received, time)) this.#publish(time);
    if (this.#session.mode === ClientMode.connected) this.#lastState = time * 1e3;
    this.#status.update(this.#session);
  }

  #publish(time: number): void {
    const packet = this.#states.reserve();
    packet.t.seconds = this.#robotClock.place(this.#received.time, time) - this.#input.latency;
    packet.tArrival.seconds = time;
    packet.cycle = this.#received.sequence;
    packet.count = this.#input.count;
    packet.position.set(this.#received.position);
    packet.velocity.set(this.#received.velocity);
    packet.effort.set(this.#received.effort);
    this.#states.publish();
  }

  /** Sends each command as it comes, until closed. */
  async run(): Promise<void> {
    while (!this.#isClosed) {
      const command = await this.#commands.receiveAsync(100);
      if (command === null) continue;
      if (this.#session.mode === ClientMode.connected) this.#command(command);
      this.#commands.release(command);
    }
    this.#commands.close();
  }

  #command(command: Readonly<JointCommand>): void {
    if (this.#session.robotMode === RobotMode.fault && this.#status.takeReset()) this.#say(FrameKind.reset);
    const frame = this.#sent;
    this.#session.fill(frame, FrameKind.command, command.mode, this.#clock.nowSeconds());
    for (let i = 0; i < this.#input.count; i++) {
      frame.position[i] = command.position[i]!;
      frame.velocity[i] = command.velocity[i]!;
      frame.effort[i] = command.effort[i]!;
    }
    this.#send();
  }

  #say(kind: FrameKind): void {
    this.#session.fill(this.#sent, kind, CommandMode.hold, this.#clock.nowSeconds());
    this.#send();
  }

  #send(): void {
    if (this.#isClosed) return;
    this.#lastSent = this.#clock.nowNs() / 1e6;
    const length = this.#codec.write(this.#sent);
    // The socket may send later; the codec's memory is written anew by then. Nobody listening is no error.
    this.#socket.send(this.#codec.bytes.slice(0, length), () => undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.#greeter);
    if (this.#session.mode === ClientMode.connected) this.#say(FrameKind.release);
    this.#isClosed = true;
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}

const input = workerInput<UdpLinkInput>();
if (input.priority > 0) requestRealTime(input.priority);
const link = new UdpLink(input);
const running = link.run();
onStop(async () => {
  await link.close();
  await running;
});
workerReady();
