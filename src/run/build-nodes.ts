import { defaultActionThreshold } from "../catching/action-threshold.js";
import { adaptiveTimes, type CatchTimes } from "../catching/catch-times.js";
import { neckDefaults } from "../control/neck/neck-follower.js";
import type { Ball } from "../flight/ball.js";
import type { CameraSide } from "../messages/sensing.js";
import { scalesOf } from "../nodes/camera-images.js";
import { CatchingNode } from "../nodes/catching.js";
import { ControlNode } from "../nodes/control.js";
import { DetectorNode } from "../nodes/detector.js";
import { EvaluatorNode } from "../nodes/evaluator.js";
import { HeadPoseNode } from "../nodes/head-pose.js";
import { PlannerNode, type PlanningArm } from "../nodes/planner.js";
import { RecordedSourceNode, type RecordedSourceOptions } from "../nodes/recorded-source.js";
import { RecorderNode, type RecorderOptions } from "../nodes/recorder.js";
import { type Occlusion, SimulatedCameraNode, type SimulatedCameraOptions } from "../nodes/simulated-camera.js";
import { SimulatedImuNode } from "../nodes/simulated-imu.js";
import { SimulatedPointsNode } from "../nodes/simulated-points.js";
import { SimulatedRobotNode } from "../nodes/simulated-robot.js";
import { StandingHeadNode } from "../nodes/standing-head.js";
import { TrackerNode } from "../nodes/tracker.js";
import { TruePerceptionNode } from "../nodes/true-perception.js";
import type { TimedPlannerOptions } from "../planning/arm/timed-planner.js";
import { carriedDofs } from "../planning/body/carried-dofs.js";
import { standingHead } from "../robot/kinematics/standing-head.js";
import type { Robot } from "../robot/robot.js";
import type { RunClock } from "../runtime/clock.js";
import { FlycatcherError } from "../runtime/errors.js";
import { type CameraSettings, cameraDefaults } from "../simulation/camera-settings.js";
import type { SeenRoom } from "../simulation/eyes/image-eyes.js";
import { stereoRig } from "../simulation/eyes/stereo-rig.js";
import { type Challenges, withStiffness } from "../simulation/head-motion/challenges.js";
import { ColourRoom } from "../simulation/rendering/colour-renderer.js";
import { Room } from "../simulation/rendering/room.js";
import type { SimulatedWorld, WorldKind } from "../simulation/simulated-world.js";
import { StreamedScene } from "../simulation/streamed-scene.js";
import { LATEST_CATCH } from "../simulation/world/throws.js";
import { HeadViews } from "../tracking/pose/head-views.js";
import { BallAttention } from "../tracking/prediction/ball-attention.js";
import type { NodeWiring } from "../transport/lock-step-executor.js";
import type { Node } from "../transport/node.js";
import type { StopLine } from "../transport/stop-line.js";
import { type CameraMount, hasEyes, leastPlanningNs, modelledSearchNs, type PerceptionKind } from "./graph.js";
import type { NodeFactory, OwnNodeName, OwnNodes } from "./own-nodes.js";
import {
  driverRobot,
  liveArmPlanner,
  liveCamera,
  pipeCamera,
  type RealTimeMaterials,
  streamedWorld,
  udpRobot,
} from "./real-time-materials.js";
import { movingParts, type RunParts } from "./run-parts.js";
import type { RunSettings } from "./run-settings.js";

/** How the nodes of a run are set: what the configuration says of it, and what is said of this run alone. */
export interface NodeSettings extends Partial<Omit<RunSettings, "times" | "planner">> {
  readonly perception: PerceptionKind;
  readonly seed: number | string;
  readonly planner?: TimedPlannerOptions;
  /** What plans for each arm; in the run's own thread by default. */
  readonly planners?: (arm: string) => PlanningArm;
  readonly occlusions?: readonly Occlusion[] | undefined;
  readonly chest?: "measured" | "planned";
  /** When the run begins [ns]; 0 by default. */
  readonly startNs?: number;
  /** Whether the safety monitor looks at each command, as it does by default; else whole motions are checked alone. */
  readonly guard?: "monitor" | "motions";
  /** What writes the run down; nothing by default. */
  readonly recorder?: RecorderOptions;
  /** What is sensed out of a recording instead of being simulated, and the robot that sensed it. */
  readonly recorded?: { readonly seer: Robot; readonly readings: RecordedSourceOptions["readings"] };
  /** Nodes of one's own in place of the graph's: a driver of a robot, a camera. */
  readonly nodes?: OwnNodes | undefined;
}

/** What nodes are built of. */
export interface NodeMaterials extends NodeSettings {
  /** The robot as calibrated: what our side believes; and as it is. */
  readonly robot: Robot;
  readonly truth: Robot;
  /** Names of the arms that catch. */
  readonly arms: readonly string[];
  readonly made: RunParts;
  readonly times: CatchTimes;
  /** Where the robot waits for balls, and where it stands at first; in model order. */
  readonly waiting: Float64Array;
  readonly posture: Float64Array;
  readonly ball: Ball;
  readonly challenges: Challenges;
  /** The world, if it is simulated in this thread. */
  readonly simulated: SimulatedWorld | null;
  /** The run's clock. */
  readonly clock: RunClock;
  /** The emergency stop. */
  readonly stopLine: StopLine;
  /** What nodes need in real time beside; null or left out in lock-step. */
  readonly realTime?: RealTimeMaterials | null;
}

/** Ticks of control kept for the time something goes wrong. */
const HISTORY = 1000;

type FrameOptions = Pick<SimulatedCameraOptions, "framePeriodNs" | "cameraNs" | "seed" | "challenges" | "occlusions">;

/** Builds nodes by the names and kinds of a graph: the same classes in lock-step and in threads. */
export class NodeBuilder {
  readonly #with: NodeMaterials;
  /** In which images are rendered; one for both cameras. */
  #room: SeenRoom | null = null;

  constructor(materials: NodeMaterials) {
    this.#with = materials;
  }

  /** The node `name` of a graph, between its ports. `wake` steps it at once, for nodes with sockets. */
  build(name: string, kind: string, wiring: NodeWiring, wake: () => void = () => undefined): Node {
    const { nodes, robot, times, clock } = this.#with;
    const own = nodes?.[name as OwnNodeName] as NodeFactory<never> | undefined;
    if (own === undefined) return this.#build(name, kind, wiring, wake);
    return own({
      ...{ name, robot, wake },
      ports: wiring as never,
      tickNs: times.tickNs,
      nowNs: () => clock.nowNs(),
      original: (inPorts) => this.#build(name, kind, { ...wiring, in: { ...wiring.in, ...inPorts } }, wake),
    });
  }

  #build(name: string, kind: string, wiring: NodeWiring, wake: () => void): Node {
    const { robot, recorded, recorder } = this.#with;
    const seer = recorded?.seer ?? robot;
    const ports = wiring as never;
    switch (kind) {
      case "recorder":
        return new RecorderNode(ports, recorder!);
      case "recording":
        return this.#recording(ports, seer);
      case "pipe-camera":
        return this.#pipeCamera(sideOf(name), ports, wake);
      case "camera":
      case "points":
      case "imu":
        return this.#sensor(name, kind, ports);
      case "detector":
        return this.#detector(sideOf(name), ports);
      case "true-perception":
        return this.#truePerception(ports);
      case "standing-head":
        return new StandingHeadNode(ports, standingHead(seer)!);
      case "head-pose":
        return new HeadPoseNode(ports, seer, carriedDofs(seer));
      case "tracker":
        return new TrackerNode(ports, seer, { ball: this.#with.ball, tracker: this.#with.tracker ?? {} });
      case "robot":
        return this.#robot(ports);
      case "udp-robot":
        return udpRobot(ports, robot, this.#realTime, wake);
      case "driver-robot":
        return driverRobot(ports, robot, this.#realTime, this.#with.times.tickNs, wake);
      case "world":
        return streamedWorld(ports, this.#realTime, wake);
      case "control":
        return this.#control(ports);
      case "catching":
        return this.#catching(ports);
      case "evaluator":
        return new EvaluatorNode(ports, this.#simulated.world, this.#arms);
      case "planner":
        return this.#planner(name.slice("planner-".length), ports);
      default:
        throw new FlycatcherError("FLY_GRAPH", `there is no kind of node named ${kind}`);
    }
  }

  #recording(ports: never, seer: Robot): Node {
    const { perception, recorded, times } = this.#with;
    const input = perception === "truth" ? "circles" : perception;
    const { dofCount } = seer.model;
    return new RecordedSourceNode(ports, { input, readings: recorded!.readings, dofCount, tickNs: times.tickNs });
  }

  get #simulated(): SimulatedWorld {
    const { simulated } = this.#with;
    if (simulated !== null) return simulated;
    throw new FlycatcherError("FLY_GRAPH", "a node of the simulation has no world");
  }

  get #realTime(): RealTimeMaterials {
    const { realTime } = this.#with;
    if (realTime != null) return realTime;
    throw new FlycatcherError("FLY_GRAPH", "a node at the edge of the graph has no clock");
  }

  get #arms() {
    return this.#with.arms.map((name) => this.#with.made.arm(name));
  }

  #sensor(name: string, kind: "camera" | "points" | "imu", ports: never): Node {
    const { truth, seed, challenges, occlusions = [] } = this.#with;
    const { framePeriodNs, cameraNs, tickNs } = this.#with.times;
    const { realTime = null } = this.#with;
    const stream = realTime === null ? null : new StreamedScene();
    if (kind === "imu") {
      const imu = { challenges, seed, tickNs, stream, isSilent: realTime?.isImuSilent ?? (() => false) };
      return new SimulatedImuNode(ports, truth, stream ?? this.#simulated.head!, imu);
    }
    const frames = { framePeriodNs, cameraNs, seed, challenges, occlusions };
    if (kind === "points")
      return new SimulatedPointsNode(ports, truth, stream ?? this.#simulated, { ...frames, stream });
    return this.#camera(sideOf(name), ports, stream, frames);
  }

  #camera(side: CameraSide, ports: never, stream: StreamedScene | null, frames: FrameOptions): Node {
    const { truth, robot, perception, ball, seed, realTime = null } = this.#with;
    const ballRadius = ball.diameter / 2;
    const { windows, scale, colour = false } = this.#cameras;
    if (perception === "images") this.#room ??= colour ? new ColourRoom(seed) : new Room(seed);
    const attention = windows && perception === "images" ? attentionOf(robot, side, ballRadius) : null;
    return new SimulatedCameraNode(ports, truth, stream ?? this.#simulated, {
      ...frames,
      side,
      room: perception === "images" ? this.#room : null,
      attention,
      scale,
      ballRadius,
      ballColour: ball.colour,
      live: realTime === null || stream === null ? null : liveCamera(realTime, side, stream, frames.framePeriodNs),
    });
  }

  #pipeCamera(side: CameraSide, ports: never, wake: () => void): Node {
    const { robot, ball } = this.#with;
    const { windows } = this.#cameras;
    const attention = windows ? attentionOf(robot, side, ball.diameter / 2) : null;
    return pipeCamera(
      ports,
      robot,
      { side, settings: this.#cameras, attention, times: this.#with.times },
      this.#realTime,
      wake,
    );
  }

  get #cameras(): CameraSettings {
    return this.#with.cameras ?? cameraDefaults;
  }

  #detector(side: CameraSide, ports: never): Node {
    const { robot, recorded, ball, realTime = null, detector } = this.#with;
    const { scale } = this.#cameras;
    const scales = realTime === null ? [scale ?? 1] : scalesOf(scale);
    return new DetectorNode(
      ports,
      new HeadViews(recorded?.seer ?? robot)[side].camera,
      ball.diameter / 2,
      scales,
      detector,
    );
  }

  #truePerception(ports: never): Node {
    const { robot, times } = this.#with;
    const { framePeriodNs, framesToConfirm, tickNs } = times;
    const { drag } = this.#with.ball;
    const carried = hasHead(robot) ? carriedDofs(robot) : null;
    const options = { framePeriodNs, framesToConfirm, tickNs, carried, drag };
    if (this.#with.realTime == null) return new TruePerceptionNode(ports, this.#simulated, options);
    const live = { stream: new StreamedScene(), delayNs: times.cameraNs + times.trackingNs };
    return new TruePerceptionNode(ports, null, { ...options, live });
  }

  #robot(ports: never): Node {
    const { times, challenges, seed, posture, stopLine, startNs = 0 } = this.#with;
    const { tickNs } = times;
    return new SimulatedRobotNode(ports, this.#simulated, { tickNs, startNs, challenges, seed, posture, stopLine });
  }

  #control(ports: never): Node {
    const { robot, times, waiting, posture, guard = "monitor", neck = neckDefaults, realTime = null } = this.#with;
    // The simulated robot's head is not known in real time without eyes.
    const isBlind = realTime !== null && !hasEyes(this.#with.perception);
    const isGuarded = guard === "monitor";
    return new ControlNode(ports, robot, {
      tickNs: times.tickNs,
      waiting,
      posture,
      parts: movingParts(robot, this.#arms),
      // Without a monitor nothing stops the robot, and what was before a stop is of no interest.
      history: isGuarded ? HISTORY : 0,
      monitor: {},
      idleMonitor: isGuarded ? null : this.#with.made.idleMonitor,
      stopLine: this.#with.stopLine,
      watched: [],
      takeBeat: () => false,
      ...realTime?.control,
      neck: hasNeck(robot) && !isBlind ? neck : null,
    });
  }

  #catching(ports: never): Node {
    const { robot, made, times, waiting, posture } = this.#with;
    const { body = "rule", chest = "measured", mode = "soft", afterCatch = "return" } = this.#with;
    const {
      latestCatch = LATEST_CATCH,
      commitment = defaultActionThreshold,
      realTime = null,
      returnShare,
    } = this.#with;
    const { budget = "adaptive" } = this.#with;
    const adaptive = budget === "adaptive" ? adaptiveTimes(times) : null;
    return new CatchingNode(ports, robot, {
      arms: this.#arms.map((arm) => ({ arm, clearance: made.clearance(arm.group.name) })),
      parts: movingParts(robot, this.#arms),
      waiting,
      posture,
      body,
      chest,
      times: adaptive ?? times,
      mode,
      afterCatch,
      latestCatch,
      commitment,
      returnShare,
      startNs: realTime?.clock.nowNs() ?? this.#with.startNs ?? 0,
      onSearched: adaptive?.searched,
    });
  }

  #planner(arm: string, ports: never): Node {
    const { made, times, waiting, mode = "soft", realTime = null } = this.#with;
    if (realTime !== null) {
      const planner = liveArmPlanner(made.arm(arm), waiting, { mode, times, ...this.#with.planner }, realTime);
      return new PlannerNode(ports, planner, { arm, durations: null, clock: () => realTime.clock.nowNs() });
    }
    const planner = this.#with.planners?.(arm) ?? made.planner(arm, this.#with.planner ?? {});
    const [coldNs, warmNs] = [modelledSearchNs(times), times.warmBudgetNs];
    return new PlannerNode(ports, planner, { arm, durations: { coldNs, warmNs, edgeNs: leastPlanningNs(times) } });
  }
}

/** The challenges of a world of that kind: without forces nothing bends, shakes or slips. */
export function inWorld(kind: WorldKind, challenges: Challenges): Challenges {
  return kind === "physics" ? challenges : withStiffness(challenges);
}

/** What carries the robot's cameras. */
export function mountOf(robot: Robot): CameraMount {
  const { head, chest } = robot.frames;
  if (robot.stereo !== undefined && standingHead(robot) !== null) return "world";
  return head !== undefined && chest !== undefined ? "head" : "none";
}

/** Whether the robot has a head whose pose is measured. */
function hasHead(robot: Robot): boolean {
  return mountOf(robot) === "head";
}

function hasNeck(robot: Robot): boolean {
  const { model, frames, stereo } = robot;
  return (
    standingHead(robot) === null &&
    frames.head !== undefined &&
    stereo !== undefined &&
    model.groups.some(({ kind }) => kind === "neck")
  );
}

/** Where a camera of the robot, as it is believed to be, should look. */
function attentionOf(robot: Robot, side: CameraSide, ballRadius: number): BallAttention | null {
  if (mountOf(robot) === "none") return null;
  const { camera, headFromCamera } = stereoRig(robot)[side];
  return new BallAttention(camera, headFromCamera, ballRadius, standingHead(robot));
}

function sideOf(name: string): CameraSide {
  return name.endsWith("left") ? "left" : "right";
}
