import { describe, expect, it } from "vitest";
import * as vec3 from "../../../src/math/vec3.js";
import { ThrowBall } from "../../../src/messages/world.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { decodeRequest, encodeLine } from "../../../src/simulation/robot-sim/world-protocol.js";
import { SimulatedWorld } from "../../../src/simulation/simulated-world.js";
import { StreamedScene } from "../../../src/simulation/streamed-scene.js";
import { throwMessage, throwOf } from "../../../src/simulation/true-flight.js";
import { BallWorld } from "../../../src/simulation/world/ball-world.js";
import { HandPath, leadOf } from "../../../src/simulation/world/hand-motion.js";
import { longestLead, Thrower, type ThrowerSettings } from "../../../src/simulation/world/thrower.js";
import { type Throw, ThrowGenerator, throwSpaceOf } from "../../../src/simulation/world/throws.js";
import { fromBytes, toBytes } from "../../../src/transport/message.js";
import { deep } from "../../support/deep.js";

const robot = loadRobot("agile-justin");
const space = throwSpaceOf(robot);
const RELEASE = 7.25;
/** [m/s] */
const FASTEST_FAKE = 7;

function throwsOf(seed: number, settings: Partial<ThrowerSettings> = {}, count = deep(200, 3000)): Throw[] {
  const generator = new ThrowGenerator(space, seed);
  const thrower = new Thrower({ kind: "standard", fakes: 0.1, handOvers: 0.1, ...settings }, seed);
  return Array.from({ length: count }, (_, id) => thrower.prepare(generator.make(id, RELEASE)));
}

function pathOf({ state, hand }: Throw): HandPath {
  return new HandPath(state, hand!);
}

/** Speeds of the hand every millisecond until the release, oldest first. */
function speedsOf(ball: Throw): number[] {
  const path = pathOf(ball);
  const steps = Math.floor(1e3 * leadOf(ball.hand!));
  return Array.from({ length: steps }, (_, k) => vec3.norm(path.velocity(path.begin + k * 1e-3, vec3.create())));
}

describe("the motion of a hand that throws", () => {
  const balls = throwsOf(1);

  it("ends in the release: the same position, the same velocity", () => {
    for (const ball of balls) {
      const path = pathOf(ball);
      expect(vec3.distance(path.position(RELEASE, vec3.create()), ball.state.position)).toBeLessThan(1e-9);
      expect(vec3.distance(path.velocity(RELEASE, vec3.create()), ball.state.velocity)).toBeLessThan(1e-9);
      expect(vec3.distance(path.position(RELEASE - 1e-7, vec3.create()), ball.state.position)).toBeLessThan(2e-6);
    }
  });

  it("has the derivative of its position as velocity, everywhere", () => {
    const [before, after, velocity] = [vec3.create(), vec3.create(), vec3.create()];
    const h = 1e-6;
    for (const ball of balls.slice(0, deep(40, 1000))) {
      const path = pathOf(ball);
      for (let time = path.begin + 0.0013; time < RELEASE - 1e-3; time += 0.0171) {
        path.position(time - h, before);
        path.position(time + h, after);
        path.velocity(time, velocity);
        vec3.scale(vec3.subtract(after, before, after), 1 / (2 * h), after);
        expect(vec3.distance(after, velocity)).toBeLessThan(2e-3);
      }
    }
  });

  it("has the speed and acceleration of a person's arm, and no jumps", () => {
    const [velocity, next] = [vec3.create(), vec3.create()];
    for (const ball of balls) {
      const path = pathOf(ball);
      const speed = Math.max(FASTEST_FAKE, vec3.norm(ball.state.velocity));
      let [fastest, hardest] = [0, 0];
      for (let time = path.begin; time < RELEASE - 1e-3; time += 1e-3) {
        path.velocity(time, velocity);
        path.velocity(time + 1e-3, next);
        fastest = Math.max(fastest, vec3.norm(velocity));
        hardest = Math.max(hardest, vec3.distance(velocity, next) / 1e-3);
      }
      expect(fastest).toBeLessThan(speed + 0.1);
      // 8.5 m/s within 50 ms is the hardest throw there is.
      expect(hardest).toBeLessThan(270);
    }
  });

  it("stays above the floor, within reach of the release unless the person walks", () => {
    const place = vec3.create();
    for (const ball of balls) {
      const path = pathOf(ball);
      const walked = vec3.norm(ball.hand!.walk) * leadOf(ball.hand!);
      let [lowest, farthest] = [Number.POSITIVE_INFINITY, 0];
      for (let time = path.begin; time < RELEASE; time += 0.01) {
        path.position(time, place);
        lowest = Math.min(lowest, place[2]);
        farthest = Math.max(farthest, vec3.distance(place, ball.state.position));
      }
      expect(lowest).toBeGreaterThan(0.3);
      expect(farthest).toBeLessThan(1.8 + walked);
    }
  });

  it("swings for 0.05 to 0.5 s, is seen for long enough before, and is drawn back to rest", () => {
    const swings = balls.map(({ hand }) => hand!.swing);
    expect(Math.min(...swings)).toBeGreaterThanOrEqual(0.05);
    expect(Math.min(...swings)).toBeLessThan(0.08);
    expect(Math.max(...swings)).toBeLessThanOrEqual(0.5);
    expect(Math.max(...swings)).toBeGreaterThan(0.47);
    for (const ball of balls) {
      const path = pathOf(ball);
      expect(leadOf(ball.hand!)).toBeGreaterThan(ball.hand!.swing + 0.6);
      expect(vec3.norm(path.velocity(RELEASE - ball.hand!.swing - 1e-6, vec3.create()))).toBeLessThan(1e-3);
    }
    expect(longestLead(balls)).toBe(Math.max(...balls.map(({ hand }) => leadOf(hand!))));
    expect(longestLead([])).toBe(0);
  });

  it("fakes: the hand is fast, and stops with the ball, well before the swing", () => {
    const isFast = (ball: Throw): boolean => {
      const beforeSwing = Math.floor(1e3 * ball.hand!.swing) + 1;
      const speeds = speedsOf(ball).slice(0, -beforeSwing);
      const fastest = Math.max(...speeds);
      return fastest > 2.5 && Math.min(...speeds.slice(speeds.indexOf(fastest))) < 0.1;
    };
    expect(throwsOf(2, { fakes: 1 }, 50).every(isFast)).toBe(true);
    expect(throwsOf(2, { fakes: 0 }, 50).some(isFast)).toBe(false);
  });

  it("hands over: the ball goes aside by the distance between two hands", () => {
    const stops = (settings: Partial<ThrowerSettings>) =>
      throwsOf(3, { fakes: 0, ...settings }, 50).map(({ hand }) => hand!.stops);
    for (const [first, second] of stops({ handOvers: 1 })) {
      const way = vec3.distance(first!.position, second!.position);
      expect(way).toBeGreaterThan(0.3);
      expect(way).toBeLessThan(0.9);
    }
    for (const list of stops({ handOvers: 0 })) expect(list).toHaveLength(1);
  });

  it("is the same for the same seed and number, and leaves clean throws alone", () => {
    expect(throwsOf(1)).toEqual(balls);
    expect(throwsOf(4, {}, 5)).not.toEqual(balls.slice(0, 5));
    const clean = new Thrower({ kind: "clean", fakes: 1, handOvers: 1 }, 1);
    const ball = new ThrowGenerator(space, 1).make(0, RELEASE);
    expect(clean.prepare(ball)).toBe(ball);
    const { hand: _, ...rest } = balls[0]!;
    expect(rest).toEqual(ball);
  });

  it("has hands for balls that go straight up, straight down and nowhere", () => {
    const thrower = new Thrower({ kind: "standard", fakes: 1, handOvers: 1 }, 1);
    for (const velocity of [vec3.create(0, 0, 4), vec3.create(0, 0, -1), vec3.create()]) {
      const state = { time: RELEASE, position: vec3.create(3, 0, 1.5), velocity, drag: 0.03 };
      const path = pathOf(thrower.prepare({ ...balls[0]!, state, hand: undefined } as unknown as Throw));
      for (let time = path.begin; time <= RELEASE; time += 0.02) {
        expect(path.position(time, vec3.create()).every((value) => Number.isFinite(value))).toBe(true);
      }
    }
  });
});

describe("a ball in a hand", () => {
  const ball = throwsOf(5, {}, 1)[0]!;

  it("is in the world before its release, and in the air after it", () => {
    const world = new BallWorld(robot, robot.postures.get("ready")!);
    const flying = world.release(ball);
    const begin = flying.hand!.begin;
    expect(world.inHand(begin - 1e-6)).toEqual([]);
    expect(world.inHand(begin)).toEqual([flying]);
    expect(world.flying(RELEASE - 1e-6)).toEqual([]);
    expect(world.inHand(RELEASE)).toEqual([]);
    expect(world.flying(RELEASE)).toEqual([flying]);
    const clean = new BallWorld(robot, robot.postures.get("ready")!);
    const { hand: _, ...rest } = ball;
    const before = clean.release(rest);
    expect(before.lands).toBe(flying.lands);
    const place = (path: typeof before.path) => Array.from(path.position(RELEASE + 0.4, vec3.create()));
    expect(place(flying.path)).toEqual(place(before.path));
  });

  it("is the same in another process and in another thread", () => {
    const line = decodeRequest(encodeLine({ type: "throw", ball }));
    expect(line).toEqual({ type: "throw", ball });
    expect(throwOf(fromBytes(ThrowBall, toBytes(ThrowBall, throwMessage(ball))))).toEqual(ball);
    const stop = ball.hand!.stops[0]!;
    for (const change of [
      { stops: [] },
      { stops: undefined },
      { stops: [{ ...stop, position: [1, 2] }] },
      { stops: [{ ...stop, arrive: stop.leave + 1 }] },
      { stops: [null] },
      { radius: 0 },
      { swing: Number.NaN },
      { walk: "fast" },
      { grip: undefined },
    ]) {
      const sent = JSON.parse(encodeLine({ type: "throw", ball }));
      Object.assign(sent.ball.hand, change);
      expect(decodeRequest(JSON.stringify(sent))).toBeNull();
    }
  });

  it("is seen at the same place in a streamed world", () => {
    const world = new BallWorld(robot, robot.postures.get("ready")!);
    world.release(ball);
    const here = SimulatedWorld.without(world);
    const there = new StreamedScene();
    const from = RELEASE - 0.05;
    for (let k = 0; k <= 100; k++) there.add(here.snapshot(from + k * 1e-3));
    for (const time of [from + 0.0205, RELEASE - 0.0006, RELEASE + 0.0304]) {
      const [seen, streamed] = [here.ballsAt(time)[0]!, there.ballsAt(time)[0]!];
      expect(streamed.hand?.isHolding).toBe(seen.hand!.isHolding);
      expect(vec3.distance(streamed.position, seen.position)).toBeLessThan(3e-4);
      expect(vec3.distance(streamed.hand!.palm, seen.hand!.palm)).toBeLessThan(1e-2);
    }
  });

  it("has its hand below and behind it, which goes on after the release and comes to rest", () => {
    const path = pathOf(ball);
    const held = path.handAt(RELEASE - 0.3);
    expect(held.isHolding).toBe(true);
    expect(vec3.distance(held.palm, path.position(RELEASE - 0.3, vec3.create()))).toBeCloseTo(0.05, 9);
    expect(held.palm[2]).toBeLessThan(path.position(RELEASE - 0.3, vec3.create())[2]);
    const places = [0, 1e-4, 0.3, 0.5].map((after) => path.handAt(RELEASE + after).palm);
    expect(vec3.distance(places[0]!, places[1]!)).toBeCloseTo(1e-4 * vec3.norm(ball.state.velocity), 5);
    expect(vec3.distance(places[2]!, places[3]!)).toBe(0);
    expect(path.handAt(RELEASE).isHolding).toBe(false);
  });
});
