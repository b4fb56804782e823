import { HullBodies } from "../src/collision/hull-bodies.js";
import { HullDistance, MEMORY_SIZE } from "../src/collision/hull-distance.js";
import { MotionCheck } from "../src/collision/motion-check.js";
import { AnytimePairs } from "../src/collision/pairs/anytime-pairs.js";
import { SweptPairs } from "../src/collision/pairs/swept-pairs.js";
import { Random } from "../src/math/random.js";
import { JointRamps } from "../src/motion/joint-ramps.js";
import { RampStatus } from "../src/motion/ramp.js";
import { HullClearance } from "../src/planning/problem/hull-clearance.js";
import { KinematicChain } from "../src/robot/kinematics/chain.js";
import { forwardKinematics } from "../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../src/robot/loading/load-robot.js";
import { RobotState } from "../src/robot/state.js";
import { BrakingIntervals } from "../src/safety/braking/braking-intervals.js";
import { MonitorPhase } from "../src/safety/monitor/monitor-words.js";
import { SelfCollisionMonitor } from "../src/safety/monitor/self-collision-monitor.js";
import { type BenchContext, type BenchSuite, type Metrics, percentiles, timeMicroseconds } from "./harness.js";
import { measureGuarantees } from "./safety/guarantees.js";

const robot = loadRobot("agile-justin");
const ready = robot.postures.get("ready")!;
const arm = robot.model.groups.find(({ name }) => name === "rightArm")!;

/** Farthest a joint goes from `ready` [rad]: what catches of the design's throws take. */
const reach = 0.7;

export const suite: BenchSuite = {
  name: "safety",
  description:
    "self-collision of agile-justin: the monitor's check, hull distance, clearance, the check of a motion of 1 s",
  async run(context: BenchContext): Promise<Metrics> {
    const points = robot.hulls.reduce((sum, hull) => sum + hull.points.length / 3, 0);
    return {
      bodies: robot.hulls.length,
      points,
      pairs: robot.pairs.length,
      ...measureChecks(context),
      ...measureAnytime(context),
      ...measureMonitor(context),
      ...measureDistances(context),
      ...measureClearance(context),
      ...measureMotions(context),
      ...measureGuarantees(context),
    };
  },
};

/** The whole robot swinging about `ready`, every dof up to its speed limit, all at different phases. */
class FastMotion {
  readonly q = new Float64Array(robot.model.dofCount);
  readonly qd = new Float64Array(robot.model.dofCount);
  readonly qdd = new Float64Array(robot.model.dofCount);
  time = 0;

  /** Goes on by one tick; `share` of the speed limits is reached. */
  tick(share: number): void {
    this.time += 1e-3;
    for (let dof = 0; dof < this.q.length; dof++) {
      const rate = (share * robot.model.maxVelocity[dof]!) / SWING;
      const phase = rate * this.time + dof;
      this.q[dof] = ready[dof]! + SWING * Math.sin(phase);
      this.qd[dof] = SWING * rate * Math.cos(phase);
      this.qdd[dof] = -SWING * rate * rate * Math.sin(phase);
    }
  }
}

/** Farthest a dof swings from `ready` [rad or m]. */
const SWING = 0.5;
/** Ticks before measuring, so that the optimiser has settled. */
const WARMUP_TICKS = 3000;

type Check = (low: Float64Array, high: Float64Array) => void;

/** Equal checkers, timed one after the other along the same motion. */
const WITNESSES = 7;

/**
 * Times checks at each tick of a fast motion, after its braking intervals were computed; microseconds. `create` makes a
 * checker with a memory of its own: of `WITNESSES` that do the same, the least time at each tick counts, so that what the
 * machine does besides does not.
 */
function timeChecks(ticks: number, create: () => Check): Float64Array {
  const out = new Float64Array(ticks).fill(Number.POSITIVE_INFINITY);
  for (let witness = 0; witness < WITNESSES; witness++) timeCheck(create(), out);
  return out;
}

/** Lowers `out` to what one checker takes. */
function timeCheck(check: Check, out: Float64Array): void {
  const motion = new FastMotion();
  const braking = new BrakingIntervals(robot);
  const low = new Float64Array(braking.count);
  const high = new Float64Array(braking.count);
  for (let k = -WARMUP_TICKS; k < out.length; k++) {
    motion.tick(1);
    braking.compute(motion.q, motion.qd, motion.qdd, low, high);
    const start = performance.now();
    check(low, high);
    if (k >= 0) out[k] = Math.min(out[k]!, (performance.now() - start) * 1e3);
  }
}

/** The full check: a bound for every pair at every tick, and with every pair's swept hulls measured to the end. */
function measureChecks({ full, progress }: BenchContext): Metrics {
  progress("full check");
  let [refined, checks] = [0, 0];
  const times = timeChecks(full ? 50_000 : 5000, () => {
    const pairs = new SweptPairs(robot);
    return (low, high) => {
      pairs.update(low, high);
      refined += pairs.refined;
      checks++;
    };
  });
  const allTimes = timeChecks(full ? 10_000 : 1000, () => {
    const pairs = new SweptPairs(robot);
    return (low, high) => pairs.updateAll(low, high);
  });
  return {
    ...percentiles("full_check_us", times),
    full_check_refined_mean: refined / checks,
    ...percentiles("exhaustive_check_us", allTimes),
  };
}

/** Budget of the anytime check [s]. */
const ANYTIME_BUDGET = 200e-6;

function measureAnytime({ full, progress }: BenchContext): Metrics {
  progress("anytime check");
  let start = 0;
  const stopwatch = { elapsed: () => (performance.now() - start) * 1e-3 };
  let [waiting, checks] = [0, 0];
  const times = timeChecks(full ? 50_000 : 5000, () => {
    const pairs = new AnytimePairs(robot, { stopwatch, budget: ANYTIME_BUDGET });
    return (low, high) => {
      start = performance.now();
      pairs.update(low, high);
      waiting += pairs.waiting;
      checks++;
    };
  });
  return { ...percentiles("anytime_check_us", times), anytime_waiting_mean: waiting / checks };
}

/** A whole tick of the monitor, at 60 % of full speed: faster, the robot would be stopped for good. */
function measureMonitor({ full, progress }: BenchContext): Metrics {
  progress("monitor");
  const monitor = new SelfCollisionMonitor(robot, { margin: 0, trackingTolerance: 10, limitTolerance: 1 });
  const motion = new FastMotion();
  const state = { time: 0, q: motion.q, qd: motion.qd };
  const ticks = full ? 50_000 : 5000;
  const times = new Float64Array(ticks);
  let safe = 0;
  for (let k = -WARMUP_TICKS; k < ticks; k++) {
    motion.tick(0.6);
    state.time = motion.time;
    const start = performance.now();
    monitor.step(state, motion, motion.time);
    if (k >= 0) times[k] = (performance.now() - start) * 1e3;
    if (monitor.phase === MonitorPhase.safe) safe++;
  }
  return { ...percentiles("monitor_step_us", times), monitor_safe_ratio: safe / (ticks + WARMUP_TICKS) };
}

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
  const times = timeMicroseconds((i) => void check.isFree(motions[i % motions.length]!, ready), {
    samples: motions.length,
    warmup: motions.length,
  });
  let [free, samples] = [0, 0];
  for (const ramps of motions) {
    if (check.isFree(ramps, ready)) free++;
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
