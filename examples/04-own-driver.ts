/**
 * A driver of one's own in place of the graph's node `robot`: commands come in at 1 kHz, measured joints go out.
 *
 * The hardware here is a model of servos that lag behind their commands. The simulated robot moves as they do, so that simulated
 * balls can be caught. A driver of a real robot does not call `original`: it puts `JointState` messages to `ports.out.state` and `joints`.
 *
 * Run:    node dist/examples/04-own-driver.js
 * Prints: how far the servos lagged behind, and how balls were caught with servos of different quickness.
 */
import { pathToFileURL } from "node:url";
import { type InPort, type JointCommand, loadRobot, lockStepRun, type Node, type NodeFactory } from "flycatcher";

/** Servos whose error decays with a time constant [s]. */
class LaggingServos implements InPort<JointCommand> {
  readonly #commands: InPort<JointCommand>;
  readonly #share: number;
  #q: Float64Array | null = null;
  /** Greatest distance of a joint from its command so far [rad]. */
  worstLag = 0;

  constructor(commands: InPort<JointCommand>, timeConstant: number, tick: number) {
    this.#commands = commands;
    this.#share = 1 - Math.exp(-tick / timeConstant);
  }

  /** The next command, as the servos carry it out. */
  take(nowNs: number): JointCommand | null {
    const command = this.#commands.take(nowNs);
    if (command === null) return null;
    this.#q ??= command.q.slice();
    const q = this.#q;
    for (const [i, wanted] of command.q.entries()) {
      q[i]! += this.#share * (wanted - q[i]!);
      this.worstLag = Math.max(this.worstLag, Math.abs(wanted - q[i]!));
    }
    return { ...command, q: q.slice() };
  }

  get waiting(): number {
    return this.#commands.waiting;
  }

  get lost(): number {
    return this.#commands.lost;
  }
}

/** The factory that a run calls. In real time: `realTimeRun({ …, nodes: { robot: import.meta.url } })`. */
export const createNode: NodeFactory<"robot"> = (slot) => driver(0.002, () => undefined)(slot);

function driver(timeConstant: number, onServos: (servos: LaggingServos) => void): NodeFactory<"robot"> {
  return ({ ports, tickNs, original }): Node => {
    const servos = new LaggingServos(ports.in.commands, timeConstant, tickNs / 1e9);
    onServos(servos);
    return original({ commands: servos });
  };
}

async function catchWith(timeConstant: number): Promise<void> {
  const servos: LaggingServos[] = [];
  const nodes = { robot: driver(timeConstant, (made) => servos.push(made)) };
  const run = await lockStepRun({
    robot: loadRobot("lwr-arm"),
    world: "kinematic",
    perception: "truth",
    seed: 1,
    nodes,
  });
  const [result] = await run.throwBalls([0]);
  const lag = `lagged by up to ${servos[0]!.worstLag.toFixed(3)} rad`;
  console.log(
    `Servos of ${1e3 * timeConstant} ms ${lag}: ${result?.outcome}${result?.reason ? ` (${result.reason})` : ""}.`,
  );
  await run.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const timeConstant of [0.002, 0.1]) await catchWith(timeConstant);
}
