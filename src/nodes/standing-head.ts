import * as pose from "../math/pose.js";
import { Circles, HeadPose } from "../messages/sensing.js";
import { type Node, WHEN_CALLED } from "../transport/node.js";
import { type PortsOf, takeEach } from "../transport/port.js";

export const standingHeadPorts = {
  in: { left: Circles, right: Circles },
  out: { poses: HeadPose },
} as const;

/** Exposures that are this near count as one [ns]; the tracker joins images that differ by less. */
const SAME_TIME_NS = 1.5e6;
/** Exposures whose poses were put; an image of one camera may come after later ones of the other. */
const KEPT = 16;

/** Cameras that stand in the world have one pose, known exactly, which the tracker gets for each exposure. */
export class StandingHeadNode implements Node {
  readonly #ports: PortsOf<typeof standingHeadPorts>;
  readonly #worldFromHead: pose.Pose;
  readonly #put = new Float64Array(KEPT).fill(Number.NEGATIVE_INFINITY);
  #count = 0;

  constructor(ports: PortsOf<typeof standingHeadPorts>, worldFromHead: pose.Pose) {
    this.#ports = ports;
    this.#worldFromHead = worldFromHead;
  }

  step(nowNs: number): number {
    for (const port of [this.#ports.in.left, this.#ports.in.right]) {
      takeEach(port, nowNs, ({ exposureNs }) => this.#expose(exposureNs, nowNs));
    }
    return WHEN_CALLED;
  }

  #expose(exposureNs: number, nowNs: number): void {
    if (this.#put.some((other) => Math.abs(other - exposureNs) < SAME_TIME_NS)) return;
    this.#put[this.#count++ % KEPT] = exposureNs;
    const worldFromHead = pose.copy(this.#worldFromHead, pose.create());
    const still = { twist: new Float64Array(6), covariance: new Float64Array(36) };
    this.#ports.out.poses.put({ time: exposureNs / 1e9, worldFromHead, ...still }, nowNs);
  }
}
