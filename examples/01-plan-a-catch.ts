/**
 * Plans one catch: where, when and in which configuration a robot arm meets a flying ball.
 *
 * Run:    node dist/examples/01-plan-a-catch.js
 * Prints: the catch, the ramp of each joint, and why a ball behind the robot cannot be caught.
 */
import { type PlanRequest, planCatch } from "flycatcher";

const request: PlanRequest = {
  robot: "lwr-arm",
  // soft: least acceleration; latest, cool and sure are the others.
  mode: "soft",
  ball: { state: { time: 0, position: [3.2, 0.1, 1.9], velocity: [-4.6, 0, 2.6] } },
};

const answer = planCatch(request);
if (answer.catch === undefined || answer.ramps === undefined) throw new Error("this ball can be caught");
const { time, handPosition } = answer.catch;
console.log(
  `The hand meets the ball after ${time.toFixed(3)} s at ${handPosition.map((x) => x.toFixed(2)).join(", ")} m.`,
);

// A ramp accelerates until t1, keeps its speed until t2, and brakes until T; q0 and q are its ends [rad].
for (const { joint, q0, q, a, t1, t2, T } of answer.ramps) {
  const times = [t1, t2, T].map((t) => t.toFixed(3)).join(", ");
  console.log(`${joint}: ${q0.toFixed(3)} → ${q.toFixed(3)} rad with ${a.toFixed(1)} rad/s², times ${times} s`);
}

// A ball that cannot be caught is a normal answer: it has reasons instead of a catch.
const gone = planCatch({ ...request, ball: { state: { time: 0, position: [-2, 0, 1], velocity: [-4, 0, 2] } } });
for (const { kind, sentence } of gone.reasons ?? []) console.log(`No catch (${kind}): ${sentence}`);
