import { FlightStatus, gravity } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { iterationBudget } from "../../../src/optimisation/solver-interface.js";
import { BodyRule } from "../../../src/planning/body/body-rule.js";
import { baseFromLinksAt } from "../../../src/planning/body/moving-base-links.js";
import { MovingBasePath } from "../../../src/planning/body/moving-base-path.js";
import { buildCatchArm, type CatchArm } from "../../../src/planning/problem/catch-arm.js";
import type { CatchTask } from "../../../src/planning/problem/catch-problem.js";
import { ALL_CHECKS } from "../../../src/planning/problem/checks.js";
import { HullClearance } from "../../../src/planning/problem/hull-clearance.js";
import { KeepOutSet } from "../../../src/planning/problem/keep-out.js";
import type { CatchSolution } from "../../../src/planning/search/catch-solution.js";
import { CatchSolver } from "../../../src/planning/search/catch-solver.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import type { Robot } from "../../../src/robot/robot.js";
import { ThrowGenerator, throwSpaceOf } from "../../../src/simulation/world/throws.js";

export const justin = loadRobot("agile-justin");
export const ready = justin.postures.get("ready")!;

/** From the release of a ball until the arms may move: three camera frames and the default delays [s]. */
export const reaction = 0.27;
/** Latest catch, from when the arms may move [s]. */
export const latest = 1.8 - reaction;

/** Throws of the design's kind, on a clock that starts when the arms may move; in the world. */
export class Throws {
  readonly #generator: ThrowGenerator;

  constructor(seed: string, robot: Robot = justin) {
    this.#generator = new ThrowGenerator(throwSpaceOf(robot), seed);
  }

  flight(id: number): Flight {
    const { state } = this.#generator.make(id, -reaction);
    const flight = new Flight();
    if (flight.reset(state, gravity(), -reaction, latest) !== FlightStatus.ok) throw new Error("no flight");
    return flight;
  }
}

/** An arm on the body that carries it, with all that plans a catch of it. */
export class ArmOnBody {
  readonly arm: CatchArm;
  readonly path: MovingBasePath;
  readonly rule: BodyRule;
  readonly #clearance: HullClearance;
  readonly #solver: CatchSolver;
  readonly solution: CatchSolution;

  constructor(group: string) {
    const bare = buildCatchArm(justin, group);
    this.#clearance = new HullClearance(justin, bare.chain, ready);
    this.arm = { ...bare, clearance: this.#clearance };
    this.path = new MovingBasePath(justin, bare.group.baseLink);
    this.rule = BodyRule.of(justin, bare.group)!;
    const task = this.task(new Throws("first").flight(0), this.standing());
    this.#solver = new CatchSolver(this.arm, task);
    this.solution = this.#solver.createSolution();
  }

  /** The body as it stands. */
  standing(): JointRamps {
    const ramps = new JointRamps(this.path.bodyDofs.length);
    ramps.hold(Float64Array.from(this.path.bodyDofs, (dof) => ready[dof]!));
    return ramps;
  }

  /** A catch while the body moves by `body`; keep-out shapes and bodies as they are when it has arrived. */
  task(flight: Flight, body: JointRamps): CatchTask {
    const { arm, path } = this;
    if (path.reset(flight, { ramps: body, start: 0 }, null, 0, latest) !== FlightStatus.ok) throw new Error("no path");
    const posture = ready.slice();
    path.placeBody(body.duration, posture);
    this.#clearance.setPosture(arm.chain, posture);
    return {
      mode: "soft",
      q0: Float64Array.from(arm.group.dofs, (dof) => ready[dof]!),
      w0: new Float64Array(arm.group.dofs.length),
      maxVelocity: arm.maxVelocity,
      maxAcceleration: arm.maxAcceleration,
      path,
      keepOut: new KeepOutSet(justin.keepOut, baseFromLinksAt(justin, path, posture, body.duration)),
      earliest: 0,
      latest,
      success: null,
      checks: ALL_CHECKS,
    };
  }

  catches(flight: Flight, body: JointRamps): boolean {
    const budget = { starts: 12, solve: iterationBudget(100) };
    this.#solver.cold(this.task(flight, body), budget, this.solution);
    return this.solution.found;
  }
}
