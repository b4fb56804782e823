import { describe, expect, it } from "vitest";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { FrameFates } from "../../src/simulation/frame-fates.js";
import {
  challengeMemory,
  challengeNames,
  fullChallenges,
  noChallenges,
  setChallenges,
  sharedChallenges,
} from "../../src/simulation/head-motion/challenges.js";
import { decodeRequest, encodeLine } from "../../src/simulation/robot-sim/world-protocol.js";

const robot = loadRobot("agile-justin");

describe("challenges of a run in real time", () => {
  it("are seen by every thread as they are changed", () => {
    const memory = challengeMemory(fullChallenges);
    const theirs = sharedChallenges(memory);
    for (const name of challengeNames) expect(theirs[name]).toBe(fullChallenges[name]);
    setChallenges(memory, { imuNoise: 2.5, slip: 0 });
    expect([theirs.imuNoise, theirs.slip, theirs.vibration]).toEqual([2.5, 0, 1]);
  });

  it("come across to the simulated robot, and nothing else does", () => {
    const request = { type: "challenges", challenges: { vibration: 2, slip: 0 } } as const;
    expect(decodeRequest(encodeLine(request).trim())).toEqual(request);
    for (const challenges of ["{}3", "null", '{"wind":1}', '{"slip":-1}', '{"slip":"1"}', '{"slip":null}']) {
      expect(decodeRequest(`{"type":"challenges","challenges":${challenges}}`)).toBeNull();
    }
    expect(decodeRequest('{"type":"challenges"}')).toBeNull();
  });

  it("lose as many frames as they say, the same ones for both cameras, and delay the others", () => {
    const frames = Array.from({ length: 20_000 }, (_, k) => k);
    const challenges = { ...noChallenges, latencyJitter: 3 };
    const [left, right] = [new FrameFates(robot, challenges, 7), new FrameFates(robot, challenges, 7)];
    const { droppedFrames, imageLatencyJitter } = robot.sidecar.simulation!.noise!;
    const fates = frames.map(() => left.next());
    const lost = fates.filter(({ isLost }) => isLost).length;
    const expected = 3 * droppedFrames! * frames.length;
    // Binomial: four standard deviations.
    expect(Math.abs(lost - expected)).toBeLessThan(4 * Math.sqrt(expected));
    expect(frames.map(() => right.next())).toEqual(fates);
    const rms = Math.sqrt(fates.reduce((sum, { delayNs }) => sum + (delayNs / 1e9) ** 2, 0) / frames.length);
    expect(rms / (3 * imageLatencyJitter!)).toBeCloseTo(1, 1);
    expect(Math.min(...fates.map(({ delayNs }) => delayNs))).toBeGreaterThanOrEqual(0);
    challenges.latencyJitter = 0;
    expect(frames.some(() => left.next().isLost || right.next().delayNs > 0)).toBe(false);
  });
});
