import type { Server, Socket } from "node:net";

/**
 * The connections of a server, upgraded ones included: so many are taken, then some more in reserve. When the reserve is used up,
 * its oldest connection gives way to the newest. So a client that holds all others open cannot keep a stop out.
 */
export class ConnectionPlaces {
  readonly #limit: number;
  readonly #reserve: number;
  readonly #open = new Set<Socket>();
  readonly #reserved = new Set<Socket>();

  constructor(server: Server, limit: number, reserve: number) {
    this.#limit = limit;
    this.#reserve = reserve;
    server.on("connection", (socket: Socket) => this.#take(socket));
  }

  #take(socket: Socket): void {
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#reserved.delete(socket);
    });
    this.#open.add(socket);
    if (this.#open.size <= this.#limit) return;
    this.#reserved.add(socket);
    if (this.#reserved.size <= this.#reserve) return;
    const oldest = this.#reserved.values().next().value;
    // Its event comes later; its place is free now.
    this.#reserved.delete(oldest!);
    this.#open.delete(oldest!);
    oldest!.destroy();
  }

  /** Open connections. */
  get count(): number {
    return this.#open.size;
  }

  /** Whether a connection is one of those that are kept for health and stop. */
  isReserved(socket: Socket): boolean {
    return this.#reserved.has(socket);
  }

  /** Ends all connections at once, whatever they wait for. */
  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
