import type { GraphMessage } from "../../../src/messages/page.js";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The nodes of one thread, and the frame about them. */
export interface ThreadBox extends Box {
  readonly name: string;
}

export interface NodeBox extends Box {
  readonly name: string;
}

/** All edges from one node to another, drawn as one line. */
export interface EdgeLine {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  /** As `images → detector.images`, one an edge. */
  readonly ports: readonly string[];
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly threads: readonly ThreadBox[];
  readonly nodes: readonly NodeBox[];
  readonly edges: readonly EdgeLine[];
}

/** Stages from left to right, or on a narrow page from top to bottom. */
export type Orientation = "columns" | "rows";

type GraphNode = GraphMessage["nodes"][number];

/** How far along the way from sensors to motion each kind of node is; fractions order the nodes within a thread. */
const stages: Readonly<Record<string, number>> = {
  recording: 0,
  world: 0,
  points: 0,
  imu: 0.5,
  camera: 1,
  detector: 1.5,
  "head-pose": 2,
  tracker: 2.5,
  "true-perception": 2,
  catching: 3,
  planner: 4,
  control: 4.5,
  robot: 5,
  "udp-robot": 5,
  evaluator: 5.5,
  recorder: 6,
};
/** Where a kind is drawn that the table does not have. */
const LAST_STAGE = 7;

const measures = {
  columns: { node: { width: 178, height: 66 }, gap: 56, most: 4 },
  rows: { node: { width: 164, height: 66 }, gap: 40, most: 2 },
} as const;
const PADDING = 8;
const TITLE = 20;
/** Between nodes of one thread, and between threads of one stage. */
const NODE_GAP = 18;
const THREAD_GAP = 14;
const MARGIN = 4;

/** Where nodes, threads and edges of a graph are drawn. */
export function layoutGraph({ nodes, edges }: GraphMessage, orientation: Orientation): GraphLayout {
  const threads = threadsOf(nodes);
  const ranks = ranksOf(threads, measures[orientation].most);
  const boxes = ranks.map((rank) => rank.map((thread) => sizeOf(thread, orientation)));
  const placed = place(boxes, orientation);
  const nodeBoxes = placed.flatMap(({ nodes: inner }) => inner);
  const size = extentOf(placed.map(({ frame }) => frame));
  const rankOf = new Map(
    ranks.flatMap((rank, k) => rank.flatMap(({ members }) => members.map(({ name }) => [name, k]))),
  );
  return {
    ...size,
    threads: placed.map(({ frame }) => frame),
    nodes: nodeBoxes,
    edges: linesOf(edges, nodeBoxes, rankOf, orientation),
  };
}

interface Thread {
  readonly name: string;
  readonly members: readonly GraphNode[];
  readonly stage: number;
}

function stageOf({ kind }: GraphNode): number {
  return stages[kind] ?? LAST_STAGE;
}

function threadsOf(nodes: readonly GraphNode[]): Thread[] {
  return [...new Set(nodes.map(({ thread }) => thread))].map((name) => {
    const members = nodes.filter(({ thread }) => thread === name).sort((a, b) => stageOf(a) - stageOf(b));
    return { name, members, stage: Math.floor(stageOf(members[0]!)) };
  });
}

/** Threads of one stage are of one rank, or of more where there are more than `most`. */
function ranksOf(threads: readonly Thread[], most: number): Thread[][] {
  const order = [...new Set(threads.map(({ stage }) => stage))].sort((a, b) => a - b);
  return order.flatMap((stage) => {
    const all = threads.filter((thread) => thread.stage === stage);
    return Array.from({ length: Math.ceil(all.length / most) }, (_, k) => all.slice(k * most, (k + 1) * most));
  });
}

interface SizedThread {
  readonly thread: Thread;
  readonly width: number;
  readonly height: number;
  readonly node: { readonly width: number; readonly height: number };
}

function sizeOf(thread: Thread, orientation: Orientation): SizedThread {
  const { node } = measures[orientation];
  const count = thread.members.length;
  const height = TITLE + count * node.height + (count - 1) * NODE_GAP + PADDING;
  return { thread, width: node.width + 2 * PADDING, height, node };
}

interface PlacedThread {
  readonly frame: ThreadBox;
  readonly nodes: readonly NodeBox[];
}

/** Ranks follow each other; the threads of a rank stand side by side, in the middle of the drawing. */
function place(ranks: readonly (readonly SizedThread[])[], orientation: Orientation): PlacedThread[] {
  const { gap } = measures[orientation];
  const isColumns = orientation === "columns";
  const along = ({ width, height }: SizedThread): number => (isColumns ? width : height);
  const across = ({ width, height }: SizedThread): number => (isColumns ? height : width);
  const breadthOf = (rank: readonly SizedThread[]): number =>
    rank.reduce((sum, box) => sum + across(box), 0) + (rank.length - 1) * THREAD_GAP;
  const breadth = Math.max(0, ...ranks.map(breadthOf));
  let start = MARGIN;
  return ranks.flatMap((rank) => {
    let offset = MARGIN + (breadth - breadthOf(rank)) / 2;
    const placed = rank.map((box) => {
      const at = isColumns ? { x: start, y: offset } : { x: offset, y: start };
      offset += across(box) + THREAD_GAP;
      return placeThread(box, at);
    });
    start += Math.max(...rank.map(along)) + gap;
    return placed;
  });
}

function placeThread({ thread, width, height, node }: SizedThread, { x, y }: { x: number; y: number }): PlacedThread {
  const nodes = thread.members.map(({ name }, k) => {
    return { name, x: x + PADDING, y: y + TITLE + k * (node.height + NODE_GAP), ...node };
  });
  return { frame: { name: thread.name, x, y, width, height }, nodes };
}

function extentOf(boxes: readonly Box[]): { width: number; height: number } {
  return {
    width: MARGIN + Math.max(0, ...boxes.map(({ x, width }) => x + width)),
    height: MARGIN + Math.max(0, ...boxes.map(({ y, height }) => y + height)),
  };
}

type Side = "left" | "right" | "top" | "bottom";

interface OpenLine {
  readonly from: NodeBox;
  readonly to: NodeBox;
  readonly sides: readonly [Side, Side];
  readonly ports: readonly string[];
}

function linesOf(
  edges: GraphMessage["edges"],
  boxes: readonly NodeBox[],
  rankOf: ReadonlyMap<string, number>,
  orientation: Orientation,
): EdgeLine[] {
  const byName = new Map(boxes.map((box) => [box.name, box]));
  const pairs = new Map<string, OpenLine>();
  for (const { from, to } of edges) {
    const [source, target] = [byName.get(nodeOf(from)), byName.get(nodeOf(to))];
    if (source === undefined || target === undefined) continue;
    const key = `${source.name} ${target.name}`;
    const sides = sidesOf(source, target, rankOf.get(target.name)! - rankOf.get(source.name)!, orientation);
    const ports = [...(pairs.get(key)?.ports ?? []), `${from} → ${to}`];
    pairs.set(key, { from: source, to: target, sides, ports });
  }
  const lines = [...pairs.values()];
  return lines.map((line) => ({
    from: line.from.name,
    to: line.to.name,
    ports: line.ports,
    path: pathOf(anchorOf(lines, line, "from"), anchorOf(lines, line, "to"), line.sides),
  }));
}

function nodeOf(port: string): string {
  return port.slice(0, port.indexOf("."));
}

/** Lines go on along the stages, and come back the other way; within a rank they go up or down. */
function sidesOf(from: Box, to: Box, ranks: number, orientation: Orientation): readonly [Side, Side] {
  if (ranks === 0 && from.x === to.x) return from.y < to.y ? ["bottom", "top"] : ["top", "bottom"];
  const [back, on] = orientation === "columns" ? (["left", "right"] as const) : (["top", "bottom"] as const);
  if (ranks === 0) return [on, on];
  return ranks > 0 ? [on, back] : [back, on];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Lines at one side of a node are spread over it, in the order of where they lead. */
function anchorOf(lines: readonly OpenLine[], line: OpenLine, end: "from" | "to"): Point {
  const own = line[end];
  const side = line.sides[end === "from" ? 0 : 1];
  const isUpright = side === "left" || side === "right";
  const otherEnds = lines
    .flatMap((candidate) => [
      ...(candidate.from === own && candidate.sides[0] === side ? [{ candidate, other: candidate.to }] : []),
      ...(candidate.to === own && candidate.sides[1] === side ? [{ candidate, other: candidate.from }] : []),
    ])
    .sort((a, b) => (isUpright ? a.other.y - b.other.y : a.other.x - b.other.x));
  const place = otherEnds.findIndex(({ candidate }) => candidate === line);
  const share = (place + 1) / (otherEnds.length + 1);
  const x = isUpright ? own.x + (side === "left" ? 0 : own.width) : own.x + share * own.width;
  const y = isUpright ? own.y + share * own.height : own.y + (side === "top" ? 0 : own.height);
  return { x, y };
}

const ways: Readonly<Record<Side, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  top: { x: 0, y: -1 },
  bottom: { x: 0, y: 1 },
};

function pathOf(a: Point, b: Point, [out, into]: readonly [Side, Side]): string {
  const distance = Math.hypot(b.x - a.x, b.y - a.y);
  const pull = Math.max(Math.min(distance / 2, 16), 0.42 * Math.min(distance, 300));
  const [first, last] = [ways[out], ways[into]];
  const round = (value: number): string => value.toFixed(1);
  const control = (point: Point, way: Point): string =>
    `${round(point.x + pull * way.x)} ${round(point.y + pull * way.y)}`;
  return `M${round(a.x)} ${round(a.y)}C${control(a, first)} ${control(b, last)} ${round(b.x)} ${round(b.y)}`;
}
