import type { GetPort } from "../channels/get-port.js";
import type { PutPort } from "../channels/put-port.js";
import type { Plan } from "../messages/plan.js";
import type { PlanHandover } from "../messages/plan-handover.js";
import type { ControlCycle } from "./control-cycle.js";
import { outcomeOf, ReceivedPlan } from "./plan-codec.module.js";
import type { MotionPart } from "./robot-motion.js";

/** Where plans come from, and where control's word on each goes. */
export interface PlanPorts {
  readonly plans: GetPort<Plan>;
  readonly handovers: PutPort<PlanHandover>;
}

/** Offers the plans that have come to control, and answers each. */
export class PlanIntake {
  readonly #ports: PlanPorts;
  /** Memory for a plan of each part. */
  readonly #plans: readonly ReceivedPlan[];

  constructor(ports: PlanPorts, parts: readonly MotionPart[]) {
    this.#ports = ports;
    this.#plans = parts.map((part) => new ReceivedPlan(part));
  }

  /** To be called before the tick at `time` [s]. */
  take(control: ControlCycle, time: number): void {
    const { plans, handovers } = this.#ports;
    for (let packet = plans.tryReceive(); packet !== null; packet = plans.tryReceive()) {
      const plan = this.#planOf(packet.group.read());
      if (plan !== null) {
        plan.read(packet);
        const handover = control.offer(plan.part.name, plan);
        const answer = handovers.reserve();
        answer.t.seconds = time;
        answer.plan = packet.id;
        answer.group.write(plan.part.name);
        answer.outcome = outcomeOf(handover);
        handovers.publish();
      }
      plans.release(packet);
    }
  }

  #planOf(part: string): ReceivedPlan | null {
    for (let k = 0; k < this.#plans.length; k++) if (this.#plans[k]!.part.name === part) return this.#plans[k]!;
    return null;
  }
}
