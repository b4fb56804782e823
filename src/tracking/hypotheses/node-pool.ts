import { TrackNode } from "./track-node.js";

/** The nodes of all track trees, made once. Nodes no hypothesis refers to any more are swept up after each scan. */
export class NodePool {
  readonly nodes: readonly TrackNode[];
  readonly #free: Int32Array;
  readonly #inUse: Uint8Array;
  readonly #marked: Uint8Array;
  #available: number;

  constructor(capacity: number) {
    this.nodes = Array.from({ length: capacity }, (_, index) => new TrackNode(index));
    this.#free = Int32Array.from({ length: capacity }, (_, n) => capacity - 1 - n);
    this.#inUse = new Uint8Array(capacity);
    this.#marked = new Uint8Array(capacity);
    this.#available = capacity;
  }

  get capacity(): number {
    return this.nodes.length;
  }

  /** Nodes not in use. */
  get available(): number {
    return this.#available;
  }

  at(index: number): TrackNode {
    return this.nodes[index]!;
  }

  /** A node of unspecified content, or null if all are in use. */
  acquire(): TrackNode | null {
    if (this.#available === 0) return null;
    const index = this.#free[--this.#available]!;
    this.#inUse[index] = 1;
    return this.nodes[index]!;
  }

  /** Says that a node is still wanted, until the next sweep. */
  mark(index: number): void {
    this.#marked[index] = 1;
  }

  /** Takes back all nodes that are not marked, in an order that depends on nothing but what is marked. */
  sweep(): void {
    let free = 0;
    for (let index = this.nodes.length - 1; index >= 0; index--) {
      this.#inUse[index] = this.#inUse[index]! & this.#marked[index]!;
      this.#marked[index] = 0;
      if (this.#inUse[index] === 0) this.#free[free++] = index;
    }
    this.#available = free;
  }
}
