import { SyncGroup } from "../transport/channels/sync-group.js";
import type { SyncTableHandle } from "../transport/channels/sync-table.js";
import type { RingInPort } from "../transport/ring-ports.js";

/** Longest sleep between two looks [ms]. */
const LOOK_MS = 100;

interface Waiter {
  readonly isOver: () => boolean;
  readonly endNs: number;
  readonly settle: (isOver: boolean) => void;
}

/** Looks at the messages of ports in shared memory as soon as they come, and wakes those that wait for something in them. */
export class MessageLoop {
  readonly #group: SyncGroup<RingInPort<never>["port"]>;
  readonly #nowNs: () => number;
  readonly #ports: RingInPort<never>[] = [];
  readonly #waiters = new Set<Waiter>();
  #look: (nowNs: number) => void = () => undefined;
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(table: SyncTableHandle, nowNs: () => number) {
    this.#group = new SyncGroup(table);
    this.#nowNs = nowNs;
  }

  /** Another port whose messages are waited for. */
  add(port: RingInPort<never>): void {
    this.#ports.push(port);
    this.#group.add(port.port);
  }

  begin(look: (nowNs: number) => void): void {
    this.#look = look;
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      await this.#group.waitAsync(LOOK_MS);
      if (!this.#isClosed) this.look();
    }
    for (const waiter of this.#waiters) waiter.settle(false);
  }

  /** Looks at what has come until now. */
  look(): void {
    const nowNs = this.#nowNs();
    this.#look(nowNs);
    for (const waiter of this.#waiters) this.#check(waiter, nowNs);
  }

  #check(waiter: Waiter, nowNs: number): void {
    const isOver = waiter.isOver();
    if (!isOver && nowNs <= waiter.endNs) return;
    this.#waiters.delete(waiter);
    waiter.settle(isOver);
  }

  /** Settles when `isOver`, asked after each look; false after `timeout` [s], or when the loop ends. */
  until(isOver: () => boolean, timeout: number): Promise<boolean> {
    if (isOver()) return Promise.resolve(true);
    if (this.#isClosed) return Promise.resolve(false);
    const endNs = this.#nowNs() + 1e9 * timeout;
    return new Promise((settle) => void this.#waiters.add({ isOver, endNs, settle }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#group.close();
    await this.#running;
    for (const port of this.#ports) port.close();
  }
}
