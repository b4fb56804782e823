import { f64, flag, i32, time } from "../../src/transport/channels/field.js";
import { type MessageOf, message, several } from "../../src/transport/message.js";
import { type Node, WHEN_CALLED } from "../../src/transport/node.js";
import type { NodePorts, PortsOf } from "../../src/transport/port.js";
import { takeEach } from "../../src/transport/port.js";

/** A number on its way through the toy graph. */
export const Count = message("Count", 1, "A number, and when it was put.", {
  value: i32,
  putNs: time,
  stepNs: time,
  numbers: several(8),
});
export type Count = MessageOf<typeof Count>;

export const Order = message("Order", 1, "What the source is to do.", { dies: flag, delayNs: f64 });
export type Order = MessageOf<typeof Order>;

const sourcePorts = { in: { orders: Order }, out: { counts: Count } } as const;
const stagePorts = { in: { counts: Count }, out: { counts: Count } } as const;

const kinds: { readonly [kind: string]: NodePorts } = { source: sourcePorts, doubler: stagePorts, negator: stagePorts };

export function toyPorts(kind: string): NodePorts {
  return kinds[kind] ?? { in: {}, out: {} };
}

/** Counts up, once a step; every step a millisecond after the other. */
class SourceNode implements Node {
  readonly #ports: PortsOf<typeof sourcePorts>;
  readonly #now: () => number;
  #value = 0;
  #delayNs = 0;

  constructor(ports: PortsOf<typeof sourcePorts>, now: () => number) {
    this.#ports = ports;
    this.#now = now;
  }

  step(nowNs: number): number {
    takeEach(this.#ports.in.orders, nowNs, ({ dies, delayNs }) => {
      if (dies) throw new Error("told to die");
      this.#delayNs = delayNs;
    });
    const value = ++this.#value;
    const putNs = this.#now();
    const numbers = Float64Array.of(value, -value);
    this.#ports.out.counts.put({ value, putNs, stepNs: nowNs, numbers }, putNs + this.#delayNs);
    return nowNs + 1e6;
  }
}

/** Multiplies what comes. */
class StageNode implements Node {
  readonly #ports: PortsOf<typeof stagePorts>;
  readonly #factor: number;

  constructor(ports: PortsOf<typeof stagePorts>, factor: number) {
    this.#ports = ports;
    this.#factor = factor;
  }

  step(nowNs: number): number {
    takeEach(this.#ports.in.counts, nowNs, (count) => {
      this.#ports.out.counts.put({ ...count, value: this.#factor * count.value }, nowNs);
    });
    return WHEN_CALLED;
  }
}

export function toyNode(kind: string, wiring: unknown, now: () => number): Node {
  const ports = wiring as never;
  return kind === "source" ? new SourceNode(ports, now) : new StageNode(ports, kind === "doubler" ? 2 : -1);
}
