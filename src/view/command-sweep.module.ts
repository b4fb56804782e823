import type { Channel } from "../channels/channel.js";
import type { GetPort } from "../channels/get-port.js";
import type { JointCommand } from "../messages/joint-command.js";
import type { Robot } from "../robot/robot.js";
import type { SweptPacket } from "./swept-packet.js";
import { SweptVolumes } from "./swept-volumes.js";

/**
 * The volumes swept by a robot in real time, from the commands that pass by. They carry no acceleration: it is that of the
 * velocities between two looks.
 */
export class CommandSweep {
  readonly #port: GetPort<JointCommand>;
  readonly #sweep: SweptVolumes;
  readonly #q: Float64Array;
  readonly #qd: Float64Array;
  readonly #qdd: Float64Array;
  #time = Number.NaN;

  /** `reactionTime` [s] is the safety monitor's. */
  constructor(robot: Robot, commands: Channel<JointCommand>, reactionTime: number) {
    this.#port = commands.openGetPort("newest");
    this.#sweep = new SweptVolumes(robot, { reactionTime });
    this.#q = new Float64Array(robot.model.dofCount);
    this.#qd = new Float64Array(robot.model.dofCount);
    this.#qdd = new Float64Array(robot.model.dofCount);
  }

  /** Takes the newest command. */
  poll(): void {
    const packet = this.#port.tryReceive();
    if (packet === null) return;
    const span = packet.t.seconds - this.#time;
    for (let i = 0; i < this.#q.length; i++) {
      this.#q[i] = packet.position[i]!;
      this.#qdd[i] = span > 0 ? (packet.velocity[i]! - this.#qd[i]!) / span : 0;
      this.#qd[i] = packet.velocity[i]!;
    }
    this.#time = packet.t.seconds;
    this.#port.release(packet);
  }

  /** Of the last command; null before the first. Valid until the next call. */
  get volumes(): SweptPacket | null {
    return Number.isNaN(this.#time) ? null : this.#sweep.compute(this.#time, this.#q, this.#qd, this.#qdd);
  }

  close(): void {
    this.#port.close();
  }
}
