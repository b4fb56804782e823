import { createSocket, type Socket } from "node:dgram";

/** A wire between a client and a robot over UDP that can be cut. */
export class UdpProxy {
  isCut = false;
  readonly #front: Socket;
  readonly #back: Socket;
  #client = 0;

  static async start(robotPort: number): Promise<UdpProxy> {
    const front = createSocket("udp4");
    const back = createSocket("udp4");
    await new Promise<void>((resolve) => front.bind(0, "127.0.0.1", () => resolve()));
    await new Promise<void>((resolve) => back.bind(0, "127.0.0.1", () => resolve()));
    return new UdpProxy(front, back, robotPort);
  }

  private constructor(front: Socket, back: Socket, robotPort: number) {
    this.#front = front;
    this.#back = back;
    front.on("message", (bytes, { port }) => {
      this.#client = port;
      if (!this.isCut) back.send(bytes, robotPort, "127.0.0.1");
    });
    back.on("message", (bytes) => {
      if (!this.isCut && this.#client !== 0) front.send(bytes, this.#client, "127.0.0.1");
    });
  }

  get port(): number {
    return this.#front.address().port;
  }

  /** Nothing passes for `ms`. */
  async cut(ms: number): Promise<void> {
    this.isCut = true;
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.isCut = false;
  }

  close(): void {
    this.#front.close();
    this.#back.close();
  }
}
