import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { defaultBall } from "../../src/flight/ball.js";
import { knownBallNames, knownBalls } from "../../src/flight/known-balls.js";
import { Random } from "../../src/math/random.js";
import type { Predictions } from "../../src/messages/prediction.js";
import type { Event } from "../../src/messages/report.js";
import type { Points } from "../../src/messages/sensing.js";
import { TrackerNode } from "../../src/nodes/tracker.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { lockStepRun } from "../../src/run/lock-step-host.js";
import { runSettingsOf } from "../../src/run/run-settings.js";
import { resolveConfig } from "../../src/runtime/config.js";
import { configSchema, OWN_BALL } from "../../src/runtime/config-schema.js";
import { nothingIn, takeEach } from "../../src/transport/port.js";
import { Queue, QueueOutPort } from "../../src/transport/queue.js";

vi.setConfig({ testTimeout: 240_000 });

const robot = loadRobot("agile-justin");

/** Out-ports whose messages tell a run from another. */
const watched = ["tracker.predictions", "catching.questions", "catching.motions", "control.commands"];

interface Scene {
  readonly perception: "images" | "circles" | "truth";
  readonly throws: readonly number[][];
  /** What is set in both runs: some keys show only beside others. */
  readonly beside?: readonly string[];
}

/** What the nodes of a run have put until each tick at which one put something, as a digest. */
type Digests = Map<number, string>;

/** Ends a run early. */
class Enough extends Error {}

/** Plays a short run, and calls `look` with a digest of all that was put, whenever something was. */
async function play(own: readonly string[], scene: Scene, look: (nowNs: number, digest: string) => void) {
  const { perception, throws, beside = [] } = scene;
  const settings = runSettingsOf(resolveConfig({ overrides: [...beside, ...own] }));
  const hash = createHash("sha256");
  let onTick: (nowNs: number) => void = () => undefined;
  const run = await lockStepRun({
    ...settings,
    robot,
    world: "kinematic",
    perception,
    balls: 2,
    seed: 1,
    settlingNs: 200_000_000,
    onTick: (nowNs) => onTick(nowNs),
  });
  const names = new Set(run.graph.nodes.map(({ name }) => name));
  const taps = watched
    .filter((from) => names.has(from.slice(0, from.indexOf("."))))
    .map((from) => run.tap<object>(from));
  onTick = (nowNs) => {
    let count = 0;
    for (const tap of taps) {
      takeEach(tap, nowNs + 1e9, (message) => {
        hash.update(JSON.stringify(message));
        count++;
      });
    }
    if (count > 0) look(nowNs, hash.copy().digest("base64"));
  };
  try {
    const end = perception === "images" ? "balls are over" : "robot waits again";
    for (const ids of throws) await run.throwBalls(ids, end);
  } finally {
    await run.close();
  }
}

async function usualRun(scene: Scene): Promise<Digests> {
  const digests: Digests = new Map();
  await play([], scene, (nowNs, digest) => digests.set(nowNs, digest));
  return digests;
}

/** Plays a changed run until it differs from the usual one. */
async function differs(overrides: readonly string[], scene: Scene, usual: Digests): Promise<boolean> {
  let same = 0;
  try {
    await play(overrides, scene, (nowNs, digest) => {
      if (usual.get(nowNs) !== digest) throw new Enough();
      same++;
    });
  } catch (error) {
    if (error instanceof Enough) return true;
    throw error;
  }
  return same !== usual.size;
}

/** What the tracker makes of two balls that fly side by side among false points: many explanations compete. */
function trackSwarm(overrides: readonly string[]): string {
  const { tracker } = runSettingsOf(resolveConfig({ overrides }));
  const points = new Queue<Points>(0, "every");
  const put = new QueueOutPort<Predictions>();
  const predictions = new Queue<Predictions>(0, "every");
  put.join(predictions);
  const none = { left: nothingIn, right: nothingIn, poses: nothingIn };
  const out = { predictions: put, events: new QueueOutPort<Event>() };
  const node = new TrackerNode({ in: { ...none, points }, out }, loadRobot("lwr-arm"), { ball: defaultBall, tracker });
  const random = new Random("swarm");
  const hash = createHash("sha256");
  for (let frame = 0; frame < 30; frame++) {
    const nowNs = 40_000_000 * frame;
    const t = nowNs / 1e9;
    const near = (): number[] => [5 - 5 * t, 0.1 * random.normal(), 1.5 + 3 * t - 4.9 * t * t + 0.1 * random.normal()];
    const balls = [0, 0.08].map((y) => [5 - 5 * t, y + 0.01 * random.normal(), 1.5 + 3 * t - 4.9 * t * t]);
    const all = [...balls, near(), near(), near()].flat();
    const covariance = Float64Array.from({ length: 3 * all.length }, (_, i) =>
      i % 9 === 0 || i % 9 === 4 || i % 9 === 8 ? 1e-4 : 0,
    );
    points.put({ frame, exposureNs: nowNs, arrivalNs: nowNs, position: Float64Array.from(all), covariance }, nowNs);
    node.step(nowNs);
    takeEach(predictions, nowNs, (message) => hash.update(JSON.stringify(message)));
  }
  return hash.digest("hex");
}

const one: Scene = { perception: "circles", throws: [[0]] };
/** Small images take half the time. */
const SMALL = "cameras.scale=0.75";
const seen: Scene = { perception: "images", throws: [[0]], beside: [SMALL] };
const pair: Scene = { perception: "circles", throws: [[0, 1]] };
/** Balls that come near each other, among false circles. */
const pairs: Scene = {
  perception: "circles",
  throws: [
    [0, 1],
    [2, 3],
  ],
};

const inColour: Scene = { ...seen, beside: [SMALL, "cameras.colour=true"] };
const ownBall: Scene = { ...one, beside: ["ball.kind=own"] };

/** Another value of every key that a run goes by, and the scene in which it shows. */
const changes: Readonly<Record<string, readonly [value: string, scene: Scene | "swarm"]>> = {
  "planning.mode": ["latest", one],
  "planning.starts": [
    "1",
    {
      perception: "circles",
      throws: [
        [0, 1],
        [2, 3],
        [4, 5],
      ],
    },
  ],
  "planning.tMax": ["0.9", one],
  "catching.body": ["stand", one],
  "catching.afterCatch": ["stay", { ...one, beside: ["catching.body=stand"] }],
  "catching.sigma": ["0.002", one],
  "catching.sigmaOfSeveral": ["0.002", pair],
  "catching.hurry": ["2", { ...one, beside: ["catching.sigma=0.002"] }],
  "catching.returnShare": ["0.3", one],
  "catching.holdMs": ["100", one],
  "timing.framesToConfirm": ["6", { perception: "truth", throws: [[0]] }],
  "timing.trackingMs": ["20", one],
  "timing.coldBudgetMs": ["45", one],
  "timing.warmBudgetMs": ["20", one],
  "timing.transportMs": ["5", one],
  "neck.follows": ["false", one],
  "neck.slack": ["0.02", one],
  "neck.idleSpeed": ["1", one],
  "neck.patience": ["0.05", one],
  "timing.budget": ["fixed", { ...pair, beside: ["timing.searchMs=29"] }],
  "timing.searchMs": ["10", one],
  "cameras.windows": ["false", seen],
  "cameras.scale": ["1", seen],
  "cameras.rateHz": ["50", one],
  "cameras.colour": ["true", seen],
  "throws.kind": ["standard", { ...one, beside: ["throws.kind=clean"] }],
  "throws.fakes": ["1", { ...one, beside: ["throws.kind=standard", "throws.fakes=0"] }],
  "throws.handOvers": ["1", { ...one, beside: ["throws.kind=standard", "throws.handOvers=0"] }],
  "ball.kind": ["tennis", one],
  "ball.diameter": ["0.07", ownBall],
  "ball.mass": ["0.06", ownBall],
  "ball.drag": ["0.04", ownBall],
  "ball.dragSigma": ["0.01", ownBall],
  "ball.liftSigma": ["0.3", ownBall],
  "ball.colour": ["#c8202c", { ...seen, beside: [SMALL, "ball.kind=own"] }],
  "detector.contrast": ["100", inColour],
  "detector.red": ["0.6", inColour],
  "detector.green": ["0.2", inColour],
  "detector.blue": ["0.4", inColour],
  "detector.offset": ["-20", inColour],
  "neck.gentle": ["false", { perception: "circles", throws: [[0], [3]] }],
  "tracking.detectionProbability": ["0.02", pairs],
  "tracking.clutterPerImage": ["1000", pairs],
  "tracking.gateProbability": ["0.6", one],
  "tracking.accelerationNoise": ["0.5", one],
  "tracking.maxHypotheses": ["1", "swarm"],
  "tracking.scanDepth": ["1", "swarm"],
  "tracking.confirmProbability": ["0.999999", one],
};

/** Sections of the configuration that say how a run goes. */
const sections = ["catching", "timing", "neck", "cameras", "throws", "ball", "detector", "tracking"] as const;

/** What only a run in real time has: `camera-pipes.test.ts` changes it. */
const inRealTime = ["cameras.left", "cameras.right", "cameras.framing"];

describe("every key of the configuration that a run goes by", () => {
  it("is changed below", () => {
    const keys = sections.flatMap((section) => {
      const { properties } = configSchema.properties[section] as unknown as { properties: Record<string, unknown> };
      return Object.keys(properties).map((key) => `${section}.${key}`);
    });
    expect(keys.filter((key) => !(key in changes) && !inRealTime.includes(key))).toEqual([]);
  });

  it("the kinds of ball are the known ones, and one's own", () => {
    const { kind } = (configSchema.properties.ball as unknown as { properties: { kind: { enum: string[] } } })
      .properties;
    expect(kind.enum).toEqual([...knownBallNames, OWN_BALL]);
    for (const name of knownBallNames) {
      expect(runSettingsOf(resolveConfig({ overrides: [`ball.kind=${name}`] })).ball).toEqual(knownBalls[name]);
    }
  });

  const usual = new Map<Scene, Promise<Digests>>();

  it.each(Object.entries(changes))("%s changes what the nodes put", async (key, [value, scene]) => {
    const overrides = [`${key}=${value}`];
    if (scene === "swarm") return expect(trackSwarm(overrides)).not.toBe(trackSwarm([]));
    if (!usual.has(scene)) usual.set(scene, usualRun(scene));
    expect(await differs(overrides, scene, await usual.get(scene)!)).toBe(true);
  });
});
