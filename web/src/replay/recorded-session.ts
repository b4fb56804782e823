import { defaultTimes } from "../../../src/catching/catch-times.js";
import { summarize, type ThrowResult } from "../../../src/catching/run-summary.js";
import type { HelloMessage, PageMessage, PlanMessage, StateMessage } from "../../../src/messages/page.js";
import type { BallPrediction } from "../../../src/messages/prediction.js";
import type { ArmState } from "../../../src/messages/report.js";
import { resultOf } from "../../../src/recording/throw-outcome.js";
import { budgetsOf } from "../../../src/view/latency-budgets.js";
import { rampNumbers } from "../../../src/view/plan-words.js";
import { createPosePacket, type PosePacket } from "../../../src/view/pose-packet.js";
import { PredictionPath } from "../../../src/view/prediction-path.js";
import type { RobotFacts } from "../live/robot-facts.js";
import { RecordedFlights } from "./recorded-flights.js";
import { RecordedMotions } from "./recorded-motions.js";
import type { ReadRecording, ShownItem } from "./recording-file.js";

type Item<Topic extends ShownItem["topic"]> = Extract<ShownItem, { readonly topic: Topic }>;
type Plan = NonNullable<Item<"plans">["plan"]>;

/** Something of a recording at its time [s], as a live run would have told it. */
export interface RecordedMessage {
  readonly time: number;
  readonly message: () => PageMessage;
}

/** Where the joints and the head were at some time [s]. */
interface RecordedPosture {
  readonly time: number;
  readonly joints: Float64Array;
  readonly head: ArrayLike<number>;
}

/** Transitions shown at a time. */
const TRANSITIONS = 8;

/**
 * Tells a recording as if it were a live run, so that all that shows a live run shows a recording, too. Messages are made
 * when they are needed: a predicted path takes a flight to be integrated.
 */
export class RecordedSession {
  readonly hello: HelloMessage;
  readonly messages: readonly RecordedMessage[];
  /** First and last time [s]. */
  readonly begin: number;
  readonly end: number;
  /** When hands met balls, by the plans in force when they closed [s]. */
  readonly catches: readonly number[];
  readonly #facts: RobotFacts;
  readonly #flights: RecordedFlights;
  readonly #paths = new PredictionPath();
  readonly #arms = new Map<string, ArmState>();
  readonly #results: ThrowResult[] = [];
  readonly #plans = new Map<string, number>();
  readonly #catches: number[] = [];
  readonly #postures: RecordedPosture[] = [];
  readonly #motions: RecordedMotions;
  /** Motions that control took over, by part and number. */
  readonly #accepted: ReadonlySet<string>;
  #head: ArrayLike<number> = [];
  #monitor: StateMessage["monitor"] = { phase: "safe", reason: "" };

  constructor({ header, items }: ReadRecording, facts: RobotFacts) {
    this.#facts = facts;
    this.#motions = new RecordedMotions(facts.scene.postures.ready ?? []);
    this.#accepted = new Set(
      items.flatMap((item) =>
        item.topic === "handovers" && item.outcome === "accepted" ? [`${item.part} ${item.id}`] : [],
      ),
    );
    this.#flights = new RecordedFlights(items.filter((item) => item.topic === "truth/flights"));
    this.hello = this.#helloOf(header);
    const releases = this.#flights.releases.map(({ ball, time }) => ({
      time,
      message: (): PageMessage => ({ type: "ball", time, ball }),
    }));
    const taken = items.flatMap((item) => this.#messagesOf(item));
    this.messages = [...taken, ...releases].sort((a, b) => a.time - b.time);
    this.begin = Math.min(this.messages[0]?.time ?? 0, this.#postures[0]?.time ?? Number.POSITIVE_INFINITY);
    this.end = Math.max(this.messages.at(-1)?.time ?? 0, this.#postures.at(-1)?.time ?? 0);
    this.catches = this.#catches;
  }

  #helloOf(header: ReadRecording["header"]): HelloMessage {
    const { scene } = this.#facts;
    return {
      type: "hello",
      protocol: 1,
      software: `${header.software.name} ${header.software.version}`,
      facts: {
        robot: scene.name,
        clock: header.clock,
        perception: header.perception,
        seed: Number(header.seed ?? 0),
        arms: header.run?.arms ?? [],
        joints: scene.joints,
        hands: scene.hands.map(({ name }) => name),
        ballRadius: header.ball.diameter / 2,
        ballDrag: header.ball.drag,
        framePeriod: 0.04,
        budgets: budgetsOf(defaultTimes),
        maxBalls: 1,
        controls: [],
        presets: [],
      },
      settings: {
        mode: header.run?.mode ?? "soft",
        challenges: {},
        automatic: false,
        balls: 1,
        paused: false,
        speed: 1,
        recording: null,
      },
      throws: [],
      summary: summarize([]),
    };
  }

  #messagesOf(item: ShownItem): RecordedMessage[] {
    const time = 1e-9 * item.timeNs;
    switch (item.topic) {
      case "joints":
        this.#postures.push({ time, joints: item.q, head: this.#head });
        return [];
      case "head":
        this.#head = item.worldFromHead;
        return [];
      case "predictions":
        return item.balls.map((ball) => ({ time, message: () => this.#predictionOf(ball, time) }));
      case "plans": {
        if (item.plan === null) return [];
        this.#plans.set(item.arm, item.plan.tCatch);
        const message = this.#planOf(item, item.plan, time);
        return [{ time, message: () => message }];
      }
      case "motions": {
        const isAccepted = this.#accepted.has(`${item.part} ${item.id}`);
        if (isAccepted) this.#motions.add(this.#commandOf(item));
        // Catches are told as plans; what is left are the body's motions and ways back.
        if (item.part !== "body" && item.closeHandAt !== null) return [];
        const message = this.#motionOf(item, time);
        return [{ time, message: () => message }];
      }
      case "handovers":
        return [
          { time, message: () => ({ type: "handover", time, plan: item.id, part: item.part, outcome: item.outcome }) },
        ];
      case "monitor":
        return this.#monitorOf(item, time);
      case "states":
        return [{ time, message: this.#stateOf(item, time) }];
      case "events":
        return [{ time, message: () => ({ type: "event", ...item, time }) }];
      case "results": {
        const { topic: _, timeNs: __, ...outcome } = item;
        return [{ time, message: this.#throwOf(resultOf(outcome), time) }];
      }
      case "cameras/circles":
        return [{ time, message: () => this.#circlesOf(item, time) }];
      case "truth/flights":
        return [];
    }
  }

  /** The robot and the balls at `time`: joints between two records of them, or as commanded; balls on their true flights. */
  poseAt(time: number): PosePacket {
    const { scene } = this.#facts;
    const pose = createPosePacket(scene.joints.length, scene.hands.length);
    pose.time = time;
    pose.balls = this.#flights.at(time);
    const after = this.#postures.findIndex((posture) => posture.time >= time);
    const next = this.#postures[after < 0 ? this.#postures.length - 1 : after];
    if (next === undefined) {
      pose.joints.set(this.#motions.at(time));
      return pose;
    }
    const last = after > 0 ? this.#postures[after - 1]! : next;
    const share = next.time > last.time ? (time - last.time) / (next.time - last.time) : 0;
    for (const [k, joint] of next.joints.entries()) pose.joints[k] = mix(last.joints[k]!, joint, share);
    pose.head.set(next.head);
    return pose;
  }

  #predictionOf(ball: BallPrediction, time: number): PageMessage {
    const { track, confirmed, lastSeen } = ball;
    const path = this.#paths.points(ball);
    return { type: "prediction", time, track, confirmed, tExposure: lastSeen, path };
  }

  #planOf({ arm, id, track, tStart }: Item<"plans">, plan: Plan, time: number): PlanMessage {
    const joints = this.#jointsOf(arm);
    const { ramps, tCatch, objective } = plan;
    return { type: "plan", time, id, part: arm, track, tStart, tCatch, joints, ramps: rampNumbers(ramps), objective };
  }

  #motionOf({ part, id, tStart, ramps }: Item<"motions">, time: number): PlanMessage {
    const joints = this.#movedBy(part);
    return {
      type: "plan",
      time,
      id,
      part,
      track: -1,
      tStart,
      tCatch: null,
      joints,
      ramps: rampNumbers(ramps),
      objective: null,
    };
  }

  #commandOf({ part, tStart, ramps }: Item<"motions">): Parameters<RecordedMotions["add"]>[0] {
    return { part, tStart, joints: this.#movedBy(part), ramps };
  }

  #movedBy(part: string): number[] {
    return part === "body" ? this.#bodyJoints() : this.#jointsOf(part);
  }

  #jointsOf(group: string): number[] {
    const { scene, description } = this.#facts;
    const names = description.groups.find(({ name }) => name === group)?.joints ?? [];
    return names.map((name) => scene.joints.indexOf(name));
  }

  /** What carries the arms: the joints between the world and their bases. */
  #bodyJoints(): number[] {
    const { scene, description } = this.#facts;
    const joints = new Set<number>();
    for (const { name, baseLink } of description.groups) {
      if (!this.hello.facts.arms.includes(name)) continue;
      let link = scene.links.findIndex((candidate) => candidate.name === baseLink);
      for (; link >= 0; link = scene.links[link]!.parent) {
        for (const { dof } of scene.links[link]!.joint?.terms ?? []) joints.add(dof);
      }
    }
    return [...joints].sort((a, b) => a - b);
  }

  #monitorOf({ phase, distance, bodies, reason }: Item<"monitor">, time: number): RecordedMessage[] {
    this.#monitor = { phase, reason: reason ?? "" };
    const pairs = bodies === null || distance === null ? [] : [{ ...bodies, distance }];
    return [{ time, message: () => ({ type: "safety", time, braking: distance, pairs }) }];
  }

  #stateOf({ arm, from, event, to }: Item<"states">, time: number): () => PageMessage {
    const before = this.#arms.get(arm)?.transitions ?? [];
    const transitions = [...before, { time, from, to, reason: event }].slice(-TRANSITIONS);
    this.#arms.set(arm, { arm, state: to, since: time, guards: [], transitions });
    const tCatch = this.#plans.get(arm);
    if (to === "grasping" && tCatch !== undefined) this.#catches.push(tCatch);
    const arms = [...this.#arms.values()];
    const monitor = this.#monitor;
    const isBusy = arms.some(({ state }) => state !== "watching" && state !== "idle");
    return () => ({ type: "state", time, activity: isBusy ? "busy" : "waiting", monitor, arms });
  }

  #throwOf(result: ThrowResult, time: number): () => PageMessage {
    this.#results.push(result);
    const so = this.#results.slice();
    return () => ({ type: "throw", time, result, summary: summarize(so) });
  }

  #circlesOf({ camera, exposureNs, u, v, r, score }: Item<"cameras/circles">, time: number): PageMessage {
    const { width = 800, height = 600 } = this.#facts.scene.cameras?.[camera] ?? {};
    const found = Array.from(score, (value, k) => [u[k]!, v[k]!, r[k]!, value] as const);
    return { type: "circles", time, camera, tExposure: 1e-9 * exposureNs, width, height, circles: found };
  }
}

function mix(from: number, to: number, share: number): number {
  return from + Math.max(0, Math.min(1, share)) * (to - from);
}
