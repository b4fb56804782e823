import { describe, expect, it } from "vitest";
import type { Attempt } from "../../src/messages/report.js";
import type { BallFate, Grasp } from "../../src/messages/world.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { falseAlarmEvent, ThrowRecord } from "../../src/run/throw-record.js";
import { Thrower } from "../../src/simulation/world/thrower.js";
import { ThrowGenerator, throwSpaceOf } from "../../src/simulation/world/throws.js";
import { Queue } from "../../src/transport/queue.js";

/** An attempt that found no catch, unless it has begun to move. */
function attempt(number: number, firstSeen: number, begun: number | null): Attempt {
  const counts = { searches: 1, taken: 0, unsolved: 0, refused: 0 };
  const plan = { hasPlan: begun !== null, isCatch: begun !== null, isDropped: false, tCatch: null };
  const words = { reason: "too fast", lastRefusal: null, firstObjective: null, objective: null };
  return { number, arm: "arm", track: 1, firstSeen, begun, ...counts, ...plan, ...words } as unknown as Attempt;
}

function recordOf(...attempts: readonly Attempt[]): ThrowRecord {
  const queue = new Queue<Attempt>(0, "every");
  const none = { grasps: new Queue<Grasp>(0, "every"), fates: new Queue<BallFate>(0, "every") };
  const record = new ThrowRecord({ ...none, attempts: queue });
  for (const message of attempts) queue.put(message, 0);
  record.take(1);
  return record;
}

describe("the record of throws that begin in a hand", () => {
  const generator = new ThrowGenerator(throwSpaceOf(loadRobot("lwr-arm")), 1);
  const clean = generator.make(0, 5);
  const held = new Thrower({ kind: "standard", fakes: 0, handOvers: 0, swing: [0.3, 0.3] }, 1).prepare(clean);

  it("has motions that began before the release, and no others, as false alarms", () => {
    const record = recordOf(attempt(1, 2, 2.5), attempt(2, 4, 4.6), attempt(3, 5.1, 5.2), attempt(4, 4.9, null));
    const alarms = record.motionsBetween(3, 5);
    expect(alarms).toEqual([{ arm: "arm", time: 4.6, before: expect.closeTo(0.4, 9) }]);
    expect(falseAlarmEvent(alarms[0]!).text).toBe("arm began to move 0.40 s before the ball was released");
  });

  it("counts reactions from the release, and knows a ball that was taken for flying in the swing", () => {
    expect(recordOf(attempt(1, 4.8, null)).result(held)).toMatchObject({ outcome: "no-plan", reason: "too fast" });
    expect(recordOf(attempt(1, 4.8, null)).result(clean)).toMatchObject({ outcome: "no-plan", reason: "never seen" });
    expect(recordOf(attempt(1, 4.2, null)).result(held)).toMatchObject({ outcome: "no-plan", reason: "never seen" });
  });
});
