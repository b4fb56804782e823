import { describe, expect, it } from "vitest";
import {
  type ArmsAreClear,
  type Assignment,
  assignBalls,
  type CatchOptions,
  NONE,
} from "../../../bench/planning/assign.js";
import type { CatchOption } from "../../../bench/planning/catch-options.js";
import { Random } from "../../../src/math/random.js";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { deep } from "../../support/deep.js";

const everything = 1e9;
const noMotion = new JointRamps(0);

function option(cost: number, probability: number | null, slack: number): CatchOption {
  return { x: new Float64Array(0), ramps: noMotion, cost, probability, slack };
}

/** Up to three options for each arm and ball, best first, and a random half of all combinations clear. */
function randomCase(random: Random, knowsProbability: boolean): { options: CatchOption[][][]; areClear: ArmsAreClear } {
  const share = random.uniformIn(0, 1);
  const options = [0, 1].map(() =>
    [0, 1].map(() =>
      Array.from({ length: random.integer(4) }, () =>
        option(random.uniform(), knowsProbability ? random.uniform() : null, random.uniform()),
      ).sort((a, b) => a.cost - b.cost),
    ),
  );
  const verdicts = new Map<string, boolean>();
  const name = (one: CatchOption | null) => (one === null ? "none" : String(one.cost));
  const areClear: ArmsAreClear = (chosen) => {
    const key = chosen.map(name).join();
    const known = verdicts.get(key) ?? random.uniform() < share;
    verdicts.set(key, known);
    return known;
  };
  return { options, areClear };
}

interface Combination {
  readonly balls: number[];
  readonly chosen: (CatchOption | null)[];
  readonly caught: number;
  readonly regret: number;
  readonly sureness: number;
}

/** All there is, by plain enumeration: two arms, each with one option for one ball or none. */
function enumerate(options: CatchOptions, areClear: ArmsAreClear, knowsProbability: boolean): Combination[] {
  const choices = (arm: number) => [
    { ball: NONE, one: null },
    ...options[arm]!.flatMap((list, ball) => list.map((one) => ({ ball, one }))),
  ];
  const all: Combination[] = [];
  for (const left of choices(0)) {
    for (const right of choices(1)) {
      if (left.ball !== NONE && left.ball === right.ball) continue;
      const chosen = [left.one, right.one];
      const balls = [left.ball, right.ball];
      if (!areClear(chosen)) continue;
      const some = chosen.filter((one) => one !== null);
      const regret = chosen.reduce(
        (sum, one, arm) => sum + (one ? one.cost - options[arm]![balls[arm]!]![0]!.cost : 0),
        0,
      );
      const sureness = knowsProbability
        ? some.reduce((product, one) => product * one.probability!, 1)
        : Math.min(...some.map((one) => one.slack));
      all.push({ balls, chosen, caught: some.length, regret, sureness });
    }
  }
  return all;
}

/** The best of each way with the most balls, and of these the surest. */
function reference(all: readonly Combination[]): Combination | undefined {
  const most = Math.max(0, ...all.map(({ caught }) => caught));
  const ways = new Map<string, Combination>();
  for (const one of all.filter(({ caught }) => caught === most && most > 0)) {
    const before = ways.get(one.balls.join());
    if (before === undefined || one.regret < before.regret) ways.set(one.balls.join(), one);
  }
  return [...ways.values()].sort((a, b) => b.sureness - a.sureness)[0];
}

describe.each([true, false])("assigning balls to arms, probabilities known: %s", (knowsProbability) => {
  it("does as a search through everything does", () => {
    const random = new Random(`assign ${knowsProbability}`);
    const tally = [0, 0, 0];
    for (let n = 0; n < deep(2000, 10_000); n++) {
      const { options, areClear } = randomCase(random, knowsProbability);
      const found = assignBalls(options, areClear, everything);
      const expected = reference(enumerate(options, areClear, knowsProbability));
      tally[found.caught]!++;
      expect(found.caught).toBe(expected?.caught ?? 0);
      if (expected === undefined) continue;
      expect(found.balls).toEqual(expected.balls);
      expect(found.options).toEqual(expected.chosen);
      expect(areClear(found.options)).toBe(true);
    }
    for (const count of tally) expect(count).toBeGreaterThan(20);
  });
});

describe("assigning balls to arms", () => {
  const always: ArmsAreClear = () => true;
  const summary = ({ balls, caught }: Assignment) => ({ balls, caught });

  it("catches both balls rather than one more surely", () => {
    const options = [
      [[option(1, 0.9, 0.5)], [option(1, 0.2, 0.1)]],
      [[option(1, 0.3, 0.1)], []],
    ];
    expect(summary(assignBalls(options, always))).toEqual({ balls: [1, 0], caught: 2 });
  });

  it("catches the surer ball when only one can be caught, and by time to spare where no probability is known", () => {
    const known = [[[option(1, 0.6, 0.1)], [option(5, 0.8, 0.01)]]];
    expect(summary(assignBalls(known, always))).toEqual({ balls: [1], caught: 1 });
    const unknown = [[[option(1, null, 0.1)], [option(5, 0.99, 0.01)]]];
    expect(summary(assignBalls(unknown, always))).toEqual({ balls: [0], caught: 1 });
  });

  it("gives one ball to one of two arms", () => {
    const options = [[[option(1, 0.6, 0.1)]], [[option(1, 0.7, 0.1)]]];
    expect(summary(assignBalls(options, always))).toEqual({ balls: [NONE, 0], caught: 1 });
  });

  it("takes the next best option where the best ones collide, in the order of what is lost", () => {
    const [first, second] = [option(1, null, 0.3), option(1.2, null, 0.3)];
    const [other, last] = [option(7, null, 0.3), option(9, null, 0.3)];
    const options = [
      [[first, second], []],
      [[], [other, last]],
    ];
    const found = assignBalls(options, (chosen) => !(chosen[0] === first && chosen[1] === other));
    expect(found.options).toEqual([second, other]);
  });

  it("does nothing without balls, without arms or with nothing in reach", () => {
    expect(assignBalls([], always).caught).toBe(0);
    expect(assignBalls([[], []], always)).toEqual({ balls: [NONE, NONE], options: [null, null], caught: 0 });
    expect(
      assignBalls(
        [
          [[], []],
          [[], []],
        ],
        always,
      ).caught,
    ).toBe(0);
  });

  it("looks at no more combinations than it may", () => {
    const list = Array.from({ length: 10 }, (_, k) => option(k, null, 1));
    let checks = 0;
    const never: ArmsAreClear = (chosen) => {
      checks += chosen.includes(null) ? 0 : 1;
      return false;
    };
    assignBalls(
      [
        [list, list],
        [list, list],
      ],
      never,
      7,
    );
    expect(checks).toBe(14);
  });
});
