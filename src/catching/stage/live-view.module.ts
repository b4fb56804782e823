import type { Channel } from "../../channels/channel.js";
import type { GetPort } from "../../channels/get-port.js";
import { Camera } from "../../messages/camera.js";
import type { Circles } from "../../messages/circles.js";
import type { ComponentStatus } from "../../messages/component-status.js";
import { ComponentHealth } from "../../messages/component-status.js";
import type { JointState } from "../../messages/joint-state.js";
import type { Plan } from "../../messages/plan.js";
import { HandoverOutcome } from "../../messages/plan-handover.js";
import type { Robot } from "../../robot/robot.js";
import { ThreadLoads } from "../../runtime/thread-load.js";
import { createRigidMotion } from "../../simulation/head-motion/elastic-chain.js";
import { createRecordedBall, WorldRecord } from "../../simulation/robot-sim/world-record.js";
import type { LiveChannels } from "../live/live-channels.module.js";
import { readPrediction } from "../live/prediction-codec.module.js";
import { maxTrueBalls } from "../live/true-world.module.js";
import { closingOf } from "./hand-closing-share.js";
import { NearestPairs } from "./nearest-pairs.js";
import { pickRamps } from "./plan-words.js";
import type { PosePacket } from "./pose-packet.js";
import { PredictionPath } from "./prediction-path.js";
import type { ComponentState, SafetyMessage, StageMessage } from "./stage-messages.js";
import { nameIn } from "./state-words.js";

/** Pairs that are told of. */
const PAIRS_TOLD = 8;

/** What passes through a channel, taken without holding it up. */
function* newPackets<V extends object>(port: GetPort<V>): Generator<V> {
  for (let packet = port.tryReceive(); packet !== null; packet = port.tryReceive()) {
    yield packet;
    port.release(packet);
  }
}

/**
 * Looks on at the channels of a live run from the main thread and puts what passes into words for spectators. It only reads
 * ports of its own: when it is late it misses packets and nobody waits for it.
 */
export class LiveView {
  readonly #robot: Robot;
  readonly #tell: (message: StageMessage) => void;
  readonly #states: GetPort<JointState>;
  readonly #ports: ReturnType<typeof openPorts>;
  readonly #paths = new PredictionPath();
  readonly #pairs: NearestPairs;
  readonly #q: Float64Array;
  readonly #motion = createRigidMotion();
  readonly #ball = createRecordedBall();
  readonly #components = new Map<string, Observed>();
  readonly #balls: PosePacket["balls"] = [];
  #jointTime = Number.NaN;
  #headIsKnown = false;
  #braking: number | null = null;
  readonly #loads = new ThreadLoads();
  readonly #robotProcess: number | null;

  /** `robotProcess`: the system's number of the simulated robot's process, if it is ours. */
  constructor(
    robot: Robot,
    channels: LiveChannels,
    states: Channel<JointState>,
    robotProcess: number | null,
    tell: (message: StageMessage) => void,
  ) {
    this.#robot = robot;
    this.#robotProcess = robotProcess;
    this.#tell = tell;
    this.#states = states.openGetPort("newest");
    this.#ports = openPorts(channels);
    this.#pairs = new NearestPairs(robot);
    this.#q = new Float64Array(robot.model.dofCount);
  }

  /** Takes what has come, at the time `now` [s]. */
  poll(now: number): void {
    this.#takeState();
    this.#takeWorld();
    for (const packet of newPackets(this.#ports.predictions)) {
      const prediction = readPrediction(packet);
      const { track, confirmed, lastSeen: tExposure } = prediction;
      this.#tell({ type: "prediction", time: now, track, confirmed, tExposure, path: this.#paths.points(prediction) });
    }
    for (const port of [this.#ports.left, this.#ports.right]) {
      for (const packet of newPackets(port)) this.#tellCircles(packet);
    }
    for (const packet of newPackets(this.#ports.plans)) this.#tellPlan(packet, now);
    for (const packet of newPackets(this.#ports.handovers)) {
      const outcome = nameIn(HandoverOutcome, packet.outcome);
      this.#tell({ type: "handover", time: packet.t.seconds, plan: packet.plan, part: packet.group.read(), outcome });
    }
    for (const packet of newPackets(this.#ports.status)) this.#observe(packet);
    for (const packet of newPackets(this.#ports.monitor)) this.#braking = packet.distance;
  }

  #takeState(): void {
    for (const packet of newPackets(this.#states)) {
      this.#q.set(packet.position.subarray(0, this.#q.length));
      this.#jointTime = packet.t.seconds;
    }
  }

  #takeWorld(): void {
    for (const packet of newPackets(this.#ports.world)) {
      const record = new WorldRecord(maxTrueBalls, 0, packet.numbers);
      record.motion("head", this.#motion);
      this.#headIsKnown = true;
      this.#balls.length = 0;
      for (let k = 0; k < maxTrueBalls; k++) {
        const { id, position } = record.ball(k, this.#ball);
        if (id >= 0) this.#balls.push({ id, position: [position[0], position[1], position[2]] });
      }
    }
  }

  #tellCircles(packet: Readonly<Circles>): void {
    const side = packet.camera === Camera.left ? "left" : "right";
    const { stereo, cameras } = this.#robot;
    const camera = stereo === undefined ? undefined : cameras[stereo[side]];
    if (camera === undefined || packet.count === 0) return;
    const circles = Array.from({ length: packet.count }, (_, k) => {
      const { u, v, r, score } = packet.circles[k]!;
      return [u, v, r, score] as const;
    });
    const { width, height } = camera;
    const [time, tExposure] = [packet.tArrival.seconds, packet.tExposure.seconds];
    this.#tell({ type: "circles", time, camera: side, tExposure, width, height, circles });
  }

  #tellPlan(packet: Readonly<Plan>, time: number): void {
    const joints = Array.from(this.#q.keys()).filter((dof) => packet.moves[dof] === 1);
    this.#tell({
      type: "plan",
      time,
      id: packet.id,
      part: packet.group.read(),
      track: packet.track,
      tStart: packet.tStart.seconds,
      tCatch: packet.track >= 0 ? packet.tGrasp.seconds : null,
      joints,
      ramps: pickRamps(packet.ramps, joints),
      objective: Number.isNaN(packet.objective) ? null : packet.objective,
    });
  }

  #observe(packet: Readonly<ComponentStatus>): void {
    const name = packet.component.read();
    const time = packet.t.seconds;
    const before = this.#components.get(name);
    const span = before === undefined ? 0 : time - before.time;
    const rate = span > 0 ? (packet.cycles - before!.cycles) / span : null;
    const state: ComponentState = {
      name,
      health: nameIn(ComponentHealth, packet.health),
      rate,
      cpu: null,
      queue: packet.behind,
      lost: packet.lost,
      meanMs: packet.cycleMean > 0 ? 1e3 * packet.cycleMean : null,
      maxMs: 1e3 * packet.cycleMax,
      text: packet.detail.read(),
    };
    this.#components.set(name, { time, cycles: packet.cycles, thread: packet.thread, state });
  }

  /** What the parts last said of themselves, and what the system says of their threads. */
  components(nowNs: number): ComponentState[] {
    const parts = Array.from(this.#components.values(), ({ thread, state }) => ({
      ...state,
      cpu: this.#loads.ofThread(thread, nowNs),
    }));
    const service = { ...unmeasured, name: "service", cpu: this.#loads.ofThread(process.pid, nowNs) };
    const robot = {
      ...unmeasured,
      name: "simulated robot",
      cpu: this.#loads.ofProcess(this.#robotProcess ?? 0, nowNs),
    };
    return [...parts, service, ...(this.#robotProcess === null ? [] : [robot])];
  }

  safety(time: number): SafetyMessage {
    return { type: "safety", time, braking: this.#braking, pairs: this.#pairs.at(this.#q, PAIRS_TOLD) };
  }

  /** The robot and the balls; false before the first state has come. */
  pose(out: PosePacket): boolean {
    if (Number.isNaN(this.#jointTime)) return false;
    out.time = this.#jointTime;
    out.joints.set(this.#q);
    closingOf(this.#robot, this.#q, out.hands);
    if (this.#headIsKnown) out.head.set(this.#motion.worldFromBody);
    out.balls = [...this.#balls];
    return true;
  }

  close(): void {
    this.#states.close();
    for (const port of Object.values(this.#ports)) port.close();
  }
}

/** Of a part that does not tell how it fares. */
const unmeasured = { health: "running", rate: null, queue: 0, lost: 0, meanMs: null, maxMs: null, text: "" } as const;

interface Observed {
  readonly time: number;
  readonly cycles: number;
  readonly thread: number;
  readonly state: ComponentState;
}

function openPorts(channels: LiveChannels) {
  return {
    world: channels.world.openGetPort("newest"),
    left: channels.circlesLeft.openGetPort("every"),
    right: channels.circlesRight.openGetPort("every"),
    predictions: channels.predictions.openGetPort("every"),
    plans: channels.plans.openGetPort("every"),
    handovers: channels.handovers.openGetPort("every"),
    monitor: channels.monitor.openGetPort("newest"),
    status: channels.status.openGetPort("every"),
  };
}
