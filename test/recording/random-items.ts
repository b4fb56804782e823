import { Handover } from "../../src/control/motion-execution.js";
import { defaultBall } from "../../src/flight/ball.js";
import type { Random } from "../../src/math/random.js";
import {
  type ItemOf,
  RECORDING_VERSION,
  type RecordedItem,
  type RecordedRamps,
  type RecordedTopic,
  type RecordingHeader,
  recordedTopics,
} from "../../src/recording/recorded-messages.js";

/** A header of points alone, unless told otherwise. */
export function plainHeader(given: Partial<RecordingHeader> = {}): RecordingHeader {
  return {
    formatVersion: RECORDING_VERSION,
    software: { name: "flycatcher", version: "0.0.0" },
    startedAt: null,
    clock: "lock-step",
    title: "a test",
    labels: ["test"],
    robot: null,
    perception: "points",
    world: "real",
    seed: 7,
    ball: defaultBall,
    run: null,
    configuration: null,
    readings: null,
    jointPeriodNs: null,
    ...given,
  };
}

/** Numbers whose JSON is hard: tiny, huge, of either sign, and those that JSON does not have. */
const hard = [
  0,
  -0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  5e-324,
  1.7976931348623157e308,
  0.1,
];

/** Makes random items that are as their types say. */
export class RandomItems {
  readonly #random: Random;
  /** Whether numbers that JSON does not have are among them. */
  readonly #numbers: "finite" | "any";
  readonly #dofs: number;

  constructor(random: Random, numbers: "finite" | "any" = "any", dofs = 5) {
    this.#random = random;
    this.#numbers = numbers;
    this.#dofs = dofs;
  }

  /** Items of random topics with times that do not fall. */
  series(count: number, topics: readonly RecordedTopic[] = recordedTopics): RecordedItem[] {
    let timeNs = 0;
    return Array.from({ length: count }, () => {
      timeNs += this.#random.integer(5) * 3_333_333;
      return this.item(topics[this.#random.integer(topics.length)]!, timeNs);
    });
  }

  item(topic: RecordedTopic, timeNs: number): RecordedItem {
    const body = this.#bodies[topic]();
    return { topic, timeNs, ...body } as RecordedItem;
  }

  #number = (): number => {
    const random = this.#random;
    if (this.#numbers === "any" && random.integer(8) === 0) return hard[random.integer(hard.length)]!;
    return random.normal() * 10 ** (random.integer(7) - 3);
  };
  #numbersOf = (count: number): number[] => Array.from({ length: count }, this.#number);
  #ns = (): number => this.#random.integer(2 ** 40);
  #text = (): string => ["", "left", 'a "quote"', "NaN", "größer →", "-0"][this.#random.integer(6)]!;
  #maybe = <T>(make: () => T): T | null => (this.#random.integer(3) === 0 ? null : make());
  #exposure = () => ({ frame: this.#random.integer(1000), exposureNs: this.#ns(), arrivalNs: this.#ns() });
  #side = () => (["left", "right"] as const)[this.#random.integer(2)]!;
  #ramps = (): RecordedRamps => {
    const fields = ["q0", "w0", "ab", "tb", "a", "t1", "t2", "T"] as const;
    return Object.fromEntries(fields.map((field) => [field, this.#numbersOf(7)])) as unknown as RecordedRamps;
  };

  readonly #bodies: { [T in RecordedTopic]: () => Omit<ItemOf<T>, "topic" | "timeNs"> } = {
    "sensors/readings": () => ({
      joints: {
        time: this.#numbersOf(2),
        arrivalNs: [this.#ns(), this.#ns()],
        q: this.#numbersOf(6),
        qd: this.#numbersOf(6),
        commanded: this.#numbersOf(6),
      },
      imu: {
        time: this.#numbersOf(1),
        arrivalNs: [this.#ns()],
        angularVelocity: this.#numbersOf(3),
        specificForce: this.#numbersOf(3),
      },
    }),
    "cameras/images": () => {
      const width = 1 + this.#random.integer(40);
      const height = 1 + this.#random.integer(30);
      const pixels = Uint8Array.from({ length: width * height }, () => this.#random.integer(256));
      return { ...this.#exposure(), camera: this.#side(), width, height, pixels };
    },
    "cameras/circles": () => {
      const count = this.#random.integer(4);
      const circles = this.#numbersOf(3 * count);
      return {
        ...this.#exposure(),
        camera: this.#side(),
        circles,
        covariance: this.#numbersOf(9 * count),
        score: this.#numbersOf(count),
      };
    },
    points: () => {
      const count = this.#random.integer(3);
      return { ...this.#exposure(), positions: this.#numbersOf(3 * count), covariance: this.#numbersOf(9 * count) };
    },
    "cameras/lost": () => ({ frame: this.#random.integer(1000), exposureNs: this.#ns() }),
    joints: () => ({
      q: this.#numbersOf(this.#dofs),
      qd: this.#numbersOf(this.#dofs),
      commandedQ: this.#numbersOf(this.#dofs),
      commandedQd: this.#numbersOf(this.#dofs),
    }),
    head: () => ({
      time: this.#random.uniform(),
      worldFromHead: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0.2, 1.5],
      covariance: this.#numbersOf(36),
    }),
    predictions: () => ({
      predictions: Array.from({ length: this.#random.integer(3) }, (_, track) => ({
        track,
        time: this.#random.uniform(),
        position: this.#numbersOf(3),
        velocity: this.#numbersOf(3),
        drag: this.#number(),
        covariance: this.#maybe(() => this.#numbersOf(28)),
        lastSeen: this.#number(),
        confirmed: this.#random.integer(2) === 0,
      })),
    }),
    motions: () => ({
      part: this.#text(),
      id: this.#random.integer(100),
      tStart: this.#number(),
      ramps: this.#ramps(),
      closeHandAt: this.#maybe(this.#number),
    }),
    plans: () => ({
      arm: this.#text(),
      id: this.#random.integer(100),
      track: this.#random.integer(4) - 1,
      search: this.#random.integer(2) === 0 ? "cold" : "warm",
      askedNs: this.#ns(),
      tStart: this.#number(),
      catch: this.#maybe(() => ({
        ramps: this.#ramps(),
        tCatch: this.#number(),
        arrival: this.#number(),
        objective: this.#number(),
        successProbability: this.#maybe(this.#number),
        position: [0.5, 0.1, 1.2],
      })),
      reason: this.#maybe(this.#text),
    }),
    handovers: () => ({
      part: this.#text(),
      id: this.#random.integer(100),
      outcome: Object.values(Handover)[this.#random.integer(6)]!,
    }),
    monitor: () => ({
      phase: (["safe", "braking", "stopped", "recovering"] as const)[this.#random.integer(4)]!,
      distance: this.#maybe(this.#number),
      bodies: this.#maybe(() => [this.#text(), this.#text()] as const),
      reason: this.#maybe(this.#text),
    }),
    states: () => ({ arm: this.#text(), from: "watching", event: "planned", to: "reaching" }),
    events: () => ({
      severity: (["debug", "info", "warning", "error"] as const)[this.#random.integer(4)]!,
      source: this.#text(),
      code: this.#text(),
      track: -1,
      text: this.#text(),
    }),
    "truth/flights": () => ({
      ball: this.#random.integer(10),
      aim: this.#maybe(() => this.#numbersOf(3)),
      flightTime: this.#maybe(this.#number),
      pieces: [{ time: 0.1, until: 1, position: [5, 0, 1.5], velocity: [-6, 0, 3], drag: 0.032 }],
    }),
    results: () => ({
      result: {
        id: this.#random.integer(100),
        aim: this.#numbersOf(3),
        flightTime: this.#number(),
        speed: this.#number(),
        arm: this.#maybe(this.#text),
        outcome: "missed",
        reason: this.#maybe(this.#text),
        reactionTime: this.#maybe(this.#number),
        catchTime: this.#maybe(this.#number),
        verdict: this.#maybe(() => ({
          caught: false,
          misses: ["timing" as const],
          lateral: this.#number(),
          timing: this.#number(),
          facing: this.#number(),
          handSpeed: this.#number(),
        })),
        hold: null,
        errors: this.#maybe(() => ({ prediction: this.#number(), servo: this.#number(), calibration: this.#number() })),
        firstObjective: this.#maybe(this.#number),
        objective: this.#maybe(this.#number),
        searches: 1,
        replans: 2,
        unsolved: 0,
        refused: 0,
      },
    }),
    "recorder/drops": () => ({ drops: [{ topic: "joints", messages: 3, bytes: 4096 }] }),
  };
}
