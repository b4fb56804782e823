import type { Socket } from "node:net";
import { FlycatcherError } from "../../../runtime/errors.js";
import { connectTo } from "./connect.js";
import {
  decodeText,
  encodeOutputs,
  encodeRequest,
  encodeVersionRequest,
  RtdePackage,
  RtdeReader,
  type RtdeText,
} from "./rtde-package.js";
import { allFields, neededFields, RtdeRecipe, UrState, UrStateDecoder } from "./rtde-recipe.js";

export interface RtdeOptions {
  readonly host: string;
  readonly port: number;
  /** How long the robot may take to answer a request [ms]. */
  readonly timeoutMs: number;
  /** A state has come; `state` is filled in again by the next. */
  readonly onState: (state: UrState) => void;
  readonly onText: (text: RtdeText) => void;
  /** The connection has ended, and why. Not called after `close`. */
  readonly onEnd: (reason: string) => void;
}

/** Greatest rates of the two generations of controllers [Hz]: CB3, and e-Series and later. */
const CB3_RATE = 125;
const E_SERIES_RATE = 500;
const FIRST_E_SERIES = 5;
/** Bytes that a list of names may take. */
const MAX_NAMES = 2048;

/**
 * The client's end of RTDE: agrees on a version and on the fields, then hands on states as they come. The robot ends a connection
 * that is not read; it skips packages when it is busy.
 */
export class RtdeClient {
  /** Of the controller's software, such as 5.11.0; [0] is the major number. */
  software: readonly number[] = [];
  /** Packages per second. */
  rate = 0;
  /** Packages that did not fit the recipe. */
  unreadable = 0;
  /** Fields that this robot does not have. */
  missing: readonly string[] = [];
  readonly #options: RtdeOptions;
  readonly #socket: Socket;
  readonly #reader = new RtdeReader();
  readonly #state = new UrState();
  #version: 1 | 2 = 1;
  #decoder: UrStateDecoder | null = null;
  #pending: { readonly type: number; readonly resolve: (payload: Buffer) => void } | null = null;
  #fail: ((reason: string) => void) | null = null;
  #isClosed = false;

  static async connect(options: RtdeOptions): Promise<RtdeClient> {
    const { host, port, timeoutMs } = options;
    const client = new RtdeClient(options, await connectTo(host, port, timeoutMs, "state interface (RTDE)"));
    try {
      await client.#setUp();
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  private constructor(options: RtdeOptions, socket: Socket) {
    this.#options = options;
    this.#socket = socket;
    socket.on("data", (bytes) => this.#receive(bytes));
    socket.on("close", () => this.#end("the controller has closed the connection"));
  }

  /** The address by which the robot reaches us, and that of the robot. */
  get addresses(): { readonly local: string; readonly robot: string } {
    const { localAddress = "127.0.0.1", remoteAddress = this.#options.host } = this.#socket;
    return { local: localAddress, robot: remoteAddress };
  }

  get isOpen(): boolean {
    return !this.#isClosed;
  }

  async #setUp(): Promise<void> {
    const accepted = await this.#ask(RtdePackage.version, encodeVersionRequest(2));
    if (accepted[0] === 1) this.#version = 2;
    else {
      const old = await this.#ask(RtdePackage.version, encodeVersionRequest(1));
      if (old[0] !== 1) throw protocolError("the controller refuses versions 1 and 2 of RTDE");
    }
    const software = await this.#ask(RtdePackage.controllerVersion, encodeRequest(RtdePackage.controllerVersion));
    if (software.length < 12) throw protocolError("the controller does not name its software's version");
    this.software = [0, 4, 8].map((at) => software.readUInt32BE(at));
    this.rate = this.software[0]! < FIRST_E_SERIES ? CB3_RATE : E_SERIES_RATE;
    this.#decoder = new UrStateDecoder(await this.#agree());
    const started = await this.#ask(RtdePackage.start, encodeRequest(RtdePackage.start));
    // Empty: a state has overtaken the answer.
    if (started.length > 0 && started[0] !== 1) throw protocolError("the controller does not start to send its state");
  }

  /** Asks for all fields, and once more without those that this robot does not have. */
  async #agree(): Promise<RtdeRecipe> {
    let names = allFields;
    for (;;) {
      const answer = await this.#offer(names);
      if (answer.kind === "recipe") return answer.recipe;
      if (answer.kind === "refused") throw protocolError(answer.reason);
      const needed = answer.names.filter((name) => neededFields.includes(name));
      if (needed.length > 0) throw protocolError(`the controller does not have ${needed.join(", ")}`);
      this.missing = [...this.missing, ...answer.names];
      names = names.filter((name) => !answer.names.includes(name));
    }
  }

  async #offer(names: readonly string[]): Promise<ReturnType<typeof RtdeRecipe.answerOf>> {
    if (names.join(",").length > MAX_NAMES) throw protocolError("the list of fields is too long");
    const isSecond = this.#version === 2;
    const payload = await this.#ask(RtdePackage.outputs, encodeOutputs(names, isSecond ? this.rate : null));
    if (isSecond && payload.length < 1) throw protocolError("the controller's answer to the recipe is empty");
    const id = isSecond ? payload[0]! : null;
    return RtdeRecipe.answerOf(names, payload.toString("latin1", isSecond ? 1 : 0), id);
  }

  /** Sends one request and waits for its answer. */
  #ask(type: RtdePackage, request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        this.#pending = null;
        this.#fail = null;
      };
      this.#fail = (reason) => {
        done();
        reject(protocolError(reason));
      };
      const words = `the controller does not answer request ${String.fromCharCode(type)} of RTDE`;
      const timer = setTimeout(() => this.#fail?.(words), this.#options.timeoutMs);
      this.#pending = {
        type,
        resolve: (payload) => {
          done();
          resolve(payload);
        },
      };
      this.#socket.write(request);
    });
  }

  #receive(bytes: Buffer): void {
    this.#reader.take(bytes, this.#take);
    if (this.#reader.isBroken) this.#end("the controller's packages cannot be read");
  }

  readonly #take = (type: number, memory: Buffer, start: number, end: number): void => {
    if (this.#isClosed) return;
    if (type === RtdePackage.data && this.#decoder !== null) {
      if (this.#pending?.type === RtdePackage.start) this.#pending.resolve(Buffer.alloc(0));
      if (this.#decoder.decode(memory, start, end, this.#state)) this.#options.onState(this.#state);
      else this.unreadable++;
    } else if (type === RtdePackage.text) {
      const text = decodeText(memory.subarray(start, end), this.#version);
      if (text === null) this.unreadable++;
      else this.#options.onText(text);
    } else if (type === this.#pending?.type) this.#pending.resolve(Buffer.from(memory.subarray(start, end)));
    else this.unreadable++;
  };

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.close();
    if (this.#fail !== null) this.#fail(reason);
    else this.#options.onEnd(reason);
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }
}

function protocolError(reason: string): FlycatcherError {
  return new FlycatcherError("FLY_ROBOT_PROTOCOL", reason);
}
