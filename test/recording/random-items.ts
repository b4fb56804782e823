import { defaultBall } from "../../src/flight/ball.js";
import * as pose from "../../src/math/pose.js";
import type { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import {
  type ItemOf,
  RECORDING_VERSION,
  type RecordedItem,
  type RecordedTopic,
  type RecordingHeader,
  recordedMessages,
  recordedTopics,
} from "../../src/recording/recording.js";
import { RandomMessages } from "../support/random-message.js";

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

type Column = Float64Array;

/** Makes random items of every topic, as the descriptions of their messages say. */
export class RandomItems {
  readonly #random: Random;
  readonly #messages: RandomMessages;
  readonly #dofs: number;

  constructor(random: Random, numbers: "finite" | "any" = "any", dofs = 5) {
    this.#random = random;
    this.#messages = new RandomMessages(random, numbers);
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
    const message = { topic, ...this.#messages.of<object>(recordedMessages[topic]), timeNs };
    return this.#plausible(message as RecordedItem);
  }

  /** What is drawn has the sizes and spans of what can be. */
  #plausible(item: RecordedItem): RecordedItem {
    switch (item.topic) {
      case "cameras/images":
        return this.#image(item);
      case "cameras/circles": {
        const count = this.#random.integer(4);
        const [u, v, r, score] = [0, 1, 2, 3].map(() => this.#column(count)) as [Column, Column, Column, Column];
        return { ...item, u, v, r, score, covariance: this.#column(9 * count) };
      }
      case "points": {
        const count = this.#random.integer(3);
        return { ...item, position: this.#column(3 * count), covariance: this.#column(9 * count) };
      }
      case "joints":
        return {
          ...item,
          q: this.#joints(),
          qd: this.#joints(),
          commandedQ: this.#joints(),
          commandedQd: this.#joints(),
        };
      case "head":
        return {
          ...item,
          time: this.#random.uniform(),
          worldFromHead: pose.fromRpyTranslation(0, 0, 1, 0.1, 0.2, 1.5, pose.create()),
        };
      case "predictions":
        return {
          ...item,
          balls: item.balls.map((ball) => ({ ...ball, state: { ...ball.state, time: this.#random.uniform() } })),
        };
      case "truth/flights": {
        const state = { position: vec3.create(5, 0, 1.5), velocity: vec3.create(-6, 0, 3), drag: 0.032 };
        return { ...item, pieces: [{ time: 0.1, until: 1, ...state }] };
      }
      default:
        return item;
    }
  }

  #image(item: ItemOf<"cameras/images">): RecordedItem {
    const width = 1 + this.#random.integer(40);
    const height = 1 + this.#random.integer(30);
    const bytes = item.encoding === "rgb8" ? 3 : 1;
    const pixels = Uint8Array.from({ length: bytes * width * height }, () => this.#random.integer(256));
    return { ...item, width, height, pixels };
  }

  #column(count: number): Column {
    return Float64Array.from({ length: count }, () => this.#messages.number());
  }

  #joints(): Column {
    return this.#column(this.#dofs);
  }
}
