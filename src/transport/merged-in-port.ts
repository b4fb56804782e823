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
    return this.#ports.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  get lost(): number {
    return this.#ports.reduce((sum, { lost }) => sum + lost, 0);
  }
}
