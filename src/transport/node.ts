/**
 * A part of the system: an algorithm between ports. It has no clock, thread, file or socket, except where it is the edge of
 * the graph (a driver, a file, a camera). The same object runs in lock-step, in a thread and on a recorded throw.
 */
export interface Node {
  /**
   * Takes what has come, puts what there is to say; returns when it wants to be stepped again at the latest [ns]. Messages that
   * come earlier step it, too.
   */
  step(nowNs: number): number;
  /** Called once before the first step, in the thread in which the node will run. */
  warmUp?(): void | Promise<void>;
  /** Gives back what is not collected. */
  close?(): void | Promise<void>;
}

/** A node that only messages wake. */
export const WHEN_CALLED = Number.POSITIVE_INFINITY;
