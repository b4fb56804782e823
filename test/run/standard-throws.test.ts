import { describe, expect, it } from "vitest";
import type { Circles, Image, Points } from "../../src/messages/sensing.js";
import type { TrueFlight, TrueWorld } from "../../src/messages/world.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { type LockStepOptions, lockStepRun } from "../../src/run/lock-step-host.js";
import type { ThrowerSettings } from "../../src/simulation/world/thrower.js";
import { type InPort, takeEach } from "../../src/transport/port.js";

const standard: ThrowerSettings = { kind: "standard", fakes: 0.3, handOvers: 0.3 };
const clean: ThrowerSettings = { kind: "clean", fakes: 0, handOvers: 0 };

function taken<M extends object>(port: InPort<M>, nowNs: number): M[] {
  const messages: M[] = [];
  takeEach(port, nowNs, (message) => messages.push(message));
  return messages;
}

type Kinds = Pick<LockStepOptions, "perception" | "thrower" | "seed">;

/** A throw at a robot without forces: results, what sensors saw, and when the ball was released [s]. */
async function play(name: string, kinds: Kinds, sensors: readonly string[]) {
  const worlds: TrueWorld[] = [];
  const drain = { look: (_: number): void => undefined };
  const onTick = (nowNs: number): void => drain.look(nowNs);
  const run = await lockStepRun({ robot: loadRobot(name), world: "kinematic", settlingNs: 0, onTick, ...kinds });
  try {
    const flights = run.tap<TrueFlight>("robot.flights");
    const ports = sensors.map((sensor) => run.tap<Points | Circles | Image>(sensor));
    const world = run.tap<TrueWorld>("robot.world");
    drain.look = (nowNs) => void worlds.push(...taken(world, nowNs));
    const results = await run.throwBalls([0], "balls are over");
    return {
      results,
      falseAlarms: run.falseAlarms,
      released: taken(flights, run.nowNs)[0]!.pieces[0]!.time,
      seen: ports.flatMap((port) => taken(port, run.nowNs)),
      worlds,
    };
  } finally {
    await run.close();
  }
}

describe("standard throws in lock-step", () => {
  it("catches by the truth exactly what clean throws would be", async () => {
    const [before, after] = await Promise.all(
      [clean, standard].map((thrower) => play("lwr-arm", { perception: "truth", thrower, seed: 1 }, [])),
    );
    expect(after!.results[0]!.outcome).toBe("caught");
    expect(after!.results[0]!.catchTime).toBeCloseTo(before!.results[0]!.catchTime!, 2);
    expect(after!.falseAlarms).toEqual([]);
    expect(after!.released).toBeGreaterThan(before!.released + 0.6);
  });

  it("are the same bits every time, seen as points from the hand on", async () => {
    const kinds: Kinds = { perception: "points", thrower: standard, seed: 1 };
    const [first, second] = [await play("lwr-arm", kinds, ["points.points"]), await play("lwr-arm", kinds, [])];
    expect(second.results).toEqual(first.results);
    const before = (first.seen as Points[]).filter(({ exposureNs }) => exposureNs / 1e9 < first.released);
    expect(before.filter(({ position }) => position.length === 3).length).toBeGreaterThan(15);
  });

  it("are in the true world before the release, held, without a break", async () => {
    const { worlds, released } = await play("lwr-arm", { perception: "truth", thrower: standard, seed: 1 }, []);
    const withBall = worlds.filter(({ balls }) => balls.length > 0);
    const held = withBall.filter(({ balls }) => balls[0]!.hand?.isHolding === true);
    expect(held.length).toBeGreaterThan(600);
    expect(held.at(-1)!.time).toBeCloseTo(released - 1e-3, 6);
    let longest = 0;
    for (const [k, { balls }] of withBall.entries()) {
      const before = withBall[k - 1]?.balls[0]?.position ?? balls[0]!.position;
      const step = Math.hypot(...Array.from(balls[0]!.position, (value, axis) => value - before[axis]!));
      longest = Math.max(longest, step);
    }
    // At most 12 m/s.
    expect(longest).toBeLessThan(0.012);
  });

  it("are seen as circles from the hand on, noisier there", async () => {
    const ports = ["camera-left.circles", "camera-right.circles"];
    const kinds: Kinds = { perception: "circles", thrower: standard, seed: 1 };
    const { seen, released } = await play("agile-justin", kinds, ports);
    const noisy = (seen as Circles[]).filter(({ covariance }) => covariance.some((value) => value > 0.1));
    expect(noisy.length).toBeGreaterThan(20);
    expect(noisy.every(({ exposureNs }) => exposureNs / 1e9 < released)).toBe(true);
  });
});
