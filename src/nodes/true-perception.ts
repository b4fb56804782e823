import * as pose from "../math/pose.js";
import { JointCommand } from "../messages/control.js";
import { Predictions } from "../messages/prediction.js";
import { HeadState } from "../messages/sensing.js";
import { TrueWorld } from "../messages/world.js";
import type { CarriedDofs } from "../planning/body/carried-dofs.js";
import type { SimulatedWorld, TrueScene } from "../simulation/simulated-world.js";
import type { StreamedScene } from "../simulation/streamed-scene.js";
import type { Node } from "../transport/node.js";
import { type PortsOf, takeNewest } from "../transport/port.js";
import { TrueWorldReader } from "./true-world-reader.js";

export const truePerceptionPorts = {
  in: { commands: JointCommand, world: TrueWorld },
  out: { predictions: Predictions, head: HeadState },
} as const;

export interface TruePerceptionOptions {
  readonly framePeriodNs: number;
  /** Frames that must have seen a ball before its flight counts as known. */
  readonly framesToConfirm: number;
  /** Joints a measured head is told with; null for a robot without a head on a chest. */
  readonly carried: CarriedDofs | null;
  readonly tickNs: number;
  /** Drag of the balls [1/m]. */
  readonly drag: number;
  /** The world that comes over a wire, and how long after a frame balls are known [ns]; null where it is simulated in the same thread. */
  readonly live?: { readonly stream: StreamedScene; readonly delayNs: number } | null;
}

const NO_TWIST = new Float64Array(6);

/**
 * Perfect eyes: at every camera frame the true state of each ball in the air; and where the head truly is, with the neck as it
 * is and the body as it was commanded. So a chest that bends and wheels that slip are known without error.
 */
export class TruePerceptionNode implements Node {
  readonly #ports: PortsOf<typeof truePerceptionPorts>;
  readonly #scene: TrueScene;
  readonly #simulated: SimulatedWorld | null;
  readonly #world: TrueWorldReader;
  readonly #options: TruePerceptionOptions;
  #sightings = new Map<number, number>();
  #commanded: Float64Array | null = null;
  /** Where the head was last, and the joints that are told with it. */
  readonly #worldFromHead = pose.create();
  readonly #neck: Float64Array;
  readonly #body: Float64Array;
  #nowNs = 0;
  #lastFrameNs = 0;

  /** Without a world of the same thread no head is put. */
  constructor(
    ports: PortsOf<typeof truePerceptionPorts>,
    simulated: SimulatedWorld | null,
    options: TruePerceptionOptions,
  ) {
    const stream = options.live?.stream ?? null;
    this.#ports = ports;
    this.#simulated = simulated;
    this.#scene = (simulated ?? stream)!;
    this.#world = new TrueWorldReader(ports.in.world, stream);
    this.#options = options;
    this.#neck = new Float64Array(options.carried?.neck.length ?? 0);
    this.#body = new Float64Array(options.carried?.body.length ?? 0);
  }

  step(nowNs: number): number {
    const { framePeriodNs, tickNs } = this.#options;
    this.#commanded = takeNewest(this.#ports.in.commands, nowNs)?.q ?? this.#commanded;
    this.#world.take(nowNs);
    const frameNs = Math.floor(nowNs / framePeriodNs) * framePeriodNs;
    if (frameNs > this.#lastFrameNs && this.#options.live?.stream.isKnown(frameNs / 1e9) !== false) {
      this.#lastFrameNs = frameNs;
      this.#expose(frameNs);
    }
    if (this.#simulated !== null) this.#sense(this.#simulated, nowNs);
    return nowNs + tickNs;
  }

  #expose(nowNs: number): void {
    const time = nowNs / 1e9;
    const balls = this.#scene.ballsAt(time).filter(({ hand }) => hand?.isHolding !== true);
    this.#sightings = new Map(balls.map(({ id }) => [id, (this.#sightings.get(id) ?? 0) + 1]));
    if (balls.length === 0) return;
    const predictions = balls.map(({ id, position, velocity }) => ({
      track: id,
      state: { time, position, velocity, drag: this.#options.drag },
      covariance: null,
      lastSeen: time,
      confirmed: (this.#sightings.get(id) ?? 0) >= this.#options.framesToConfirm,
    }));
    this.#ports.out.predictions.put({ balls: predictions }, nowNs + (this.#options.live?.delayNs ?? 0));
  }

  #sense({ world }: SimulatedWorld, nowNs: number): void {
    const { carried } = this.#options;
    const link = world.robot.frames.head;
    if (carried === null || link === undefined || this.#commanded === null) return;
    const { neck, body } = carried;
    this.#nowNs = nowNs;
    pose.copy(world.worldFromLink(link), this.#worldFromHead);
    for (let i = 0; i < neck.length; i++) this.#neck[i] = world.q[neck[i]!]!;
    for (let i = 0; i < body.length; i++) this.#body[i] = this.#commanded[body[i]!]!;
    this.#ports.out.head.offer(this.#makeHead, nowNs);
  }

  readonly #makeHead = (): HeadState => ({
    time: this.#nowNs / 1e9,
    worldFromHead: pose.copy(this.#worldFromHead, pose.create()),
    neck: this.#neck.slice(),
    body: this.#body.slice(),
    twist: NO_TWIST,
  });
}
