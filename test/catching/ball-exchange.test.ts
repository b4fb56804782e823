import { describe, expect, it } from "vitest";
import { ExchangeSearch, type ExchangingArm } from "../../src/catching/ball-swap.js";
import type { CatchCoordinator } from "../../src/catching/coordinator.js";

/** What of an arm an exchange depends on. */
interface Standing {
  readonly state: string;
  readonly track: number | null;
  readonly tCatch?: number;
  readonly isStuck?: boolean;
  readonly searches?: number;
  readonly busy?: boolean;
}

function arm(
  name: string,
  { state, track, tCatch, isStuck = false, searches = 1, busy = false }: Standing,
): ExchangingArm {
  const plan = tCatch === undefined ? null : { tCatch };
  const attempt = track === null ? null : { track, plan, isStuck, searches };
  const coordinator = { machine: { state }, attempt, busy, offered: null, subject: track };
  return { name, coordinator: coordinator as unknown as CatchCoordinator };
}

const catching = arm("leftArm", { state: "reaching", track: 1, tCatch: 1 });
const free = arm("rightArm", { state: "watching", track: null });
const always = (_track: number): boolean => true;

describe("an exchange of balls", () => {
  it("is looked at when the second ball is on the side of the arm that has the first", () => {
    const found = new ExchangeSearch().find(2, "leftArm", [catching, free], always, 0.4);
    expect(found).toEqual({ holder: catching, other: free, held: 1, wanted: 2 });
    expect(new ExchangeSearch().find(2, "rightArm", [catching, free], always, 0.4)).toBeNull();
  });

  it("is looked at when the arm on the ball's side searches in vain, whether it waits or goes after it", () => {
    for (const state of ["watching", "reaching"]) {
      const tCatch = state === "reaching" ? { tCatch: 1.1, isStuck: true } : {};
      const vain = arm("rightArm", { state, track: 2, searches: 2, ...tCatch });
      expect(new ExchangeSearch().find(2, "rightArm", [catching, vain], always, 0.4)?.other).toBe(vain);
      const first = arm("rightArm", { state, track: 2, searches: 1, ...tCatch });
      expect(new ExchangeSearch().find(2, "rightArm", [catching, first], always, 0.4)).toBeNull();
    }
  });

  it("is none while an arm is busy, has a catch of the ball, or closes its hand soon, nor for a ball that is gone", () => {
    const search = (arms: ExchangingArm[], now = 0.4, coming = always) =>
      new ExchangeSearch().find(2, "leftArm", arms, coming, now);
    expect(search([catching, arm("rightArm", { state: "watching", track: null, busy: true })])).toBeNull();
    expect(search([arm("leftArm", { state: "reaching", track: 1, tCatch: 1, busy: true }), free])).toBeNull();
    expect(search([catching, arm("rightArm", { state: "reaching", track: 2, tCatch: 1 })])).toBeNull();
    expect(search([catching, arm("rightArm", { state: "holding", track: 3, tCatch: 0.3 })])).toBeNull();
    expect(search([catching, free], 0.75)).toBeNull();
    expect(search([catching, free], 0.4, (track) => track !== 1)).toBeNull();
  });

  it("is looked at three times for a ball at most", () => {
    const search = new ExchangeSearch();
    for (let k = 0; k < 3; k++) {
      expect(search.find(2, "leftArm", [catching, free], always, 0.4)).not.toBeNull();
      search.count(2);
    }
    expect(search.find(2, "leftArm", [catching, free], always, 0.4)).toBeNull();
    search.keep((track) => track !== 2);
    expect(search.find(2, "leftArm", [catching, free], always, 0.4)).not.toBeNull();
  });
});
