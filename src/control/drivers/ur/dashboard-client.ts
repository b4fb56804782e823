import type { Socket } from "node:net";
import { FlycatcherError } from "../../../runtime/errors.js";
import { connectTo } from "./connect.js";

/** Longest line that the dashboard sends. */
const MAX_LINE = 4096;

/** The controller's dashboard: one line asks, one line answers. PolyScope X does not have it. */
export class DashboardClient {
  readonly #socket: Socket;
  readonly #timeoutMs: number;
  #text = "";
  #waiting: ((line: string | null) => void)[] = [];
  #isClosed = false;

  static async connect(host: string, port: number, timeoutMs: number): Promise<DashboardClient> {
    const client = new DashboardClient(await connectTo(host, port, timeoutMs, "dashboard"), timeoutMs);
    // It greets first.
    if ((await client.#line()) !== null) return client;
    client.close();
    throw new FlycatcherError("FLY_ROBOT_PROTOCOL", `what listens at ${host}:${port} is no dashboard`);
  }

  private constructor(socket: Socket, timeoutMs: number) {
    this.#socket = socket;
    this.#timeoutMs = timeoutMs;
    socket.on("data", (bytes) => this.#receive(bytes.toString("latin1")));
    socket.on("close", () => this.close());
  }

  /** What it answers, null if it does not. One question at a time. */
  ask(command: string): Promise<string | null> {
    if (this.#isClosed) return Promise.resolve(null);
    this.#socket.write(`${command}\n`);
    return this.#line();
  }

  /** Sends a command whose answer must begin with `prefix`. */
  async order(command: string, prefix: string): Promise<void> {
    const answer = await this.ask(command);
    if (answer?.startsWith(prefix)) return;
    throw new FlycatcherError("FLY_ROBOT_NOT_READY", `the robot refuses "${command}"`, {
      expected: `an answer that begins with "${prefix}"`,
      found: answer ?? "none",
    });
  }

  /** Whether the robot takes orders from the network; null where it does not say, as CB3 does. */
  async isRemote(): Promise<boolean | null> {
    const answer = await this.ask("is in remote control");
    if (answer === "true") return true;
    return answer === "false" ? false : null;
  }

  #line(): Promise<string | null> {
    return new Promise((resolve) => {
      // An answer that comes later would be taken for that of the next question.
      const timer = setTimeout(() => this.close(), this.#timeoutMs);
      this.#waiting.push((line) => {
        clearTimeout(timer);
        resolve(line);
      });
    });
  }

  #answer(line: string | null): void {
    this.#waiting.shift()?.(line);
  }

  #receive(text: string): void {
    this.#text += text;
    for (let end = this.#text.indexOf("\n"); end >= 0; end = this.#text.indexOf("\n")) {
      this.#answer(this.#text.slice(0, end).trim());
      this.#text = this.#text.slice(end + 1);
    }
    if (this.#text.length > MAX_LINE) this.close();
  }

  get isOpen(): boolean {
    return !this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
    while (this.#waiting.length > 0) this.#answer(null);
  }
}
