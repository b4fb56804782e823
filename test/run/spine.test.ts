import { describe, expect, it } from "vitest";
import { timesOf } from "../../src/catching/catch-times.js";
import { defaultBall } from "../../src/flight/ball.js";
import { catchGroups } from "../../src/planning/problem/catch-arm.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { NodeBuilder } from "../../src/run/build-nodes.js";
import { catchGraph, type SourceKind } from "../../src/run/graph.js";
import { portsOf } from "../../src/run/node-library.js";
import { RunParts, waitingPosture } from "../../src/run/run-parts.js";
import { LockStepClock } from "../../src/runtime/clock.js";
import { fullChallenges } from "../../src/simulation/head-motion/challenges.js";
import { checkGraph, type Graph, portName } from "../../src/transport/graph.js";
import { LockStepExecutor } from "../../src/transport/lock-step-executor.js";
import { StopLine } from "../../src/transport/stop-line.js";

const robot = loadRobot("agile-justin");
const times = timesOf(robot);
const made = new RunParts(robot, waitingPosture(robot));
const arms = catchGroups(robot).map(({ name }) => name);

function graphOf(sources: SourceKind): Graph {
  return catchGraph({ perception: "images", sources, arms, mount: "head", recorder: true, times });
}

/** Nodes between the sources and the robot: what perceives, decides, plans and commands. */
const spine = ["detector-left", "detector-right", "head-pose", "tracker", "catching", "control", "recorder"];

describe("the spine of a run", () => {
  const graphs = (["simulated", "streamed", "recorded"] as const).map(graphOf);

  it("has the same kinds of nodes in lock-step, in threads and in replay", () => {
    const kinds = graphs.map(({ nodes }) =>
      nodes
        .filter(({ name }) => spine.includes(name) || name.startsWith("planner"))
        .map(({ name, kind }) => [name, kind]),
    );
    expect(kinds[0]).toHaveLength(spine.length + arms.length);
    expect(kinds[1]).toEqual(kinds[0]);
    expect(kinds[2]).toEqual(kinds[0]);
  });

  it("is joined by the same edges, from detector to command", () => {
    const inner = (port: string): boolean =>
      port.startsWith("planner") || (spine.includes(portName(port).node) && !port.startsWith("recorder"));
    const edges = graphs.map((graph) =>
      graph.edges.filter(({ from, to }) => inner(from) && inner(to)).map(({ from, to }) => `${from} → ${to}`),
    );
    expect(edges[0]!.length).toBeGreaterThan(15);
    expect(edges[1]).toEqual(edges[0]);
    expect(edges[2]).toEqual(edges[0]);
  });
});

/** The classes of the spine's nodes, built as a run with these sources builds them. */
function classesOf(sources: SourceKind): [string, unknown][] {
  const graph = graphOf(sources);
  const executor = new LockStepExecutor(graph, portsOf);
  const waiting = waitingPosture(robot);
  const isStreamed = sources === "streamed";
  const clock = new LockStepClock();
  const still = { isFrozen: () => false, isImuSilent: () => false };
  const address = { host: "127.0.0.1", udp: 0, world: 0, secret: "" };
  const stopLine = new StopLine();
  const builder = new NodeBuilder({
    robot,
    truth: robot,
    arms,
    made,
    times,
    waiting,
    posture: waiting,
    ball: defaultBall,
    challenges: fullChallenges,
    simulated: null,
    clock,
    stopLine,
    perception: "images",
    seed: 1,
    recorder: { sink: { write: () => undefined }, header: { readings: null, jointPeriodNs: null } },
    realTime: isStreamed ? { clock, stopLine, address, drivers: [], cameraShare: 1, control: {}, ...still } : null,
    ...(sources === "recorded" && { recorded: { seer: robot, readings: null } }),
  });
  return graph.nodes
    .filter(({ name }) => spine.includes(name) || name.startsWith("planner"))
    .map(({ name, kind }) => [name, builder.build(name, kind, executor.wiring(name)).constructor]);
}

describe("the nodes of the spine", () => {
  it("are of the same classes in lock-step, in threads and in replay", () => {
    const [simulated, streamed, recorded] = (["simulated", "streamed", "recorded"] as const).map(classesOf);
    expect(simulated).toHaveLength(spine.length + arms.length);
    expect(streamed).toEqual(simulated);
    expect(recorded).toEqual(simulated);
  });
});

describe("a graph", () => {
  const { nodes, edges } = graphOf("simulated");
  const check = (graph: Graph) => () => checkGraph(graph, portsOf, times.tickNs);

  it("runs as it is", () => {
    expect(check({ nodes, edges })).not.toThrow();
  });

  it.each([
    ["an edge that leads back within a tick", { from: "catching.gaze", to: "control.gaze", latencyNs: 0 }],
    ["an edge from a port that does not exist", { from: "tracker.guesses", to: "control.gaze", latencyNs: 0 }],
    ["an edge between ports of different messages", { from: "tracker.predictions", to: "catching.head", latencyNs: 0 }],
  ])("with %s is refused", (_, edge) => {
    const more = [...edges, { ...edge, policy: "every" as const }];
    expect(check({ nodes, edges: more })).toThrow(expect.objectContaining({ code: "FLY_GRAPH" }));
  });
});
