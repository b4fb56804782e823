import { attachChannel, type ChannelHandle } from "../../channels/channel.js";
import type { PutPort } from "../../channels/put-port.js";
import { ComponentHealth, ComponentStatus } from "../../messages/component-status.js";
import { systemThread } from "../../runtime/thread-load.js";

/** How often a part tells how it fares [ns]. */
const PERIOD_NS = 1e9;

/** How a part of a live run fares: counts its cycles, and tells about once a second. */
export class PartStatus {
  health: ComponentHealth = ComponentHealth.running;
  /** The system's number of the part's thread; this one's, unless somebody else tells of the part. */
  thread = systemThread();
  /** Packets lost so far, and waiting now. */
  lost = 0;
  waiting = 0;
  readonly #name: string;
  readonly #port: PutPort<ComponentStatus>;
  #cycles = 0;
  #told = 0;
  #toldNs = Number.NEGATIVE_INFINITY;
  /** Of the cycles since the last word [s]: sum, longest. */
  readonly #durations = new Float64Array(2);

  constructor(channel: ChannelHandle, name: string) {
    this.#name = name;
    this.#port = attachChannel(channel, ComponentStatus).openPutPort();
  }

  /** A cycle took so long [s]. */
  worked(duration: number): void {
    this.#cycles++;
    this.#durations[0] = this.#durations[0]! + duration;
    if (duration > this.#durations[1]!) this.#durations[1] = duration;
  }

  /** Tells if it is time. */
  step(nowNs: number): void {
    if (nowNs - this.#toldNs < PERIOD_NS) return;
    const count = this.#cycles - this.#told;
    const packet = this.#port.reserve();
    packet.t.nanoseconds = Math.max(0, nowNs);
    packet.component.write(this.#name);
    packet.thread = this.thread >>> 0;
    packet.health = this.health;
    packet.cycles = this.#cycles >>> 0;
    packet.lost = this.lost >>> 0;
    packet.behind = this.waiting >>> 0;
    packet.cycleMean = count === 0 ? 0 : this.#durations[0]! / count;
    packet.cycleMax = this.#durations[1]!;
    packet.detail.write("");
    this.#port.publish();
    this.#told = this.#cycles;
    this.#toldNs = nowNs;
    this.#durations.fill(0);
  }
}
