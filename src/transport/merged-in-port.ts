import type { InPort } from "./port.js";

/** Several edges to one port: what each of them has, in their order. */
export class MergedInPort implements InPort<object> {
  readonly #ports: readonly InPort<object>[];

  constructor(ports: readonly InPort<object>[]) {
    this.#ports = ports;
  }

  take(nowNs: number, out?: object): object | null {
    for (let k = 0; k < this.#ports.length; k++) {
      const message = this.#ports[k]!.take(nowNs, out);
      if (message !== null) return message;
    }
    return null;
  }

  get waiting(): number {
    let sum = 0;
    for (let k = 0; k < this.#ports.length; k++) sum += this.#ports[k]!.waiting;
    return sum;
  }

  get lost(): number {
    let sum = 0;
    for (let k = 0; k < this.#ports.length; k++) sum += this.#ports[k]!.lost;
    return sum;
  }
}
