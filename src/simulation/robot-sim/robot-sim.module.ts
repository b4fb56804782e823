import type { FrameKey } from "../../control/udp/frame-key.js";
import { faultName, type RobotFault, RobotMode } from "../../control/udp/robot-session.js";
import type { Ball } from "../../flight/ball.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { TrueWorld } from "../../messages/world.js";
import { standingHead } from "../../robot/kinematics/standing-head.js";
import type { Robot } from "../../robot/robot.js";
import { RealTimeClock } from "../../runtime/clock.js";
import { ClockPace } from "../../runtime/clock-pace.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { nameOf } from "../../runtime/name-of.js";
import type { RobotEnd } from "../controllers/robot-end.js";
import type { Challenges } from "../head-motion/challenges.js";
import { createRigidMotion } from "../head-motion/elastic-chain.js";
import { TrueHead } from "../head-motion/true-head.js";
import { ElasticChest } from "../mujoco/elastic-chest.js";
import { PhysicsWorld } from "../mujoco/physics-world.js";
import { RobotWorld } from "../mujoco/robot-world.js";
import { streamedBall } from "../simulated-world.js";
import { IMU_DELAY } from "../streamed-scene.js";
import { type VisibleBall, visibleBalls } from "../world/catch-world.js";
import type { Throw } from "../world/throws.js";
import { GraspWatch } from "./grasp-watch.js";
import { type OpenedEnd, openRobotEnd, type RobotProtocol } from "./robot-ends.js";
import { SimulatedRobot } from "./simulated-robot.js";
import type { WorldRequest } from "./world-protocol.js";
import { WorldServer } from "./world-server.module.js";

export interface RobotSimOptions {
  /** The robot as it truly is. */
  readonly robot: Robot;
  readonly challenges: Challenges;
  readonly seed: number | string;
  readonly protocol: RobotProtocol;
  readonly host: string;
  /** Of the robot's protocol, see `RobotEndOptions`, and of the world's (TCP); 0 lets the system choose. */
  readonly port: number;
  readonly worldPort: number;
  /** What the robot's protocol asks for, if anything, and what the world does. */
  readonly key: FrameKey | null;
  readonly secret: string;
  /** What balls are, and how many there can be. */
  readonly ball: Ball;
  readonly balls: number;
  /** Cycles in a row without a command after which the robot brakes by itself. */
  readonly missedCycles: number;
}

/** Steps that are made up for at once; beyond, the world has stood still. */
const MOST_STEPS = 100;
/** While steps are made up for, the client is told of every so many: one whose joints are unheard of for long must brake. */
const STEPS_BETWEEN_STATES = 4;
/** From so many late steps on the robot listens before it makes up for them: so long [s], looking so often [ms]. */
const LATE = 4;
const LISTENING = 0.006;
const LISTENING_STEP_MS = 0.25;
/** Throws so far ahead are none [s]. */
const FARTHEST_THROW = 60;

/**
 * The simulated robot as a process would run it: physics at 1 kHz by the wall clock, the robot's protocol over UDP, the true
 * world beside it. Each millisecond it sleeps until its time, lets the event loop turn once so that datagrams are read, and
 * steps. When the machine keeps it from its time it makes up for the steps, and its client's commands count as they come.
 */
export class RobotSim {
  /** Steps that were made late, several at a time. */
  lateSteps = 0;
  readonly #robot: SimulatedRobot;
  readonly #grasps: GraspWatch;
  readonly #server: RobotEnd;
  /** Where clients find the robot, without the world. */
  readonly #address: Pick<OpenedEnd, "udp" | "address">;
  readonly #worldServer: WorldServer;
  readonly #head: TrueHead | null;
  /** Head and encoders look at them. */
  readonly #challenges: Challenges;
  /** Of head and IMU. */
  readonly #headMotion = createRigidMotion();
  readonly #imuMotion = createRigidMotion();
  readonly #thrown: (number | null)[];
  /** The machine's monotonic clock itself, until a client slows it down. */
  readonly #clock = new RealTimeClock({
    kind: "real-time",
    monotonicZeroNs: 0n,
    utcOfZeroNs: 0n,
    pace: ClockPace.memory(),
  });
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));
  readonly #afterStep = () => this.#observe();
  /** When the world's time was zero [s]. */
  #zero = 0;
  #isStopped = false;
  /** Steps since the client was told last what the joints do. */
  #untoldSteps = 0;
  /** When the wire of the robot's protocol is whole again [s]. */
  #wholeFrom = 0;
  /** How far the robot's own clock has been set on [s]. */
  #clockOffset = 0;
  #told: { mode: RobotMode; fault: RobotFault; isStanding: boolean } = { mode: 0, fault: 0, isStanding: true };

  static async start(options: RobotSimOptions): Promise<RobotSim> {
    const { robot, seed, ball, balls, worldPort, secret } = options;
    const challenges = { ...options.challenges };
    const hasHead = robot.frames.head !== undefined && standingHead(robot) === null;
    const head = hasHead ? new TrueHead(robot, { challenges, seed }) : null;
    const perturbations = head === null ? [] : [new ElasticChest(head)];
    await warmUp(robot, ball);
    const world = await PhysicsWorld.create(robot, { ball, balls, perturbations });
    const { setPoints, timestep } = world.physics;
    const opened = await openRobotEnd({ ...options, model: robot.model, start: setPoints.position, timestep });
    const takers: ((request: WorldRequest) => void)[] = [];
    const worldServer = await WorldServer.listen({
      port: worldPort,
      secret,
      onRequest: (request) => takers[0]?.(request),
      welcome: () => ({ type: "welcome", robot: robot.name, ball, balls, udpPort: opened.udp }),
    });
    const sim = new RobotSim(
      new SimulatedRobot(world, challenges, seed, opened.lag),
      opened,
      worldServer,
      head,
      challenges,
    );
    takers.push((request) => sim.#take(request));
    return sim;
  }

  private constructor(
    robot: SimulatedRobot,
    { end, ...address }: OpenedEnd,
    worldServer: WorldServer,
    head: TrueHead | null,
    challenges: Challenges,
  ) {
    const { balls } = robot.world.physics;
    this.#robot = robot;
    this.#grasps = new GraspWatch(robot, (message) => worldServer.tell(message));
    this.#server = end;
    this.#address = address;
    this.#worldServer = worldServer;
    this.#head = head;
    const standing = standingHead(robot.world.robot);
    if (standing !== null) this.#headMotion.worldFromBody.set(standing);
    this.#challenges = challenges;
    this.#thrown = Array.from({ length: balls }, () => null);
  }

  /** Ports of the UDP protocol, 0 where there is none, and of the world. */
  get ports(): { readonly udp: number; readonly world: number } {
    return { udp: this.#address.udp, world: this.#worldServer.port };
  }

  /** Where a client finds robot and world, as `--robot-address` takes it, but for the world's secret. */
  get address(): string {
    return `${this.#address.address}world=${this.#worldServer.port}`;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Runs until stopped. */
  async run(): Promise<void> {
    this.#zero = this.#clock.nowSeconds() - this.#robot.world.physics.time;
    while (!this.#isStopped) {
      const sleep = (1e3 * (this.#due() - this.#clock.nowSeconds())) / this.#clock.speed;
      if (sleep > 0) Atomics.wait(this.#sleeper, 0, 0, sleep);
      await new Promise(setImmediate);
      if (this.#lateSteps() >= LATE && this.#server.session.isWaitingForCommand) await this.#listen();
      this.#cycle();
    }
    await Promise.all([this.#server.close(), this.#worldServer.close()]);
    this.#robot.world.close();
  }

  /**
   * Waits a little for the client's next command: a machine that kept the robot from its time may have done so to the client,
   * which then is not silent.
   */
  async #listen(): Promise<void> {
    const end = this.#clock.nowSeconds() + LISTENING;
    while (this.#server.session.isWaitingForCommand && this.#clock.nowSeconds() < end) {
      Atomics.wait(this.#sleeper, 0, 0, LISTENING_STEP_MS);
      await new Promise(setImmediate);
    }
  }

  /** Steps that should have been made by now, besides the next one. */
  #lateSteps(): number {
    return Math.max(0, Math.floor((this.#clock.nowSeconds() - this.#due()) / this.#robot.world.physics.timestep));
  }

  /** When the world's next step is due [s]. */
  #due(): number {
    const { time, timestep } = this.#robot.world.physics;
    return this.#zero + time + timestep;
  }

  #cycle(): void {
    const { timestep } = this.#robot.world.physics;
    let steps = 1 + this.#lateSteps();
    if (steps > MOST_STEPS) {
      this.#zero += (steps - 1) * timestep;
      steps = 1;
    }
    this.lateSteps += steps - 1;
    this.#server.isWhole = this.#due() > this.#wholeFrom;
    const action = this.#server.cycle(this.#robot.q, steps, this.#robot.reading.q);
    this.#robot.advance(action, this.#server.session, steps, this.#afterStep);
    if (this.#untoldSteps > 0) this.#tell();
    this.#worldServer.flush();
    this.#announce();
  }

  #tell(): void {
    this.#robot.read();
    const now = this.#zero + this.#robot.world.physics.time;
    this.#server.tell(this.#robot.reading, now + this.#clockOffset);
    this.#untoldSteps = 0;
  }

  /** After each step, also of several at a time: nothing of the world's motion is left out. */
  #observe(): void {
    this.#grasps.step(this.#zero);
    if (this.#worldServer.hasListeners) this.#stream();
    if (++this.#untoldSteps === STEPS_BETWEEN_STATES) this.#tell();
  }

  #stream(): void {
    const { time, q } = this.#robot.world.physics;
    if (this.#head !== null) {
      this.#head.headAt(this.#head.time, this.#headMotion);
      // In the middle of the step the acceleration is the change of velocity over it; at its ends it is not.
      this.#head.imuAt(this.#head.time - IMU_DELAY, this.#imuMotion);
    }
    const visible = visibleBalls(this.#robot.world, time);
    const balls = this.#thrown.flatMap((id) => (id === null ? [] : this.#ballAt(id, visible)));
    const motions = { head: this.#headMotion, imu: this.#imuMotion };
    this.#worldServer.stream({ time: this.#zero + time, ...motions, balls, joints: q });
  }

  /** A ball in a hand or in the air by its path, else where it lies. */
  #ballAt(id: number, visible: readonly VisibleBall[]): TrueWorld["balls"] {
    const seen = visible.find((candidate) => candidate.id === id);
    if (seen !== undefined) return [streamedBall(seen)];
    const position = vec3.create();
    const isThere = this.#robot.world.ballPlace(id, position);
    return isThere ? [{ id, isFlying: false, position, velocity: vec3.create(), hand: null }] : [];
  }

  #announce(): void {
    const { mode, fault } = this.#server.session;
    const isStanding = this.#robot.qd.every((speed) => speed === 0);
    if (mode === this.#told.mode && fault === this.#told.fault && isStanding === this.#told.isStanding) return;
    this.#told = { mode, fault, isStanding };
    this.#worldServer.tell({
      type: "mode",
      mode: nameOf(RobotMode, mode)!,
      fault: faultName(fault),
      isStanding,
      time: this.#zero + this.#robot.world.physics.time,
    });
  }

  #take(request: WorldRequest): void {
    if (request.type === "throw") this.#throw(request);
    else if (request.type === "remove") this.#remove(request.id);
    else if (request.type === "challenges") Object.assign(this.#challenges, request.challenges);
    else if (request.type === "pace") this.#clock.followPace(request.change);
    else if (request.type === "controller") this.#server.happen?.(request.event);
    else if (request.type === "clock") this.#clockOffset += request.offset;
    else if (request.type === "cut") this.#wholeFrom = this.#zero + this.#robot.world.physics.time + request.duration;
  }

  #throw({ ball }: Extract<WorldRequest, { type: "throw" }>): void {
    const place = this.#thrown.indexOf(null);
    if (this.#thrown.includes(ball.id)) return;
    try {
      if (place < 0) throw new FlycatcherError("FLY_WORLD_REQUEST", "there is no ball left to throw");
      this.#release(ball);
      this.#thrown[place] = ball.id;
    } catch (error) {
      if (!(error instanceof FlycatcherError)) throw error;
      this.#robot.world.take(ball.id);
      this.#worldServer.tell({ type: "dropped", ball: ball.id, reason: error.message });
    }
  }

  #release(ball: Throw): void {
    const now = this.#robot.world.physics.time;
    const time = Math.max(ball.state.time - this.#zero, now);
    if (time > now + FARTHEST_THROW) throw new FlycatcherError("FLY_THROW_IMPOSSIBLE", "it is thrown far too late");
    const thrown = { ...ball, state: { ...ball.state, time } };
    this.#grasps.watch(this.#robot.world.release(thrown), thrown, this.#zero);
  }

  #remove(id: number): void {
    const place = this.#thrown.indexOf(id);
    if (place < 0) return;
    this.#thrown[place] = null;
    this.#grasps.forget(id);
    this.#robot.world.take(id);
  }
}

/**
 * Lets another world hold balls for a while: MuJoCo's program is slow until the engine has seen what of it is used most, and
 * a robot that slows down as it catches its first ball would miss it.
 */
async function warmUp(robot: Robot, ball: Ball): Promise<void> {
  if (robot.hands.length === 0) return;
  const world = await RobotWorld.create(robot, { ball, balls: robot.hands.length });
  const command = world.holdCommand();
  const worldFromHand = pose.create();
  for (let round = 0; round < PRACTICE_ROUNDS; round++) {
    command.closing.fill(0);
    for (let step = 0; step < PRACTICE_STEPS; step++) world.step(command);
    for (const [slot, { catchLink }] of robot.hands.entries()) {
      world.worldFromLink(catchLink, worldFromHand);
      const mouth = pose.getTranslation(worldFromHand, vec3.create());
      const out = vec3.create(worldFromHand[2], worldFromHand[5], worldFromHand[8]);
      const position = vec3.addScaled(mouth, out, PRACTICE_HEIGHT, mouth);
      const velocity = vec3.scale(out, -PRACTICE_SPEED, out);
      world.throwBall(slot, { time: world.time, position, velocity, drag: 0 });
    }
    command.closing.fill(1);
    for (let step = 0; step < PRACTICE_STEPS; step++) world.step(command);
  }
  world.close();
}

const PRACTICE_ROUNDS = 6;
/** Of each half of a round: open, closed. */
const PRACTICE_STEPS = 250;
/** Balls come from here, seen from the hand's mouth [m], this fast [m/s]. */
const PRACTICE_HEIGHT = 0.15;
const PRACTICE_SPEED = 5;
