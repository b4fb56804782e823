import type { CatchTimes } from "../catching/catch-times.js";
import { type EdgeSpec, type Graph, type NodeSpec, portName } from "../transport/graph.js";
import type { Policy } from "../transport/port.js";

/** How a run sees: it knows the truth, or has points, circles or images to make something of. */
export type PerceptionKind = "truth" | "points" | "circles" | "images";

/** Whether balls are seen by the robot's own cameras. */
export function hasEyes(perception: PerceptionKind): boolean {
  return perception === "images" || perception === "circles";
}

/** Where sensors and robot are: simulated in the run, read from a recording, or in another process, in real time. */
export type SourceKind = "simulated" | "recorded" | "streamed";

/** See `GraphOptions`. */
export type CameraMount = "head" | "world" | "none";

export interface GraphOptions {
  readonly perception: PerceptionKind;
  readonly sources: SourceKind;
  /** Arms that catch. */
  readonly arms: readonly string[];
  /** What carries the cameras: a head whose pose is measured, the world, in which they stand; or nothing. */
  readonly mount: CameraMount;
  /** Whether simulated cameras look for balls where they are expected, and so take what is known of them. */
  readonly windows?: boolean;
  /** What sends images: the simulation, or programs over pipes. */
  readonly cameras?: "simulated" | "pipes";
  /** Whether the run is written down. */
  readonly recorder?: boolean;
  /** Whether the robot in another process is behind drivers; else it speaks the UDP protocol. */
  readonly hasDrivers?: boolean;
  readonly times: CatchTimes;
}

/**
 * The whole system as data: nodes in the order in which lock-step steps them, edges with their modelled latencies, and where
 * each node runs in real time. What senses comes first, then what moves the robot, then what decides upon it; so nothing that is
 * decided in a tick can reach the robot in the same one.
 */
export function catchGraph(options: GraphOptions): Graph {
  const { perception, sources, arms, mount, windows = false, recorder = false, times } = options;
  const { cameras = "simulated", hasDrivers = false } = options;
  const nodes: NodeSpec[] = [];
  const edges: EdgeSpec[] = [];
  const add = (name: string, kind: string, placement: string): void => void nodes.push({ name, kind, placement });
  const join = (from: string, to: string, latencyNs = 0, policy: Policy = "every"): void =>
    void edges.push({ from, to, latencyNs, policy, ...(quietEdges.has(to) && { wakes: false }) });
  const { tickNs, cameraNs, trackingNs, transportNs } = times;
  const answerNs = leastPlanningNs(times);
  const isRecorded = sources === "recorded";
  const isStreamed = sources === "streamed";
  const hasPipes = cameras === "pipes";
  const sides = hasEyes(perception) ? (["left", "right"] as const) : [];
  const sees = mount === "head" && sides.length > 0;
  const stands = mount === "world" && sides.length > 0;

  if (isRecorded && perception !== "truth") add("recording", "recording", "sources");
  if (perception === "truth") add("perception", "true-perception", "perception");
  if (perception === "images") for (const side of sides) add(`detector-${side}`, "detector", `camera-${side}`);
  if (sees) add("head-pose", "head-pose", "perception");
  if (stands) add("standing-head", "standing-head", "perception");
  if (perception !== "truth") add("tracker", "tracker", "perception");
  add("control", "control", "control");
  add("robot", isStreamed ? (hasDrivers ? "driver-robot" : "udp-robot") : "robot", "robot");
  if (isStreamed) add("world", "world", "world");
  if (!isRecorded && sees) add("imu", "imu", isStreamed ? "world" : "sources");
  if (!isRecorded)
    for (const side of sides) add(`camera-${side}`, hasPipes ? "pipe-camera" : "camera", `camera-${side}`);
  if (!isRecorded && perception === "points") add("points", "points", isStreamed ? "world" : "sources");
  add("catching", "catching", "catching");
  for (const arm of arms) add(`planner-${arm}`, "planner", `planner-${arm}`);
  if (!isStreamed) add("evaluator", "evaluator", "robot");
  if (recorder) add("recorder", "recorder", "recorder");

  const source = (node: string): string => (isRecorded ? "recording" : node);
  for (const side of sides) {
    const camera = isRecorded ? "recording" : `camera-${side}`;
    const port = (name: string): string => (isRecorded ? `${name}-${side}` : name);
    const latency = isRecorded ? 0 : cameraNs;
    if (perception === "images") join(`${camera}.${port("images")}`, `detector-${side}.images`, latency);
    const found = perception === "images" ? [`detector-${side}.circles`] : [`${camera}.${port("circles")}`];
    // Of frames whose images were left out a recording has the circles.
    if (isRecorded && perception === "images") found.push(`recording.circles-${side}`);
    const late = perception === "images" ? 0 : latency;
    for (const circles of found) {
      if (sees) join(circles, `head-pose.${side}`, late);
      if (stands) join(circles, `standing-head.${side}`, late);
      join(circles, `tracker.${side}`, late);
      if (recorder) join(circles, side === "left" ? "recorder.circlesLeft" : "recorder.circlesRight", late);
    }
    if (recorder && !isRecorded) {
      if (perception === "images") {
        join(`${camera}.images`, side === "left" ? "recorder.imagesLeft" : "recorder.imagesRight", latency);
      }
      if (side === "left") join(`${camera}.lost`, "recorder.lost");
    }
  }
  if (perception === "points") join(`${source("points")}.points`, "tracker.points", isRecorded ? 0 : cameraNs);
  if (sees) {
    const joints = isRecorded ? "recording.joints" : "robot.joints";
    join(joints, "head-pose.joints", tickNs);
    join(`${source("imu")}.imu`, "head-pose.imu", tickNs);
    if (recorder && !isRecorded) {
      join(joints, "recorder.joints");
      join("imu.imu", "recorder.imu");
    }
    join("head-pose.poses", "tracker.poses");
    if (recorder && !isRecorded) join("head-pose.poses", "recorder.head");
    join("head-pose.head", "catching.head", 0, "newest");
  }
  if (stands) {
    join("standing-head.poses", "tracker.poses");
    if (recorder && !isRecorded) join("standing-head.poses", "recorder.head");
  }
  const predictions = perception === "truth" ? "perception.predictions" : "tracker.predictions";
  const known = perception === "truth" ? cameraNs + trackingNs : trackingNs;
  join(predictions, "control.predictions", known);
  join(predictions, "catching.predictions", known, "newest");
  if (perception === "truth") {
    join("control.commands", "perception.commands", tickNs, "newest");
    join("perception.head", "catching.head", 0, "newest");
  }
  join("robot.state", "control.state", tickNs, "newest");
  join("control.commands", "robot.commands");
  if (!isStreamed) join("control.commands", "evaluator.commands");
  join("control.commands", "catching.commands", tickNs, "newest");
  join("control.handovers", "catching.handovers");
  join("control.stops", "catching.stops");
  join("catching.motions", "control.motions", transportNs);
  join("catching.gaze", "control.gaze", tickNs, "newest");
  for (const arm of arms) {
    join("catching.questions", `planner-${arm}.questions`);
    join(`planner-${arm}.answers`, "catching.answers", answerNs);
  }
  if (!isStreamed) join("robot.flights", "evaluator.flights");
  else {
    join("robot.status", "control.status", tickNs, "newest");
    join("control.requests", "robot.requests");
    if (sees) join("world.world", "imu.world");
    if (perception === "truth") join("world.world", "perception.world", tickNs);
    if (perception === "points") join("world.world", "points.world");
    if (!hasPipes) for (const side of sides) join("world.world", `camera-${side}.world`);
  }
  if (windows && (sees || stands) && perception === "images" && !isRecorded) {
    for (const side of sides) {
      join(predictions, `camera-${side}.predictions`, isStreamed ? 0 : known);
      if (sees) join("head-pose.head", `camera-${side}.head`, 0, "newest");
    }
  }
  if (recorder) {
    const world = isStreamed ? "world" : "robot";
    if (perception === "points" && !isRecorded) {
      join("points.points", "recorder.points", cameraNs);
      join("points.lost", "recorder.lost");
    }
    join(predictions, "recorder.predictions", known);
    const reporting = [
      "control",
      "catching",
      ...(perception === "truth" ? [] : ["tracker"]),
      ...(sees ? ["head-pose"] : []),
      ...(isRecorded ? [] : [world]),
    ];
    for (const node of reporting) join(`${node}.events`, "recorder.events");
    for (const arm of arms) join(`planner-${arm}.answers`, "recorder.answers", answerNs);
    join("catching.motions", "recorder.motions");
    join("control.handovers", "recorder.handovers");
    join("catching.transitions", "recorder.transitions");
    join("control.monitor", "recorder.monitor");
    if (!isRecorded) {
      join("control.commands", "recorder.commands", 0, "newest");
      join("robot.state", "recorder.state", 0, "newest");
      join(`${world}.flights`, "recorder.flights");
    }
  }
  return { nodes, edges };
}

/** What of the graph of a recorded run follows balls: no robot, nothing that decides. */
export function trackingGraph(
  perception: Exclude<PerceptionKind, "truth">,
  mount: CameraMount,
  times: CatchTimes,
): Graph {
  const { nodes, edges } = catchGraph({ perception, sources: "recorded", arms: [], mount, times });
  const kinds = new Set(["recording", "detector", "head-pose", "standing-head", "tracker"]);
  const kept = nodes.filter(({ kind }) => kinds.has(kind));
  const names = new Set(kept.map(({ name }) => name));
  const isInside = (end: string): boolean => names.has(portName(end).node);
  return { nodes: kept, edges: edges.filter(({ from, to }) => isInside(from) && isInside(to)) };
}

/** In-ports whose messages wait for their node's next step: they come often, or nothing is to be done about them at once. */
const quietEdges: ReadonlySet<string> = new Set([
  "head-pose.joints",
  "head-pose.imu",
  "catching.head",
  "catching.commands",
  "perception.commands",
  "points.world",
  ...["left", "right"].flatMap((side) => ["world", "predictions", "head"].map((port) => `camera-${side}.${port}`)),
]);

/** The shortest time that planning takes in lock-step [ns]: no answer is there earlier. */
export function leastPlanningNs(times: CatchTimes): number {
  return Math.min(modelledSearchNs(times), times.warmBudgetNs);
}

/** How long a search takes in lock-step [ns]; one whose budget is shorter is cut short. */
export function modelledSearchNs({ searchNs, coldBudgetNs }: CatchTimes): number {
  return Math.min(searchNs, coldBudgetNs);
}
