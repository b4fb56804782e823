import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { createInterface } from "node:readline";

/** What the network between two programs does to each datagram. */
export interface Weather {
  /** [ms] */
  readonly delayMs: number;
  /** Of all datagrams. */
  readonly lossShare: number;
  /** Of all datagrams: they come `REORDER_MS` later than those behind them. */
  readonly reorderShare: number;
}

export const fairWeather: Weather = { delayMs: 0, lossShare: 0, reorderShare: 0 };
const REORDER_MS = 4;

/**
 * A program between a client and a server that speak UDP: `node udp-proxy.js <server's port>` prints its own port, then takes the
 * weather as a line of JSON each. In a process of its own, so that it is late by itself as little as possible.
 */
class UdpProxy {
  readonly #server: Socket;
  readonly #front = createSocket("udp4");
  readonly #serverPort: number;
  #client: RemoteInfo | null = null;
  #random = 1;
  weather: Weather = fairWeather;

  constructor(serverPort: number) {
    this.#serverPort = serverPort;
    this.#server = createSocket("udp4");
    this.#front.on("message", (bytes, from) => {
      this.#client = from;
      this.#pass(() => this.#server.send(bytes, this.#serverPort, "127.0.0.1", () => undefined));
    });
    this.#server.on("message", (bytes) => {
      const client = this.#client;
      if (client !== null) this.#pass(() => this.#front.send(bytes, client.port, client.address, () => undefined));
    });
    this.#front.bind(0, "127.0.0.1", () => process.stdout.write(`${this.#front.address().port}\n`));
  }

  #pass(send: () => void): void {
    const { delayMs, lossShare, reorderShare } = this.weather;
    if (this.#uniform() < lossShare) return;
    const late = delayMs + (this.#uniform() < reorderShare ? REORDER_MS : 0);
    if (late === 0) send();
    else setTimeout(send, late);
  }

  /** The same in every run (Park and Miller). */
  #uniform(): number {
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    return this.#random / 2_147_483_647;
  }
}

if (process.argv[1]?.endsWith("udp-proxy.js") === true) {
  const proxy = new UdpProxy(Number(process.argv[2]));
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    proxy.weather = JSON.parse(line) as Weather;
  });
  // The program that started it has gone.
  lines.on("close", () => process.exit());
}
