/**
 * A plug-in of a port, after the port monitors of YARP: it sees each packet that passes the port, in the port's thread,
 * without a change in the code that uses the port. A put-port runs its monitors before the packet goes out, a get-port
 * before it is handed to the reader.
 */
export type PortMonitor<V> =
  /** Looks on. */
  | { readonly kind: "observe"; observe(packet: Readonly<V>): void }
  /** Lets only those packets pass for which it says true. */
  | { readonly kind: "filter"; passes(packet: Readonly<V>): boolean }
  /** Changes packets in place: at a put-port for all readers, at a get-port in a copy for this reader alone. */
  | { readonly kind: "transform"; transform(packet: V): void };

/** The monitors of one port, in the order they were attached. */
export class PortMonitors<V> {
  private readonly monitors: PortMonitor<V>[] = [];

  get isEmpty(): boolean {
    return this.monitors.length === 0;
  }

  /** Returns the function that takes the monitor off again. */
  attach(monitor: PortMonitor<V>): () => void {
    this.monitors.push(monitor);
    return () => {
      const index = this.monitors.indexOf(monitor);
      if (index !== -1) this.monitors.splice(index, 1);
    };
  }

  /**
   * Runs all monitors; returns the packet to hand on, or null if a filter dropped it.
   * @param writable Where to change the packet, called before the first transformation.
   */
  run(packet: V, writable: (packet: V) => V): V | null {
    let mayWrite = false;
    for (const monitor of this.monitors) {
      switch (monitor.kind) {
        case "observe":
          monitor.observe(packet);
          break;
        case "filter":
          if (!monitor.passes(packet)) return null;
          break;
        case "transform":
          if (!mayWrite) packet = writable(packet);
          mayWrite = true;
          monitor.transform(packet);
      }
    }
    return packet;
  }
}
