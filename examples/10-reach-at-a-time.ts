/**
 * Reaches places at given times, around an obstacle, and replaces a motion that is running.
 *
 * Run:    node dist/examples/10-reach-at-a-time.js
 * Prints: when each motion arrives, what found it, and that the second goes on where the first is replaced.
 */
import { MotionPlanner, type MotionRequest, MotionState, parseMotion } from "flycatcher";

// Without a clock the same request gives the same bits.
const planner = new MotionPlanner({ clock: null });
const request: MotionRequest = {
  robot: "panda",
  start: { position: { arm1: -0.7, arm2: 0.6, arm4: -1.9 } },
  goal: { joints: { arm1: 0.7, arm2: 0.6, arm4: -1.9 } },
  obstacles: [{ name: "post", type: "box", origin: { xyz: [0.55, 0, 0.5] }, size: [0.08, 0.08, 1] }],
};

const around = planner.plan(request);
if (around.motion === undefined) throw new Error("there is a way around the post");
console.log(`Around the post by ${around.statistics.planner}: ${around.status}.`);

// Arrive after exactly three seconds; a motion that cannot says by how much it is late.
const timed = planner.plan({ ...request, when: { at: 3 } });
console.log(`At a time: ${timed.status} after ${timed.arrival?.toFixed(3)} s.`);
const hurried = planner.plan({ ...request, when: { at: 0.2 } });
console.log(`Too soon: ${hurried.status}, and it says by how much: ${(hurried.late ?? 0) > 0}.`);

// After 0.4 s the robot is sent back: the new motion begins in the state that the running one has then.
const at = 0.4;
const back = planner.plan({
  robot: "panda",
  running: { motion: around.motion, at },
  goal: { joints: { arm1: -0.7, arm2: 0.6, arm4: -1.9 } },
  obstacles: request.obstacles!,
});
if (back.motion === undefined) throw new Error("there is a way back");
const [before, after] = [around.motion, back.motion].map((motion, k) => {
  const state = new MotionState(motion.joints.length);
  parseMotion(motion).motion.evaluate(k === 0 ? at : 0, state);
  return state;
});
const step = Math.max(...before!.velocity.map((speed, i) => Math.abs(speed - after!.velocity[i]!)));
console.log(`Replaced from ${back.from} s on, with a step in velocity below 1e-6: ${step < 1e-6}.`);
