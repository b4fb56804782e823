import { describe, expect, it } from "vitest";
import { ImageWay } from "../../../src/catching/live/image-way.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { challengeNames, fullChallenges, noChallenges } from "../../../src/simulation/head-motion/challenges.js";
import { SharedChallenges } from "../../../src/simulation/head-motion/shared-challenges.js";
import { decodeRequest, encodeLine } from "../../../src/simulation/robot-sim/world-protocol.js";

const robot = loadRobot("agile-justin");

describe("challenges of a run in real time", () => {
  it("are seen by every thread as they are changed", () => {
    const memory = SharedChallenges.memory(fullChallenges);
    const [ours, theirs] = [new SharedChallenges(memory), new SharedChallenges(memory)];
    for (const name of challengeNames) expect(theirs[name]).toBe(1);
    ours.set({ imuNoise: 2.5, slip: 0 });
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
    const [left, right] = [new ImageWay(robot, challenges, 7), new ImageWay(robot, challenges, 7)];
    const { droppedFrames, imageLatencyJitter } = robot.sidecar.simulation!.noise!;
    const lost = frames.filter((frame) => left.isLost(frame));
    const expected = 3 * droppedFrames! * frames.length;
    // Binomial: four standard deviations.
    expect(Math.abs(lost.length - expected)).toBeLessThan(4 * Math.sqrt(expected));
    expect(frames.filter((frame) => right.isLost(frame))).toEqual(lost);
    const delays = frames.map((frame) => left.delay(frame));
    const rms = Math.sqrt(delays.reduce((sum, delay) => sum + delay * delay, 0) / frames.length);
    expect(rms / (3 * imageLatencyJitter!)).toBeCloseTo(1, 1);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    challenges.latencyJitter = 0;
    expect(frames.some((frame) => left.isLost(frame) || left.delay(frame) > 0)).toBe(false);
  });
});
