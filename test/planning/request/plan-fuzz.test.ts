import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { catchModes } from "../../../src/planning/problem/objectives.js";
import { PlanAnswerSchema } from "../../../src/planning/request/answer.js";
import { Planner } from "../../../src/planning/request/plan-catch.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { findProblems } from "../../../src/runtime/schema-problems.js";
import { deep } from "../../support/deep.js";
import { robots } from "./requests.js";

const names = ["lwr-arm", "iiwa-14", "panda", "agile-justin"];
const scales = [0, 1e-9, 0.1, 1, 5, 30, 1000];

/** A request that follows the schema, from the sensible to the absurd. */
function drawRequest(random: Random): PlanRequest {
  const pick = <T>(list: readonly T[]): T => list[random.integer(list.length)]!;
  const vector = (middle: number[], scale: number) =>
    middle.map((value) => Math.min(1000, Math.max(-1000, value + scale * random.normal())));
  const isWild = random.uniform() < 0.5;
  const scale = isWild ? pick(scales) : 0.2;
  const time = isWild ? random.uniformIn(-10, 10) : random.uniformIn(-0.4, 0.2);
  const state = { time, position: vector([4.5, 0, 1.4], scale), velocity: vector([-4.7, 0, 4.3], scale) };
  const variance = () => 10 ** random.uniformIn(-12, 5);
  const covariance = Array.from({ length: 6 }, (_, r) =>
    Array.from({ length: 6 }, (_, c) => (r === c ? variance() : 0)),
  );
  const samples = Array.from({ length: 4 }, (_, k) => ({
    time: time + (k + 1) * 0.03,
    position: vector([4.5 - k * 0.14, 0, 1.5], 0.02 * scale),
  }));
  return {
    robot: pick(names),
    mode: pick(catchModes),
    ball:
      random.uniform() < 0.2
        ? { samples: samples.filter((sample) => sample.time <= 10) }
        : { state: random.uniform() < 0.5 ? state : { ...state, covariance }, drag: pick([0, 0.032, 1]) },
    budget: { starts: 2 },
    catchTime: { earliest: pick([0, 0.4]), latest: pick([0.5, 1.8, 10]) },
    limits: { velocityScale: pick([1, 0.3, 1e-6]), accelerationScale: pick([1, 0.3, 1e-6]) },
    ...(random.uniform() < 0.3 && {
      perception: { pixelSigma: pick([1e-6, 100]), servoSigma: pick([0, 1]), processingTime: pick([0, 1]) },
    }),
    ...(random.uniform() < 0.3 && {
      handKeepOut: [
        { name: "a", type: "sphere" as const, center: vector([0.5, 0, 1.2], 0.3), radius: pick([1e-9, 0.2, 900]) },
      ],
    }),
    ...(random.uniform() < 0.2 && { sample: { rateHz: pick([0.5, 50]) } }),
  };
}

function numbersOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}

describe("whatever follows the schema", () => {
  it("is answered by the answer's schema in finite numbers, or refused with a code", () => {
    const random = new Random("plan fuzz");
    const planner = new Planner({ robots, clock: null });
    const outcomes = new Map<string, number>();
    const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    for (let k = 0; k < deep(100, 5000); k++) {
      const request = drawRequest(random);
      try {
        const answer = planner.plan(request);
        expect(findProblems(PlanAnswerSchema, answer)).toEqual([]);
        expect(numbersOf(answer).filter((value) => !Number.isFinite(value))).toEqual([]);
        expect(answer.catch === undefined).toBe((answer.reasons?.length ?? 0) > 0);
        count(answer.status);
      } catch (error) {
        if (!(error instanceof FlycatcherError)) throw new Error(JSON.stringify(request), { cause: error });
        count(error.code);
      }
    }
    expect(outcomes.get("solved")).toBeGreaterThan(5);
    expect(outcomes.get("unreachable")).toBeGreaterThan(5);
    expect([...outcomes.keys()].filter((outcome) => outcome.startsWith("FLY_INTERNAL"))).toEqual([]);
  });
});
