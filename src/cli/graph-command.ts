import type { Command } from "commander";
import { timesOf } from "../catching/catch-times.js";
import { catchGroups } from "../planning/problem/catch-arm.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { mountOf } from "../run/build-nodes.js";
import { catchGraph, type PerceptionKind, type SourceKind } from "../run/graph.js";
import { nodePorts } from "../run/node-library.js";
import { runSettingsOf } from "../run/run-settings.js";
import { type Graph, portName } from "../transport/graph.js";
import { choiceOption } from "./choice-option.js";
import { addConfigOptions, type ConfigOptions, configFrom } from "./config-command.js";
import { perceptionKind, perceptionKinds } from "./live-world.js";
import { formatTable, print } from "./terminal.js";

interface GraphCommandOptions extends ConfigOptions {
  readonly robot?: string;
  readonly perception?: PerceptionKind;
  readonly sources: SourceKind;
  readonly recorder?: true;
  readonly dot?: true;
  readonly json?: true;
}

const examples = `
Examples:
  flycatcher graph                                      nodes and edges of a run of the default robot
  flycatcher graph --robot lwr-arm --perception points
  flycatcher graph --sources recorded                   the same for a replay
  flycatcher graph --dot | dot -Tsvg > graph.svg        as a picture`;

/** `flycatcher graph`: the nodes of a run, the edges between them, their latencies and where each node runs. */
export function registerGraphCommand(program: Command): void {
  addConfigOptions(program.command("graph"), "default")
    .description("Print the graph of nodes that a run consists of.")
    .option("--robot <robot>", "robot that catches; default: the configuration's")
    .addOption(choiceOption("--perception <kind>", "how balls are seen", perceptionKinds))
    .addOption(
      choiceOption("--sources <kind>", "where sensors come from", ["simulated", "recorded"]).default("simulated"),
    )
    .option("--recorder", "with the recorder's taps")
    .option("--dot", "print Graphviz' language")
    .option("--json", "print JSON")
    .addHelpText("after", examples)
    .action(printGraph);
}

function printGraph(options: GraphCommandOptions): void {
  const config = configFrom(options, { robot: options.robot });
  const robot = loadRobot(config.robot);
  const { times, cameras } = runSettingsOf(config);
  const graph = catchGraph({
    perception: perceptionKind(options.perception, robot),
    sources: options.sources,
    arms: catchGroups(robot).map((group) => group.name),
    mount: mountOf(robot),
    windows: cameras.windows,
    recorder: options.recorder === true,
    times: timesOf(robot, times),
  });
  const text = options.json ? JSON.stringify(graph, null, 2) : options.dot ? dotOf(graph) : tablesOf(graph);
  print(text);
}

function tablesOf({ nodes, edges }: Graph): string {
  const nodeRows = nodes.map(({ name, kind, placement }) => [name, kind, placement]);
  const edgeRows = edges.map(({ from, to, latencyNs, policy }) => [
    from,
    to,
    messageOf(nodes, from),
    milliseconds(latencyNs),
    policy,
  ]);
  return [
    "Nodes, in the order in which lock-step steps them:",
    formatTable(["node", "kind", "thread in real time"], nodeRows),
    "",
    "Edges:",
    formatTable(["from", "to", "message", "latency", "policy"], edgeRows),
  ].join("\n");
}

function messageOf(nodes: Graph["nodes"], from: string): string {
  const { node, port } = portName(from);
  const kind = nodes.find(({ name }) => name === node)?.kind ?? "";
  return nodePorts[kind]?.out[port]?.name ?? "";
}

function milliseconds(ns: number): string {
  return ns === 0 ? "–" : `${ns / 1e6} ms`;
}

function dotOf({ nodes, edges }: Graph): string {
  const threads = new Set(nodes.map(({ placement }) => placement));
  const clusters = Array.from(threads, (placement, k) => {
    const own = nodes.filter((node) => node.placement === placement).map(({ name }) => `"${name}";`);
    return `  subgraph cluster_${k} { label="${placement}"; color=gray; ${own.join(" ")} }`;
  });
  const arrows = edges.map(({ from, to, latencyNs }) => {
    const label = `${portName(from).port}${latencyNs === 0 ? "" : `\\n${milliseconds(latencyNs)}`}`;
    return `  "${portName(from).node}" -> "${portName(to).node}" [label="${label}"];`;
  });
  return ["digraph flycatcher {", "  rankdir=LR; node [shape=box];", ...clusters, ...arrows, "}"].join("\n");
}
