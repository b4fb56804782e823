import { describe, expect, it } from "vitest";
import { type FollowedJoint, identifyCommandDelay } from "../../../src/calibration/signal/command-delay.js";
import { Random } from "../../../src/math/random.js";
import { UrArm } from "../../../src/simulation/controllers/ur/ur-arm.js";
import { deep } from "../../support/deep.js";

const TICK = 0.001;
const DURATION = 2.4;

/** Out, wait and back, with a sine's square as speed: nothing of our ramps. */
function commandAt(time: number, distance: number): number {
  const swing = (t: number) => {
    const u = Math.min(1, Math.max(0, t / 0.8));
    return u - Math.sin(2 * Math.PI * u) / (2 * Math.PI);
  };
  return distance * (swing(time - 0.3) - swing(time - 1.4));
}

interface Lag {
  readonly delay: number;
  readonly noise: number;
  readonly offset?: number;
  /** Share of states and commands that are lost. */
  readonly lost?: number;
}

function joint(distance: number, { delay, noise, offset = 0, lost = 0 }: Lag, random: Random): FollowedJoint {
  const commandTimes: number[] = [];
  const times: number[] = [];
  for (let time = 0; time < DURATION; time += TICK) {
    if (random.uniform() >= lost) commandTimes.push(time);
    // States have a clock of their own.
    if (random.uniform() >= lost + 0.5) times.push(time + 0.000_37);
  }
  return {
    commandTimes: Float64Array.from(commandTimes),
    commands: Float64Array.from(commandTimes, (time) => commandAt(time, distance)),
    times: Float64Array.from(times),
    positions: Float64Array.from(times, (time) => offset + commandAt(time - delay, distance) + noise * random.normal()),
  };
}

describe("the identification of a command delay", () => {
  it("finds a known delay within its own standard deviations, whatever noise, offset and losses are", () => {
    const random = new Random("delays");
    let squares = 0;
    const trials = deep(40, 400);
    for (let k = 0; k < trials; k++) {
      const delay = random.uniformIn(0, 0.15);
      const lag = { delay, noise: random.uniformIn(0.5e-4, 3e-4), offset: random.uniformIn(-0.1, 0.1), lost: 0.05 };
      const fit = identifyCommandDelay([joint(0.042, lag, random), joint(-0.03, lag, random)])!;
      expect(Math.abs(fit.delay - delay)).toBeLessThan(0.001);
      squares += ((fit.delay - delay) / fit.deviation) ** 2;
    }
    // Normalised errors have a variance of one.
    expect(squares / trials).toBeGreaterThan(0.6);
    expect(squares / trials).toBeLessThan(1.6);
  });

  it("finds the lag of a controller that follows through a filter", () => {
    const limits = new Float64Array(6).fill(3);
    const arm = new UrArm({ start: new Float64Array(6), maxVelocity: limits, timestep: TICK });
    arm.lookahead = 0.03;
    const commandTimes: number[] = [];
    const commands: number[] = [];
    const positions: number[] = [];
    for (let time = 0; time < DURATION; time += TICK) {
      const goal = commandAt(time, 0.04);
      arm.servo(new Float64Array(6).fill(goal));
      arm.advance();
      commandTimes.push(time);
      commands.push(goal);
      positions.push(arm.q[0]!);
    }
    const [times, measured] = [Float64Array.from(commandTimes), Float64Array.from(positions)];
    const fit = identifyCommandDelay([
      { commandTimes: times, commands: Float64Array.from(commands), times, positions: measured },
    ])!;
    // Four milliseconds of delay and the look-ahead of thirty.
    expect(fit.delay).toBeGreaterThan(0.032);
    expect(fit.delay).toBeLessThan(0.036);
  });

  it("finds nothing where nothing moved, where too little was measured, or the delay is beyond the search", () => {
    const random = new Random("nothing");
    const still = joint(0, { delay: 0.03, noise: 1e-4 }, random);
    expect(identifyCommandDelay([still])).toBeNull();
    const moved = joint(0.04, { delay: 0.03, noise: 1e-4 }, random);
    const few = { ...moved, times: moved.times.slice(0, 30), positions: moved.positions.slice(0, 30) };
    expect(identifyCommandDelay([few])).toBeNull();
    expect(identifyCommandDelay([joint(0.04, { delay: 0.09, noise: 1e-4 }, random)], 0.05)).toBeNull();
    expect(identifyCommandDelay([])).toBeNull();
  });
});
