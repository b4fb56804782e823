import { inspectRobot } from "../src/report/robot/inspect-robot.js";
import { loadRobot } from "../src/robot/loading/load-robot.js";
import { type BenchContext, type BenchSuite, type Metrics, summarize } from "./harness.js";
import { measureHulls } from "./robots/hulls.js";
import { type CaughtCount, countCaught } from "./robots/lock-step-catches.js";
import { measuredArm, type NamedRobot, namedRobots, robotNames } from "./robots/named-robots.js";
import { ArmTrials, type SearchQuality } from "./robots/search-quality.js";
import { storedCatches, throwSeed } from "./robots/stored-catches.js";
import { measureUrdfFiles } from "./robots/urdf-files.js";

/** What `--only` takes beside names of robots. */
const parts = ["search", "catches", "hulls", "files"] as const;
type Part = (typeof parts)[number];

/** Catchable balls of each robot that are compared with a long search, of public robots only in the whole; throws tried at most. */
const CATCHABLE = { slice: 16, full: 300 };
const MOST_THROWS = { slice: 60, full: 2000 };
/** Cold searches timed. */
const TIMED = { slice: 80, full: 300, others: 24 };
/** Planned catches in lock-step physics. */
const THROWN = { slice: 2, full: 12 };
const REFERENCE = "agile-justin";

/** What the suite knows of one robot; NaN where it came to nothing. */
interface RobotRow {
  readonly robot: NamedRobot;
  readonly loaded: boolean;
  /** `robot check` finds no error. */
  readonly isClean: boolean;
  readonly planned: boolean;
  readonly catches: CaughtCount;
  readonly quality: SearchQuality | null;
  readonly p95: number;
}

async function run(context: BenchContext): Promise<Metrics> {
  const { isAsked, isWanted } = selection(context.only ?? []);
  const { robots, close } = namedRobots(isWanted, context.progress);
  try {
    const rows: RobotRow[] = [];
    for (const robot of robots.filter(({ isShipped, urdf }) => isShipped || urdf !== null)) {
      if (!isAsked("search") && !isAsked("catches")) continue;
      context.progress(robot.name);
      rows.push(robot.source === null ? nothingOf(robot) : await measureRobot(robot, robot.source, isAsked, context));
    }
    const present = robots.flatMap(({ name, urdf }) => (urdf === null ? [] : [[name, urdf] as const]));
    const hulls = isAsked("hulls") ? measureHulls(present, context) : {};
    const files = isAsked("files") ? await measureUrdfFiles(context) : {};
    const sums = rows.length === 0 ? {} : { robots_present: rows.length, ...summary(rows) };
    return { robots_named: robots.length, ...sums, ...hulls, ...files, ...tableOf(rows) };
  } finally {
    close();
  }
}

/** Parts and robots of `--only`; where it names none of a kind, all of that kind. */
function selection(only: readonly string[]) {
  const asked = only.filter((name) => (parts as readonly string[]).includes(name));
  const names = only.filter((name) => !asked.includes(name));
  const unknown = names.find((name) => !robotNames().includes(name));
  if (unknown !== undefined)
    throw new Error(`no part and no robot is called ${unknown}: ${[...parts, ...robotNames()]}`);
  return {
    isAsked: (part: Part) => asked.length === 0 || asked.includes(part),
    isWanted: (name: string) => names.length === 0 || names.includes(name),
  };
}

function nothingOf(robot: NamedRobot): RobotRow {
  const catches = { planned: 0, caught: 0 };
  return { robot, loaded: false, isClean: false, planned: false, catches, quality: null, p95: Number.NaN };
}

async function measureRobot(
  robot: NamedRobot,
  source: string,
  isAsked: (part: Part) => boolean,
  context: BenchContext,
): Promise<RobotRow> {
  const { seed, full, progress } = context;
  const size = full ? "full" : "slice";
  const group = armOf(source, progress);
  if (group === null) return nothingOf(robot);
  const errors = inspectRobot(loadRobot(source)).filter(({ severity }) => severity === "error");
  for (const { subject, sentence } of errors) progress(`${robot.name}: ${subject}: ${sentence}`);
  const searched = isAsked("search") ? searchOf(robot, source, group, context) : nothingSearched;
  const none = { planned: 0, caught: 0 };
  const catches = isAsked("catches") ? await countCaught(source, seed, THROWN[size]) : none;
  const planned = searched.found > 0 || catches.planned > 0;
  progress(
    `${robot.name}: ${errors.length} errors, ${catches.caught} of ${catches.planned} planned catches in physics`,
  );
  const { quality, p95 } = searched;
  return { robot, loaded: true, isClean: errors.length === 0, planned, catches, quality, p95 };
}

interface Searched {
  readonly found: number;
  readonly quality: SearchQuality | null;
  readonly p95: number;
}

const nothingSearched: Searched = { found: 0, quality: null, p95: Number.NaN };

function searchOf(robot: NamedRobot, source: string, group: string, { seed, full }: BenchContext): Searched {
  const size = full ? "full" : "slice";
  const trials = new ArmTrials(source, group, throwSeed(seed));
  const { milliseconds, found } = trials.time(robot.isShipped || full ? TIMED[size] : TIMED.others);
  const { p95 } = summarize(milliseconds);
  // Nothing is promised of public robots beside a long search, which takes minutes.
  if (!robot.isShipped && !full) return { found, quality: null, p95 };
  const known = robot.isShipped ? storedCatches(robot.name, throwSeed(seed)) : [];
  const catchable = robot.isShipped ? CATCHABLE[size] : CATCHABLE.slice;
  const quality = trials.compare(trials.longCatches(catchable, MOST_THROWS[size], known));
  return { found, quality, p95 };
}

/** The arm that is measured; null if the robot does not load. */
function armOf(source: string, progress: BenchContext["progress"]): string | null {
  try {
    return measuredArm(source);
  } catch (error) {
    progress(`${source}: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

/** The worst of all robots shipped. */
function summary(rows: readonly RobotRow[]): Metrics {
  const shipped = rows.filter(({ robot, quality }) => robot.isShipped && quality !== null);
  const worst = shipped.length === 0 ? {} : worstOf(shipped, justinOf(rows));
  return {
    robots_loaded: rows.filter(({ loaded }) => loaded).length,
    robots_checked: rows.filter(({ isClean }) => isClean).length,
    robots_planned: rows.filter(({ planned }) => planned).length,
    robots_caught: rows.filter(({ catches }) => catches.caught > 0).length,
    ...worst,
  };
}

function worstOf(shipped: readonly RobotRow[], justin: number): Metrics {
  return {
    found_ratio_min: Math.min(...shipped.map(({ quality }) => quality!.found / quality!.catchable)),
    within_1pct_ratio_min: Math.min(...shipped.map(({ quality }) => quality!.within / quality!.catchable)),
    cold_p95_over_justin_max: Math.max(...shipped.map((row) => row.p95 / justin)),
  };
}

function justinOf(rows: readonly RobotRow[]): number {
  return rows.find(({ robot }) => robot.name === REFERENCE)?.p95 ?? Number.NaN;
}

function tableOf(rows: readonly RobotRow[]): Metrics {
  const justin = justinOf(rows);
  return Object.assign({}, ...rows.map((row) => rowOf(row, justin))) as Metrics;
}

function rowOf({ robot, loaded, quality, p95, catches }: RobotRow, justin: number): Metrics {
  const name = robot.name.replaceAll("-", "_");
  if (!loaded) return { [`${name}_loaded`]: 0 };
  return {
    ...(quality !== null && {
      [`${name}_catchable`]: quality.catchable,
      [`${name}_found_ratio`]: quality.found / quality.catchable,
      [`${name}_within_1pct_ratio`]: quality.within / quality.catchable,
      [`${name}_better_than_long`]: quality.better,
      [`${name}_cold_ms_p95`]: p95,
      [`${name}_cold_p95_over_justin`]: p95 / justin,
    }),
    ...(catches.planned > 0 && {
      [`${name}_thrown_with_plan`]: catches.planned,
      [`${name}_caught_ratio`]: catches.caught / catches.planned,
    }),
  };
}

export const suite: BenchSuite = {
  name: "robots",
  description: "Every robot: it loads, plans as well as a search of 640 starts, and catches in lock-step physics",
  run,
};
