import type { MessageType } from "./message.js";

/** Where a node gets messages of one kind from. Belongs to the node: what it takes is gone. */
export interface InPort<M> {
  /**
   * The next message that is there by `nowNs`; null if there is none. A port that copies (`copies`) fills `out`, if given, and
   * returns it; else the message may be kept, and is not to be changed.
   */
  take(nowNs: number, out?: M): M | null;
  /** Messages that wait, whether their time has come or not. */
  readonly waiting: number;
  /** Messages that were overwritten before they were taken, or skipped for newer ones. */
  readonly lost: number;
}

/** Where a node puts messages of one kind. */
export interface OutPort<M> {
  /** Whether `put` copies, so that the message's memory may be used again; else it is handed over. */
  readonly copies: boolean;
  /** Whether anything takes what is put: what nothing takes need not be made. */
  readonly isJoined: boolean;
  /** Hands a message to all that take it, from the time `readyNs` on. */
  put(message: M, readyNs: number): void;
  /**
   * Hands over what `make` gives, made when it is taken, or at once where it leaves the thread. Until the next offer it must give
   * the same: for what costs more to make than to keep ready, and is seldom taken.
   */
  offer(make: () => M, readyNs: number): void;
}

/** Which messages an edge hands over: each, or of those that wait the newest. */
export type Policy = "every" | "newest";

/** The ports of a kind of node, by name: what each takes and puts. */
export interface NodePorts {
  readonly in: { readonly [name: string]: MessageType };
  readonly out: { readonly [name: string]: MessageType };
}

/** The ports that a node is built with. */
export type PortsOf<P extends NodePorts> = {
  readonly in: { readonly [K in keyof P["in"]]: P["in"][K] extends MessageType<infer M> ? InPort<M> : never };
  readonly out: { readonly [K in keyof P["out"]]: P["out"][K] extends MessageType<infer M> ? OutPort<M> : never };
};

/** An in-port that nothing is joined to. */
export const nothingIn: InPort<never> = { take: () => null, waiting: 0, lost: 0 };

/** Takes all messages that are there by `nowNs`, and hands each to `use`. */
export function takeEach<M>(port: InPort<M>, nowNs: number, use: (message: M) => void): void {
  for (let message = port.take(nowNs); message !== null; message = port.take(nowNs)) use(message);
}

/** The newest message that is there by `nowNs`; null if there is none. */
export function takeNewest<M>(port: InPort<M>, nowNs: number): M | null {
  let newest: M | null = null;
  for (let message = port.take(nowNs); message !== null; message = port.take(nowNs)) newest = message;
  return newest;
}
