import type { ComponentStatus, Transition } from "../messages/report.js";
import type { Run } from "../run/run.js";
import type { ThreadsHost } from "../run/threads-host.js";
import { type InPort, takeEach } from "../transport/port.js";

/** How often what happened is looked for [ms]. */
const LOOK_MS = 50;

/** A change of an arm's state. */
export type ArmChange = Pick<Transition, "arm" | "to" | "reason" | "timeNs">;

/** Watches a run that throws nothing itself: what the arms do, and what cameras over pipes say of their streams. */
export class LiveWatch {
  /** By component, as it was last. */
  readonly streams: Record<string, string> = {};
  readonly #transitions: InPort<Transition>;
  readonly #statuses: InPort<ComponentStatus>;
  readonly #pipes: ReadonlySet<string>;
  readonly #onChange: (change: ArmChange) => void;
  readonly #timer: NodeJS.Timeout;

  constructor(run: Run<ThreadsHost>, onChange: (change: ArmChange) => void) {
    const { host, graph } = run;
    this.#pipes = new Set(graph.nodes.filter(({ kind }) => kind === "pipe-camera").map(({ name }) => name));
    this.#transitions = run.tap<Transition>("catching.transitions");
    this.#statuses = host.executor.tapStatus<ComponentStatus>();
    this.#onChange = onChange;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  #look(): void {
    takeEach(this.#transitions, Number.POSITIVE_INFINITY, (change) => {
      if (change.from !== change.to) this.#onChange(change);
    });
    takeEach(this.#statuses, Number.POSITIVE_INFINITY, ({ component, detail }) => {
      if (this.#pipes.has(component)) this.streams[component] = detail;
    });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#look();
  }
}
