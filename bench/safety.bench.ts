import { Random } from "../src/math/random.js";
import { JointRamps } from "../src/motion/joint-ramps.js";
import { RampStatus } from "../src/motion/ramp.js";
import { HullClearance } from "../src/planning/problem/hull-clearance.js";
import { KinematicChain } from "../src/robot/kinematics/chain.js";
import { forwardKinematics } from "../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../src/robot/loading/load-robot.js";
import { RobotState } from "../src/robot/state.js";
import { HullBodies } from "../src/safety/hull-bodies.js";
import { HullDistance, MEMORY_SIZE } from "../src/safety/hull-distance.js";
import { MotionCheck, MotionStatus } from "../src/safety/motion-check.js";
import { type BenchContext, type BenchSuite, type Metrics, percentiles, timeMicroseconds } from "./harness.js";

const robot = loadRobot("agile-justin");
const ready = robot.postures.get("ready")!;
const arm = robot.model.groups.find(({ name }) => name === "rightArm")!;

/** Farthest a joint goes from `ready` [rad]: what catches of the design's throws take. */
const reach = 0.7;

export const suite: BenchSuite = {
  name: "safety",
  description: "self-collision of agile-justin: hull distance, the right arm's clearance, the check of a motion of 1 s",
  async run(context: BenchContext): Promise<Metrics> {
    const points = robot.hulls.reduce((sum, hull) => sum + hull.points.length / 3, 0);
    return {
      bodies: robot.hulls.length,
      points,
      pairs: robot.pairs.length,
      ...measureDistances(context),
      ...measureClearance(context),
      ...measureMotions(context),
    };
  },
};

/** All checked pairs, from scratch and with what the pair remembers of a moment ago; nanoseconds a pair. */
function measureDistances({ seed, full, progress }: BenchContext): Metrics {
  progress("hull distance");
  const random = new Random(seed);
  const state = new RobotState(robot.model);
  const bodies = new HullBodies(robot.hulls);
  const hulls = new HullDistance();
  const { pairs } = robot;
  const memory = new Int32Array(MEMORY_SIZE * pairs.length);
  const measureAll = (): void => {
    for (let k = 0; k < pairs.length; k++) {
      const [a, b] = pairs[k]!;
      const [first, second] = [bodies.points[a]!, bodies.points[b]!];
      hulls.measure(first, bodies.pointCount[a]!, second, bodies.pointCount[b]!, memory, MEMORY_SIZE * k);
    }
  };
  const samples = full ? 20_000 : 2000;
  const time = (prepare: () => void): Float64Array => {
    const out = new Float64Array(samples);
    for (let i = -samples / 10; i < samples; i++) {
      prepare();
      forwardKinematics(state);
      bodies.placeAll(state.linkPoses);
      const start = performance.now();
      measureAll();
      if (i >= 0) out[i] = ((performance.now() - start) * 1e6) / pairs.length;
    }
    return out;
  };
  const cold = time(() => {
    memory.fill(0);
    for (const dof of state.q.keys()) state.q[dof] = ready[dof]! + random.uniformIn(-reach, reach);
  });
  let moment = 0;
  const warm = time(() => {
    moment += 0.001;
    for (const dof of state.q.keys()) state.q[dof] = ready[dof]! + reach * Math.sin(2 * moment + dof);
  });
  return { ...percentiles("gjk_ns", warm), ...percentiles("gjk_cold_ns", cold) };
}

function measureClearance({ seed, full, progress }: BenchContext): Metrics {
  progress("arm clearance");
  const random = new Random(seed);
  const chain = new KinematicChain(robot.model, arm.baseLink, arm.tipLink, arm.dofs);
  const clearance = new HullClearance(robot, chain, ready);
  const n = chain.dofCount + 1;
  const values = new Float64Array(clearance.count);
  const jacobian = new Float64Array(clearance.count * n);
  const configurations = Array.from({ length: 1000 }, () =>
    Float64Array.from(arm.dofs, (dof) => ready[dof]! + random.uniformIn(-reach, reach)),
  );
  const options = { samples: full ? 20_000 : 2000, batch: 50 };
  const evaluate = timeMicroseconds((i) => {
    chain.update(configurations[i % configurations.length]!);
    clearance.evaluate(chain, values, 0);
  }, options);
  const derive = timeMicroseconds((i) => {
    chain.update(configurations[i % configurations.length]!);
    clearance.evaluateWithJacobian(chain, values, jacobian, 0, n);
  }, options);
  return {
    clearance_pairs: clearance.pairCount,
    ...percentiles("clearance_us", evaluate),
    ...percentiles("clearance_jacobian_us", derive),
  };
}

function measureMotions({ seed, full, progress }: BenchContext): Metrics {
  progress("motion check");
  const random = new Random(seed);
  const check = new MotionCheck(robot, arm.dofs);
  const motions = Array.from({ length: full ? 2000 : 500 }, () => randomMotion(random));
  const times = timeMicroseconds((i) => void check.check(motions[i % motions.length]!, ready), {
    samples: motions.length,
    warmup: motions.length,
  });
  let [free, samples] = [0, 0];
  for (const ramps of motions) {
    if (check.check(ramps, ready) === MotionStatus.free) free++;
    samples += check.samples;
  }
  return {
    ...percentiles("motion_check_us", times),
    motion_check_samples_mean: samples / motions.length,
    motion_free_ratio: free / motions.length,
  };
}

/** A motion of the right arm of one second, half of the time already moving. */
function randomMotion(random: Random): JointRamps {
  const { maxVelocity, maxAcceleration } = robot.model;
  const wmax = Float64Array.from(arm.dofs, (dof) => maxVelocity[dof]!);
  const amax = Float64Array.from(arm.dofs, (dof) => maxAcceleration[dof]!);
  const q0 = Float64Array.from(arm.dofs, (dof) => ready[dof]!);
  const ramps = new JointRamps(arm.dofs.length);
  for (;;) {
    const moves = random.uniform() < 0.5;
    const w0 = wmax.map((speed) => (moves ? 0.3 * random.uniformIn(-speed, speed) : 0));
    const q = q0.map((start) => start + random.uniformIn(-reach, reach));
    if (ramps.plan(q0, w0, q, 1, wmax, amax) === RampStatus.ok) return ramps;
  }
}
