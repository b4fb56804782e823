import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { resolvePairs } from "../../../src/robot/loading/resolve-collision.js";
import type { Robot } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { BrakeReason, MonitorAction, MonitorPhase } from "../../../src/safety/monitor/monitor-words.js";
import { SelfCollisionMonitor } from "../../../src/safety/monitor/self-collision-monitor.js";
import { TrueDistances } from "../../collision/true-distance.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { MonitoredRobot, type Motion, rampsTo, TICK } from "./monitored-robot.js";

const justin = loadRobot("agile-justin");
const arm = withAllPairs(loadRobot("lwr-arm"));
const ready = (robot: typeof arm): Float64Array => robot.postures.get("ready")!;
const armDofs = arm.model.groups.find(({ name }) => name === "arm")!.dofs;

/** The robot with all pairs checked that more than one joint parts, also those that never come near. */
function withAllPairs(robot: Robot): Robot {
  const { collision: _, ...sidecar } = robot.sidecar;
  return { ...robot, pairs: resolvePairs(sidecar, robot.hulls, robot.model, robot.rigidBody) };
}

describe("commands", () => {
  it("pass untouched while the robot keeps clear", () => {
    const guarded = new MonitoredRobot(arm, ready(arm));
    const target = ready(arm).slice();
    target[armDofs[0]!] = target[armDofs[0]!]! + 0.5;
    const ramps = rampsTo(arm, armDofs, ready(arm), target);
    guarded.follow(ramps, armDofs, () => {
      expect(guarded.monitor.action).toBe(MonitorAction.pass);
      expect(guarded.monitor.command.q).toEqual(guarded.command.q);
      expect(guarded.monitor.command.qdd).toEqual(guarded.command.qdd);
      return true;
    });
    expect(guarded.monitor.phase).toBe(MonitorPhase.safe);
    expect(guarded.monitor.brakes).toBe(0);
    expect(guarded.monitor.distance).toBeGreaterThan(guarded.monitor.margin);
  });

  it(
    "that would make the robot hit itself end in a stop clear of it",
    () => {
      const random = new Random("hits");
      const dofs = justin.model.groups.filter(({ name }) => name.endsWith("Arm")).flatMap((group) => group.dofs);
      const truth = new TrueDistances(justin);
      const state = new RobotState(justin.model);
      const isClear = (q: Float64Array, margin: number): boolean => {
        state.q.set(q);
        forwardKinematics(state);
        truth.place(state);
        return justin.pairs.every(([a, b]) => !truth.areWithin(a, b, margin));
      };
      let stops = 0;
      for (let round = 0; round < deep(12, 300); round++) {
        const target = ready(justin).slice();
        for (const dof of dofs) target[dof] = random.uniformIn(justin.model.lower[dof]!, justin.model.upper[dof]!);
        const guarded = new MonitoredRobot(justin, ready(justin));
        const { monitor } = guarded;
        guarded.follow(
          rampsTo(justin, dofs, ready(justin), target),
          dofs,
          () => monitor.phase !== MonitorPhase.stopped,
        );
        // Wherever it came to: every stop, and every end, is clear by the margin.
        expect(isClear(guarded.state.q, monitor.margin)).toBe(true);
        if (monitor.brakes === 0) continue;
        stops++;
        expect(monitor.reason).toBe(BrakeReason.predictedTouch);
        expect(monitor.pair).toBeGreaterThanOrEqual(0);
        expect(justin.pairs[monitor.pair]).toEqual([monitor.bodyA, monitor.bodyB]);
        expect([...monitor.nearestA, ...monitor.nearestB].every(Number.isFinite)).toBe(true);
        expect(monitor.brakeTime).toBeGreaterThan(0);
        expect(guarded.now).toBeGreaterThan(monitor.standstillTime - 3 * TICK);
        expect(guarded.state.qd.every((speed) => speed === 0)).toBe(true);
      }
      expect(stops).toBeGreaterThan(deep(2, 60));
    },
    deep(60_000, 900_000),
  );

  describe("of a robot that follows them late", () => {
    const late = { ...arm, commandDelay: arm.model.maxVelocity.map((_, dof) => (armDofs.includes(dof) ? 0.034 : 0)) };

    it("pass at full speed if the delay is known, and brake if it is not", () => {
      const target = ready(arm).slice();
      target[armDofs[0]!] = target[armDofs[0]!]! - 1.5;
      const ramps = rampsTo(arm, armDofs, ready(arm), target);
      const reasons = [late, { ...arm, commandDelay: late.commandDelay.map(() => 0) }].map((known) => {
        const guarded = new MonitoredRobot(late, ready(arm), { trackingTolerance: 0.02 });
        const monitor = new SelfCollisionMonitor(known, { trackingTolerance: 0.02 });
        guarded.follow(ramps, armDofs, () => {
          monitor.step(guarded.state, guarded.command, guarded.now);
          return monitor.phase === MonitorPhase.safe;
        });
        return monitor.reason;
      });
      expect(reasons).toEqual([BrakeReason.none, BrakeReason.notFollowing]);
    });

    it("end in a stop clear of itself, where they would make it hit itself", () => {
      const random = new Random("late hits");
      const robot = loadRobot("ur10e-net");
      const { dofs } = robot.model.groups[0]!;
      const truth = new TrueDistances(robot);
      const state = new RobotState(robot.model);
      let stops = 0;
      for (let round = 0; round < deep(20, 300); round++) {
        const target = ready(robot).slice();
        for (const dof of dofs) target[dof] = random.uniformIn(-Math.PI, Math.PI);
        const guarded = new MonitoredRobot(robot, ready(robot));
        const { monitor } = guarded;
        let ticks = 0;
        guarded.follow(rampsTo(robot, dofs, ready(robot), target), dofs, () => {
          if (ticks++ % 20 === 0) {
            state.q.set(guarded.state.q);
            forwardKinematics(state);
            truth.place(state);
            expect(robot.pairs.some(([a, b]) => truth.areWithin(a, b, monitor.margin))).toBe(false);
          }
          return guarded.now <= monitor.standstillTime || monitor.phase !== MonitorPhase.stopped;
        });
        if (monitor.brakes === 0) continue;
        stops++;
        expect(monitor.reason).toBe(BrakeReason.predictedTouch);
        expect(guarded.state.qd.every((speed) => speed === 0)).toBe(true);
      }
      expect(stops).toBeGreaterThan(deep(2, 40));
    });
  });

  it("pass in the same way within a time budget, even if it is over after four measurements a tick", () => {
    const target = ready(justin).slice();
    const { dofs } = justin.model.groups.find(({ name }) => name === "rightArm")!;
    for (const dof of dofs) target[dof] = target[dof]! + 0.2;
    const ramps = rampsTo(justin, dofs, ready(justin), target);
    const brakes = (elapsed: number): number => {
      const anytime = { stopwatch: { elapsed: () => elapsed }, budget: 200e-6 };
      const guarded = new MonitoredRobot(justin, ready(justin), { anytime });
      guarded.follow(ramps, dofs, () => true);
      return guarded.monitor.brakes;
    };
    expect(brakes(0)).toBe(0);
    expect(brakes(1)).toBe(0);
  });

  it("that understate their speed are judged by how far they go", () => {
    const brakeDistance = (claim: number): number => {
      // Towards the arm's own base: bending the elbow at full speed.
      const guarded = new MonitoredRobot(arm, ready(arm));
      const dof = armDofs[3]!;
      const speed = arm.model.maxVelocity[dof]! * (ready(arm)[dof]! > 0 ? 1 : -1);
      for (let k = 0; k < 3000 && guarded.monitor.phase === MonitorPhase.safe; k++) {
        guarded.command.q[dof] = guarded.state.q[dof]! + speed * TICK;
        guarded.command.qd[dof] = claim * speed;
        guarded.tick();
        guarded.state.qd[dof] = 0;
      }
      expect(guarded.monitor.phase).not.toBe(MonitorPhase.safe);
      return guarded.state.q[dof]!;
    };
    expect(brakeDistance(0)).toBeCloseTo(brakeDistance(1), 2);
  });
});

describe("the monitor brakes for", () => {
  const cases: [string, BrakeReason, (guarded: MonitoredRobot) => void][] = [
    [
      "a position that is not a number",
      BrakeReason.invalidState,
      ({ state }) => {
        state.q[2] = Number.NaN;
      },
    ],
    [
      "a velocity that is infinite",
      BrakeReason.invalidState,
      ({ state }) => {
        state.qd[1] = Number.POSITIVE_INFINITY;
      },
    ],
    [
      "an absurd position",
      BrakeReason.invalidState,
      ({ state }) => {
        state.q[0] = 1e300;
      },
    ],
    [
      "a joint beyond its limit",
      BrakeReason.outsideLimits,
      ({ state }) => {
        state.q[armDofs[1]!] = 2.5;
      },
    ],
    [
      "a robot that is elsewhere",
      BrakeReason.notFollowing,
      ({ state }) => {
        state.q[armDofs[0]!] = 0.9;
      },
    ],
    [
      "a command that is not a number",
      BrakeReason.invalidCommand,
      ({ command }) => {
        command.q[3] = Number.NaN;
      },
    ],
    [
      "an acceleration that is not",
      BrakeReason.invalidCommand,
      ({ command }) => {
        command.qdd[0] = Number.NaN;
      },
    ],
    [
      "a state of another size",
      BrakeReason.sizeMismatch,
      ({ state }) => {
        state.q = new Float64Array(3);
      },
    ],
    [
      "a command of another size",
      BrakeReason.sizeMismatch,
      ({ command }) => {
        command.qd = new Float64Array(99);
      },
    ],
    [
      "a command that jumps",
      BrakeReason.unattainableCommand,
      ({ command }) => {
        command.q[armDofs[3]!] = 1.9;
      },
    ],
  ];

  it.each(cases)("%s", (_, reason, spoil) => {
    const guarded = new MonitoredRobot(arm, ready(arm));
    expect(guarded.tick()).toBe(MonitorAction.pass);
    spoil(guarded);
    expect(guarded.tick()).toBe(MonitorAction.brake);
    expect(guarded.monitor.reason).toBe(reason);
    expect(guarded.monitor.command.q).toEqual(ready(arm));
    expect(guarded.monitor.phase).toBe(MonitorPhase.stopped);
  });

  it.each([
    ["old", -0.006],
    ["of the future", 0.006],
    ["of no time", Number.NaN],
  ])("a state that is %s", (_, offset) => {
    const { monitor, state, command } = new MonitoredRobot(arm, ready(arm));
    monitor.step(state, command, 0);
    expect(monitor.action).toBe(MonitorAction.pass);
    state.time = 1 + offset;
    monitor.step(state, command, 1);
    expect([monitor.action, monitor.reason]).toEqual([MonitorAction.brake, BrakeReason.staleState]);
  });

  it("a time that is not a number", () => {
    const { monitor, state, command } = new MonitoredRobot(arm, ready(arm));
    monitor.step(state, command, Number.NaN);
    expect([monitor.action, monitor.reason]).toEqual([MonitorAction.withhold, BrakeReason.staleState]);
  });

  it("nothing it could hold on to, by sending nothing at all", () => {
    const guarded = new MonitoredRobot(arm, ready(arm));
    guarded.state.q[0] = Number.NaN;
    expect(guarded.tick()).toBe(MonitorAction.withhold);
    expect(guarded.monitor.phase).toBe(MonitorPhase.braking);
    guarded.state.q.set(ready(arm));
    expect(guarded.tick()).toBe(MonitorAction.brake);
    expect(guarded.monitor.phase).toBe(MonitorPhase.stopped);
    expect(guarded.monitor.command.q).toEqual(ready(arm));
  });
});

describe("a brake", () => {
  it("slows every dof at its greatest deceleration, with no jump", () => {
    const guarded = new MonitoredRobot(arm, ready(arm));
    const { monitor } = guarded;
    const target = ready(arm).map((x, dof) => (armDofs.includes(dof) ? x + 0.3 : x));
    guarded.follow(rampsTo(arm, armDofs, ready(arm), target), armDofs, () => guarded.now < 0.15);
    guarded.command.q[0] = Number.NaN;
    const before = { q: guarded.state.q.slice(), qd: guarded.state.qd.slice() };
    const ticks = Math.ceil(
      Math.max(...armDofs.map((dof) => Math.abs(before.qd[dof]!) / arm.maxDeceleration[dof]!)) / TICK,
    );
    expect(ticks).toBeGreaterThan(20);
    for (let k = 1; k <= ticks + 2; k++) {
      guarded.tick();
      for (const dof of armDofs) {
        const [q0, w0, d] = [before.q[dof]!, before.qd[dof]!, arm.maxDeceleration[dof]!];
        const t = Math.min(k * TICK, Math.abs(w0) / d);
        expect(monitor.command.q[dof]).toBeCloseTo(q0 + t * (w0 - 0.5 * Math.sign(w0) * d * t), 9);
        expect(monitor.command.qd[dof]).toBeCloseTo(w0 - Math.sign(w0) * d * t, 9);
      }
      expect(monitor.phase).toBe(k < ticks ? MonitorPhase.braking : MonitorPhase.stopped);
    }
  });

  it("is not ended by commands, nor by a request before the robot stands", () => {
    const guarded = new MonitoredRobot(arm, ready(arm));
    guarded.tick();
    guarded.command.q[0] = Number.NaN;
    guarded.tick();
    guarded.hold();
    for (let k = 0; k < 100; k++) guarded.tick();
    expect(guarded.monitor.phase).toBe(MonitorPhase.stopped);
    guarded.monitor.requestRecovery();
    guarded.tick();
    expect(guarded.monitor.phase).toBe(MonitorPhase.safe);
    guarded.monitor.requestRecovery();
    guarded.command.q[0] = Number.NaN;
    guarded.tick();
    guarded.hold();
    guarded.tick();
    expect(guarded.monitor.phase).toBe(MonitorPhase.stopped);
  });
});

describe("recovery", () => {
  const wrist = armDofs[5]!;
  // At ready the forearm and the flange are 44 mm apart, and nothing else is nearer than 80 mm.
  const options = { margin: 0.046, hysteresis: 0.002 };

  /** An arm that stands within the margin, recovery requested. */
  function stuck(): MonitoredRobot {
    const guarded = new MonitoredRobot(arm, ready(arm), options);
    guarded.tick();
    expect(guarded.monitor.reason).toBe(BrakeReason.predictedTouch);
    expect(guarded.monitor.phase).toBe(MonitorPhase.stopped);
    guarded.monitor.requestRecovery();
    guarded.tick();
    expect(guarded.monitor.phase).toBe(MonitorPhase.recovering);
    expect(guarded.monitor.action).toBe(MonitorAction.pass);
    return guarded;
  }

  /** Turns the wrist by one tick's worth at a share of its speed limit; positive leads towards straight. */
  function turn(guarded: MonitoredRobot, share: number): MonitorAction {
    const out = ready(arm)[wrist]! > 0 ? -1 : 1;
    const speed = share * out * arm.model.maxVelocity[wrist]!;
    guarded.command.q[wrist] = guarded.state.q[wrist]! + speed * TICK;
    guarded.command.qd[wrist] = speed;
    return guarded.tick();
  }

  it("lets a slow motion out pass, until the robot is clear by the hysteresis", () => {
    const guarded = stuck();
    let ticks = 0;
    while (guarded.monitor.phase === MonitorPhase.recovering && ticks < 5000) {
      expect(turn(guarded, 0.09)).toBe(MonitorAction.pass);
      ticks++;
    }
    expect(ticks).toBeGreaterThan(50);
    expect(guarded.monitor.phase).toBe(MonitorPhase.safe);
    expect(guarded.monitor.distance).toBeGreaterThan(options.margin + options.hysteresis);
  });

  it.each([
    ["leads further in", -0.05, BrakeReason.recoveryNotLeaving],
    ["is too fast", 0.11, BrakeReason.recoveryTooFast],
  ])("stops a motion that %s", (_, share, reason) => {
    const guarded = stuck();
    expect(turn(guarded, share)).toBe(MonitorAction.brake);
    expect(guarded.monitor.reason).toBe(reason);
    expect(guarded.monitor.phase).toBe(MonitorPhase.stopped);
  });

  it("stops a motion of other joints, which does not help", () => {
    const guarded = stuck();
    guarded.command.q[armDofs[0]!] = guarded.state.q[armDofs[0]!]! + 1e-5;
    expect(guarded.tick()).toBe(MonitorAction.brake);
    expect(guarded.monitor.reason).toBe(BrakeReason.recoveryNotLeaving);
  });

  it("brings back a joint that is beyond its limit", () => {
    const start = ready(arm).slice();
    const dof = armDofs[6]!;
    start[dof] = arm.model.upper[dof]! + 0.05;
    const guarded = new MonitoredRobot(arm, start);
    guarded.tick();
    expect(guarded.monitor.reason).toBe(BrakeReason.outsideLimits);
    const step = (speed: number): MonitorAction => {
      guarded.command.q[dof] = guarded.state.q[dof]! + speed * TICK;
      guarded.command.qd[dof] = speed;
      return guarded.tick();
    };
    guarded.monitor.requestRecovery();
    expect(step(0.1)).toBe(MonitorAction.brake);
    guarded.monitor.requestRecovery();
    for (let k = 0; k < 400; k++) expect(step(-0.1)).toBe(MonitorAction.pass);
    expect(guarded.monitor.phase).toBe(MonitorPhase.safe);
  });
});

describe("whatever it is given, the monitor", () => {
  /** Numbers of random bytes now and then, else near `middle`. */
  function scramble(random: Random, middle: Float64Array, out: Float64Array, chaos: number): void {
    const words = new Int32Array(out.buffer, out.byteOffset, 2 * out.length);
    out.set(middle);
    for (let i = 0; i < out.length; i++) {
      const choice = random.uniform();
      if (choice < chaos) {
        words[2 * i] = random.bits();
        words[2 * i + 1] = random.bits();
      } else if (choice < 2 * chaos) out[i] = random.uniformIn(-10, 10);
      else out[i] = middle[i]! + 0.01 * random.uniformIn(-1, 1);
    }
  }

  it("does not throw, and commands nothing that is not finite", () => {
    const random = new Random("fuzz");
    const n = arm.model.dofCount;
    const make = (): Motion => ({ time: 0, q: new Float64Array(n), qd: new Float64Array(n), qdd: new Float64Array(n) });
    const [state, command, still] = [make(), make(), new Float64Array(n)];
    const phases = new Set<MonitorPhase>();
    let monitor = new SelfCollisionMonitor(arm);
    for (let k = 0; k < 100_000; k++) {
      if (k % 500 === 0) monitor = new SelfCollisionMonitor(arm);
      const chaos = [0, 0.002, 0.3, 1][k % 4]!;
      scramble(random, ready(arm), state.q, chaos);
      scramble(random, still, state.qd, chaos);
      scramble(random, ready(arm), command.q, chaos);
      scramble(random, still, command.qd, chaos);
      scramble(random, still, command.qdd, chaos);
      const now = k * TICK;
      state.time = random.uniform() < 0.9 ? now : random.normalIn(now, 10 ** random.uniformIn(-4, 300));
      if (random.uniform() < 0.05) monitor.requestRecovery();
      monitor.step(state, command, now);
      phases.add(monitor.phase);
      const { q, qd, qdd } = monitor.command;
      let sum = 0;
      for (let i = 0; i < n; i++) sum += q[i]! + qd[i]! + qdd[i]!;
      if (!Number.isFinite(sum)) throw new Error(`command ${k} is not finite`);
    }
    expect([...phases].sort()).toEqual(Object.values(MonitorPhase).filter((phase) => phases.has(phase)));
    expect(phases.size).toBeGreaterThan(2);
  }, 120_000);

  it("allocates nothing per tick", () => {
    const guarded = new MonitoredRobot(justin, ready(justin));
    const middle = ready(justin);
    let k = 0;
    const bytes = heapBytesPerCall(
      () => {
        k++;
        for (let dof = 0; dof < 20; dof++) {
          guarded.command.q[dof] = middle[dof]! + 0.05 * Math.sin(0.01 * k + dof) - 0.05 * Math.sin(dof);
          guarded.command.qd[dof] = 0.5 * Math.cos(0.01 * k + dof);
        }
        guarded.tick();
      },
      1500,
      boxedNumbers,
    );
    expect(bytes).toBeLessThan(boxedNumbers);
  });
});

describe("a monitor cannot be made", () => {
  it.each([
    ["margin", -0.1],
    ["tickPeriod", 0],
    ["recoverySpeedShare", 2],
    ["maxStateAge", Number.NaN],
  ])("with a %s of %s", (name, value) => {
    expect(() => new SelfCollisionMonitor(arm, { [name]: value })).toThrow(/range/);
  });

  it("for a robot without bodies", () => {
    expect(() => new SelfCollisionMonitor({ ...arm, hulls: [], pairs: [] })).toThrow(/no collision bodies/);
  });
});
