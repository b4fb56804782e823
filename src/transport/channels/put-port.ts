import { FlycatcherError } from "../../runtime/errors.js";
import { type ChannelCore, thisThread } from "./channel-core.js";
import { PutWord } from "./control-memory.js";
import { type PortMonitor, PortMonitors } from "./port-monitor.js";
import { noSlot } from "./ring.js";

/**
 * The writing end of a channel. A writer reserves a slot, fills the packet in place and publishes it:
 * @example
 * const packet = port.reserve();
 * packet.t.seconds = now;
 * port.publish();
 */
export class PutPort<V extends object> {
  /** Number of the port in its channel. */
  readonly index: number;
  private readonly core: ChannelCore<V>;
  private readonly words: Int32Array;
  private readonly record: number;
  private readonly monitors = new PortMonitors<V>();
  private slot = noSlot;
  private hint = 0;
  private isOpen = true;
  private sentCount = 0;
  private filteredCount = 0;

  /** Called by the channel, which has given the port to this thread. */
  constructor(core: ChannelCore<V>, index: number) {
    this.core = core;
    this.index = index;
    this.words = core.memory.words;
    this.record = core.memory.putRecord(index);
    this.words[this.record + PutWord.sent] = 0;
    this.words[this.record + PutWord.filtered] = 0;
  }

  /** Packets published. */
  get sent(): number {
    return this.sentCount;
  }

  /** Packets dropped by the port's monitors. */
  get filtered(): number {
    return this.filteredCount;
  }

  /**
   * A packet to fill; never fails and never waits, whatever the readers do. It holds what an earlier packet left, so
   * every field must be written. Until it is published or discarded, further calls return the same packet.
   */
  reserve(): V {
    if (this.slot === noSlot) {
      this.checkOpen();
      this.slot = this.core.ring.claim(this.index, this.hint);
    }
    return this.core.views[this.slot]!;
  }

  /** Sends the reserved packet, which must not be touched afterwards. False if a monitor of this port dropped it. */
  publish(): boolean {
    if (this.slot === noSlot) throw misuse("publish without a reserved packet");
    if (!this.monitors.isEmpty && this.monitors.run(this.core.views[this.slot]!, inPlace) === null) {
      this.discard();
      this.words[this.record + PutWord.filtered] = ++this.filteredCount;
      return false;
    }
    this.hint = this.core.ring.publish(this.slot);
    this.core.arrivals.announce();
    this.core.ring.unclaim(this.slot);
    this.slot = noSlot;
    this.words[this.record + PutWord.sent] = ++this.sentCount;
    return true;
  }

  /** Gives the reserved packet back unsent. */
  discard(): void {
    if (this.slot === noSlot) return;
    this.core.ring.unclaim(this.slot);
    this.slot = noSlot;
  }

  /** Returns the function that takes the monitor off again. */
  attachMonitor(monitor: PortMonitor<V>): () => void {
    return this.monitors.attach(monitor);
  }

  /** Gives the port back to the channel. */
  close(): void {
    if (!this.isOpen) return;
    this.checkOpen();
    this.discard();
    this.isOpen = false;
    Atomics.store(this.words, this.record + PutWord.owner, 0);
  }

  private checkOpen(): void {
    if (this.isOpen && this.words[this.record + PutWord.owner] === thisThread) return;
    throw misuse("the put-port is closed, or was reclaimed from its thread");
  }
}

function inPlace<V>(packet: V): V {
  return packet;
}

function misuse(message: string): FlycatcherError {
  return new FlycatcherError("FLY_CHANNEL_PORT_MISUSE", message);
}
