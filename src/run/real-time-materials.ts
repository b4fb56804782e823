import { RawFrameStream } from "../camera/frames/frame-stream.js";
import { GdpFrameStream } from "../camera/frames/gdp-stream.js";
import type { CatchTimes } from "../catching/catch-times.js";
import { robotFingerprint } from "../control/udp/frame.js";
import { FrameKey } from "../control/udp/frame-key.js";
import { PlanQuestion } from "../messages/planning.js";
import type { CameraSide } from "../messages/sensing.js";
import type { ControlNodeOptions } from "../nodes/control-options.js";
import { type DrivenGroup, DriverRobotNode } from "../nodes/driver-robot.js";
import { PipeCameraNode } from "../nodes/pipe-camera.js";
import type { PlanningArm } from "../nodes/planner.js";
import type { LiveCameraOptions } from "../nodes/simulated-camera.js";
import { StreamedWorldNode } from "../nodes/streamed-world.js";
import { UdpRobotNode } from "../nodes/udp-robot.js";
import { requestOf } from "../planning/arm/plan-messages.js";
import { TimedPlanner, type TimedPlannerOptions } from "../planning/arm/timed-planner.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import type { Robot } from "../robot/robot.js";
import type { RunClock } from "../runtime/clock.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { CameraSettings } from "../simulation/camera-settings.js";
import { FramePace } from "../simulation/frame-pace.js";
import type { RobotAddress } from "../simulation/robot-sim/robot-process.module.js";
import type { StreamedScene } from "../simulation/streamed-scene.js";
import type { BallAttention } from "../tracking/prediction/ball-attention.js";
import { allocatePacket } from "../transport/channels/packet.js";
import { decode, encode, packetOf } from "../transport/message.js";
import type { Node } from "../transport/node.js";
import type { StopLine } from "../transport/stop-line.js";
import { frameSource } from "./camera-pipes.js";
import { PlannerWarmUp } from "./planner-warm-up.js";

/** What nodes need in real time, beside what they need in lock-step. */
export interface RealTimeMaterials {
  readonly clock: RunClock;
  readonly stopLine: StopLine;
  /** Where the robot is; null for nodes that do not speak to it. */
  readonly address: RobotAddress | null;
  readonly drivers: readonly DrivenGroup[];
  /** Share of a frame's period that rendering may take. */
  readonly cameraShare: number;
  readonly isFrozen: (side: CameraSide, time: number) => boolean;
  readonly isImuSilent: (time: number) => boolean;
  /** What control has in real time alone. */
  readonly control: Partial<ControlNodeOptions>;
}

/** How long a robot may take to answer [ms]. */
const CONNECT_TIMEOUT_MS = 5000;
/** From the end of a search to its answer [s]: the last check of a plan, or the reasons why there is none. */
const LAST_CHECKS = 0.008;
/** Throws of a planner's warm-up: most of what more of them gain comes with the trial throw. */
const WARM_UP = 20;

export function udpRobot(ports: never, { model }: Robot, materials: RealTimeMaterials, wake: () => void): Node {
  const { clock, stopLine } = materials;
  const address = robotAddress(materials);
  return new UdpRobotNode(ports, {
    host: address.host,
    port: address.udp,
    count: model.dofCount,
    fingerprint: robotFingerprint(model),
    key: address.key === undefined ? null : new FrameKey(address.key),
    latency: 0,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    clock: () => clock.nowNs(),
    stopLine,
    wake,
  });
}

export function driverRobot(
  ports: never,
  robot: Robot,
  { clock, drivers: groups, stopLine }: RealTimeMaterials,
  tickNs: number,
  wake: () => void,
): Node {
  return new DriverRobotNode(ports, robot, { groups, tickNs, stopLine, clock: () => clock.nowNs(), wake });
}

export function streamedWorld(ports: never, materials: RealTimeMaterials, wake: () => void): Node {
  const { clock } = materials;
  const { origin } = clock;
  const zero = origin.kind === "real-time" ? Number(origin.monotonicZeroNs) / 1e9 : 0;
  const { host, world: port, secret } = robotAddress(materials);
  return new StreamedWorldNode(ports, { host, port, secret, zero, clock: () => clock.nowNs(), wake });
}

/** How long a camera's program may take to its first frame [ms]. */
const CAMERA_START_MS = 15_000;

interface PipeSlot {
  readonly side: CameraSide;
  readonly settings: CameraSettings;
  readonly attention: BallAttention | null;
  readonly times: CatchTimes;
}

/** A camera whose frames another program sends. */
export function pipeCamera(
  ports: never,
  { cameras, stereo }: Robot,
  { side, settings, attention, times }: PipeSlot,
  { clock }: RealTimeMaterials,
  wake: () => void,
): Node {
  const { pipes, colour = false } = settings;
  const { width, height, latency } = cameras[stereo![side]]!;
  const { origin } = clock;
  const zeroNs = origin.kind === "real-time" ? Number(origin.monotonicZeroNs) : null;
  const wanted = colour ? "colour" : "gray";
  const source = frameSource(pipes![side], side, { wanted, zeroNs });
  const framing = source.framing ?? pipes!.framing;
  return new PipeCameraNode(ports, {
    ...{ side, width, height, attention, wake, framePeriodNs: times.framePeriodNs },
    command: source.command,
    stream: () => (framing === "gdp" ? new GdpFrameStream() : new RawFrameStream({ format: framing, width, height })),
    ...{ wanted, zeroNs },
    latencyNs: latency * 1e9,
    startTimeoutMs: CAMERA_START_MS,
    clock: () => clock.nowNs(),
  });
}

function robotAddress({ address }: RealTimeMaterials): RobotAddress {
  if (address !== null) return address;
  throw new FlycatcherError("FLY_INTERNAL", "a node that speaks to the robot has no address of it");
}

export function liveCamera(
  { clock, cameraShare, isFrozen }: RealTimeMaterials,
  side: CameraSide,
  stream: StreamedScene,
  framePeriodNs: number,
): LiveCameraOptions {
  const pace = new FramePace(framePeriodNs / 1e9, cameraShare);
  const measured = { pace, stopwatch: () => clock.nowSeconds() };
  return { stream, measured, isFrozen: (time) => isFrozen(side, time) };
}

/** The planner of one arm by the run's clock: an answer that would come too late is cut short. */
export function liveArmPlanner(
  arm: CatchArm,
  waiting: Float64Array,
  { mode, times, ...options }: TimedPlannerOptions & { readonly mode: CatchMode; readonly times: CatchTimes },
  { clock }: RealTimeMaterials,
): PlanningArm {
  // In the warm-up the clock stands still: its throws are not of today.
  let isWarm = false;
  const transport = times.transportNs / 1e9 + LAST_CHECKS;
  const deadline = { clock: () => (isWarm ? clock.nowSeconds() : 0), transport };
  const planner = new TimedPlanner(arm, waiting, { ...options, deadline });
  return {
    plan: (request) => planner.plan(request),
    /** Questions go through a packet, as between threads: objects of another make would have to be optimised for again. */
    warmUp() {
      const practice = new PlannerWarmUp(arm, waiting, mode);
      const packet = allocatePacket(packetOf(PlanQuestion));
      for (let id = 0; id < WARM_UP; id++) {
        practice.play(id, (request) => {
          encode(PlanQuestion, { arm: arm.group.name, ...request } as unknown as PlanQuestion, packet);
          return planner.plan(requestOf(decode(PlanQuestion, packet)));
        });
      }
      isWarm = true;
    },
  };
}
