import { describe, expect, it } from "vitest";
import { type RoundObject, ScanSimulator } from "../../../bench/tracking/scan-simulator.js";
import { defaultBall, gravity } from "../../../src/flight/ball.js";
import type { TrackerEvent } from "../../../src/tracking/events/tracker-event.js";
import { BallSizeWatch } from "../../../src/tracking/size/ball-size-watch.js";
import { deep } from "../../support/deep.js";

/** A ball thrown at the head once a second, from 5 m; the simulator's balls have the default size. */
function thrown(speed: number, aside: number): RoundObject {
  return {
    position(time, out) {
      const t = time % 1;
      out[0] = 5 - speed * t;
      out[1] = aside + 0.3 * t;
      out[2] = 1.5 + 3.5 * t - 4.905 * t * t;
      return t < 0.8;
    },
  };
}

/** A ball that a person carries past, up and down with each step. */
const carried: RoundObject = {
  position(time, out) {
    out[0] = 3;
    out[1] = -1.2 + 1.3 * (time % 2);
    out[2] = 1.2 + 0.03 * Math.sin(12 * time);
    return true;
  },
};

function watch(told: number, objects: readonly RoundObject[], seconds: number, seed: string) {
  const events: TrackerEvent[] = [];
  const size = new BallSizeWatch(told, gravity(), (event) => void events.push(event));
  const simulator = new ScanSimulator({ seed, clutter: 8 });
  for (let k = 0; k < 25 * seconds; k++) {
    const { left, right } = simulator.expose(k / 25, objects);
    size.add(left!, right!);
  }
  return { events, estimate: size.estimate };
}

describe("the size of balls by stereo", () => {
  it.each([0.06, 0.074, 0.085, 0.1])("finds 85 mm, told %f m", (told) => {
    const { events, estimate } = watch(told, [thrown(4, 0.2)], 6, `told ${told}`);
    expect(Math.abs(estimate!.diameter - defaultBall.diameter)).toBeLessThan(4 * estimate!.sigma);
    expect(estimate!.sigma).toBeLessThan(0.0025);
    expect(estimate!.sightings).toBeGreaterThan(20);
    expect(events.map(({ code }) => code)).toEqual(
      told === 0.085 ? [] : ["ball-size", "ball-size"].slice(0, events.length),
    );
    expect(events.length > 0).toBe(told !== 0.085);
  });

  it("says what it saw and what it was told", () => {
    const { events } = watch(0.074, [thrown(4, 0)], 3, "words");
    expect(events[0]!.text).toMatch(/the ball seen is 8[3-7] ± 1 mm, told 74 mm: /);
  });

  it("is not misled by false circles, nor by a ball that is carried", () => {
    const { events, estimate } = watch(0.074, [carried], deep(60, 600), "carried");
    expect(estimate).toBeNull();
    expect(events).toEqual([]);
    expect(watch(0.074, [], deep(60, 600), "nothing").estimate).toBeNull();
  });

  it("takes a difference of 3 % for the outline's own", () => {
    expect(watch(0.0825, [thrown(4, 0.1)], 6, "close").events).toEqual([]);
  });
});
