import type { BallPrediction } from "../../../src/catching/arm-planner.js";
import { CatchRun } from "../../../src/catching/catch-run.js";
import type { Perception } from "../../../src/catching/perception.js";
import type { ThrowResult } from "../../../src/catching/run-summary.js";
import { createScene } from "../../../src/catching/simulated-scene.js";
import { NearestPairs } from "../../../src/catching/stage/nearest-pairs.js";
import { createPosePacket, type PosePacket } from "../../../src/catching/stage/pose-packet.js";
import { PredictionPath } from "../../../src/catching/stage/prediction-path.js";
import type { ArmState, PlanMessage, StageMessage } from "../../../src/catching/stage/stage-messages.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { Robot } from "../../../src/robot/robot.js";
import type { CatchWorld } from "../../../src/simulation/catch-world.js";

/** Something a spectator is told at its time [s]. */
export type Told = { readonly time: number } & ({ readonly message: StageMessage } | { readonly pose: PosePacket });

/** One throw, with all that was told about it, and what became of it. */
export interface Rehearsed {
  readonly told: readonly Told[];
  readonly begin: number;
  readonly end: number;
  readonly results: readonly ThrowResult[];
}

/** A pose every sixtieth of a second, distances and states every tenth [s]. */
const POSE_PERIOD = 1 / 60;
const STATE_PERIOD = 0.1;

/**
 * Catches balls in lock-step ahead of time, and keeps what a live run would have told its spectators: the page's tests
 * play it back in real time, so that they need neither images nor a second thread.
 */
export class Rehearsal {
  readonly robot: Robot;
  readonly arms: readonly string[];
  readonly #run: CatchRun;
  readonly #world: CatchWorld;
  readonly #paths = new PredictionPath();
  readonly #pairs: NearestPairs;
  #told: Told[] = [];
  #nextPose = 0;
  #nextState = 0;
  #now = 0;
  #planIds = new Map<string, number>();
  #transitions = new Map<string, ArmState["transitions"][number][]>();
  #flying = new Set<number>();

  static async create(robot: Robot, seed: number): Promise<Rehearsal> {
    const kind = robot.stereo === undefined ? "points" : "circles";
    const scene = await createScene({ robot, world: "kinematic", perception: kind, balls: 2, seed });
    return new Rehearsal(robot, scene.world, scene.perception!, seed);
  }

  private constructor(
    robot: Robot,
    world: CatchWorld,
    perception: NonNullable<ConstructorParameters<typeof CatchRun>[0]["perception"]>,
    seed: number,
  ) {
    this.robot = robot;
    this.#world = world;
    this.#pairs = new NearestPairs(robot);
    this.#run = new CatchRun({
      robot,
      world,
      seed,
      perception: (seen) => this.#overhear(perception(seen)),
      onTick: (time) => this.#tick(time),
    });
    this.arms = this.#run.arms.map(({ group }) => group.name);
    for (const [arm, { machine }] of this.#run.director.coordinators) {
      this.#transitions.set(arm, []);
      machine.watch(({ from, to, event, timeNs, reason }) => {
        this.#transitions.get(arm)!.push({ time: 1e-9 * timeNs, from, to, reason: reason === "" ? event : reason });
        this.#tellState();
      });
    }
  }

  /** Throws balls of the seed's series and sees them through. */
  throwBalls(ids: readonly number[]): Rehearsed {
    const begin = this.#now;
    this.#told = [];
    const results = this.#run.throwBalls(ids);
    return { told: this.#told, begin, end: this.#now, results };
  }

  /** The robot as it waits. */
  waiting(): PosePacket {
    return this.#pose(this.#now);
  }

  #tick(time: number): void {
    this.#now = time;
    for (const ball of this.#world.flying(time)) {
      if (this.#flying.has(ball.id)) continue;
      this.#flying.add(ball.id);
      this.#tell({ type: "ball", time, ball: ball.id });
    }
    this.#notePlans(time);
    if (time >= this.#nextPose) {
      this.#nextPose = time + POSE_PERIOD;
      this.#told.push({ time, pose: this.#pose(time) });
    }
    if (time >= this.#nextState) {
      this.#nextState = time + STATE_PERIOD;
      this.#tellState();
      const pairs = this.#pairs.at(this.#run.control.command.q, 8);
      this.#tell({ type: "safety", time, braking: pairs[0]?.distance ?? null, pairs });
    }
  }

  #pose(time: number): PosePacket {
    const { model, hands, frames } = this.robot;
    const packet = createPosePacket(model.dofCount, hands.length);
    packet.time = time;
    packet.joints.set(this.#world.q);
    packet.head.set(this.#world.worldFromLink(frames.head ?? 0));
    const state = { time, position: vec3.create(), velocity: vec3.create(), drag: 0 };
    for (const ball of this.#world.flying(time)) {
      const { position } = this.#world.ballState(ball, time, state);
      packet.balls.push({ id: ball.id, position: [position[0], position[1], position[2]] });
    }
    return packet;
  }

  #overhear(inner: Perception): Perception {
    return {
      observe: (nowNs, commanded) => inner.observe(nowNs, commanded),
      head: () => inner.head(),
      step: (nowNs) => {
        const predictions = inner.step(nowNs);
        for (const prediction of predictions) this.#notePrediction(prediction, 1e-9 * nowNs);
        return predictions;
      },
    };
  }

  #notePrediction(prediction: BallPrediction, time: number): void {
    const { track, confirmed, lastSeen } = prediction;
    this.#tell({
      type: "prediction",
      time,
      track,
      confirmed,
      tExposure: lastSeen,
      path: this.#paths.points(prediction),
    });
  }

  /** Plans are seen when control has them; when they were sent follows from the transport's time. */
  #notePlans(time: number): void {
    for (const [part, { attempt }] of this.#run.director.coordinators) {
      const plan = attempt?.plan ?? null;
      if (attempt === null || plan === null || this.#planIds.get(part) === plan.id) continue;
      this.#planIds.set(part, plan.id);
      const { dofs } = this.#run.arms.find(({ group }) => group.name === part)!.group;
      const { q0, w0, ab, tb, a, t1, t2, T, end } = plan.ramps;
      const ramps = { q0, w0, ab, tb, a, t1, t2, T, end };
      const message: PlanMessage = {
        type: "plan",
        time: time - 1e-9 * this.#run.times.transportNs,
        id: plan.id,
        part,
        track: attempt.track,
        tStart: plan.tStart,
        tCatch: plan.tCatch,
        joints: [...dofs],
        ramps: Object.fromEntries(
          Object.entries(ramps).map(([name, values]) => [name, [...values]]),
        ) as unknown as PlanMessage["ramps"],
        objective: plan.objective,
      };
      this.#tell(message);
      this.#tell({ type: "handover", time, plan: plan.id, part, outcome: "accepted" });
    }
  }

  #tellState(): void {
    const arms = Array.from(
      this.#run.director.coordinators,
      ([arm, { machine }]): ArmState => ({
        arm,
        state: machine.state,
        since: 1e-9 * machine.sinceNs,
        guards: machine.waysOut.map(({ event, to }) => ({ name: event, to, holds: false, text: `until ${event}` })),
        transitions: this.#transitions.get(arm)!.slice(-6),
      }),
    );
    const isBusy = arms.some(({ state }) => state !== "watching");
    this.#tell({
      type: "state",
      time: this.#now,
      activity: isBusy ? "busy" : "waiting",
      monitor: { phase: "safe", reason: "" },
      arms,
    });
  }

  #tell(message: StageMessage): void {
    this.#told.push({ time: this.#now, message });
  }
}
