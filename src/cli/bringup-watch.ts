import { createSocket, type Socket } from "node:dgram";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../runtime/config-schema.js";
import { createLogger } from "../runtime/logger.js";
import { StopListener } from "../service/stop-listener.js";
import type { BringupWatch } from "../setup/bringup/bringup-step.js";

/** Longest time between two heartbeats unless the configuration has another [ms], and how many of them are sent in it. */
const HEARTBEAT_MS = 200;
const BEATS = 5;

/**
 * Heartbeats of the operator's terminal for the stop listener: while this process works they come, and when it hangs, or is gone, the
 * robot brakes. A stop from elsewhere reaches the same listener.
 */
export class TerminalWatch implements BringupWatch {
  readonly address: string;
  readonly heartbeatMs: number;
  readonly #listener: StopListener;
  readonly #token: string;
  readonly #socket: Socket = createSocket("udp4");
  #timer: NodeJS.Timeout | undefined;
  #number = 0;

  static async open(
    { service, log }: Pick<Config, "service" | "log">,
    stopLine: SharedArrayBuffer,
  ): Promise<TerminalWatch> {
    const stopHeartbeatMs = service.stopHeartbeatMs > 0 ? service.stopHeartbeatMs : HEARTBEAT_MS;
    const logger = createLogger({ ...log, level: "warn" });
    const listener = await StopListener.start({ ...service, stopHeartbeatMs }, stopLine, 0, logger);
    return new TerminalWatch(listener, service.token);
  }

  private constructor(listener: StopListener, token: string) {
    this.#listener = listener;
    this.#token = token;
    this.address = listener.address.url;
    this.heartbeatMs = listener.address.heartbeatMs;
    this.#socket.on("error", () => undefined);
  }

  begin(): void {
    this.#beat();
    this.#listener.supervise();
    this.#timer ??= setInterval(() => this.#beat(), this.heartbeatMs / BEATS);
  }

  #beat(): void {
    const words = ["beat", String(++this.#number), ...(this.#token === "" ? [] : [this.#token])];
    const { port, url } = this.#listener.address;
    this.#socket.send(words.join(" "), port, new URL(url).hostname.replace(/^\[(.*)\]$/, "$1"), () => undefined);
  }

  async pause(ms: number): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await pause(ms);
    this.begin();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#socket.close();
    await this.#listener.close();
  }
}
