import * as vec3 from "../../src/math/vec3.js";
import type { Event } from "../../src/messages/report.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { LockStepHost } from "../../src/run/lock-step-host.js";
import { lockStepRun } from "../../src/run/lock-step-host.js";
import type { Run } from "../../src/run/run.js";
import type { Node } from "../../src/transport/node.js";
import { takeEach } from "../../src/transport/port.js";
import type { BenchContext, BenchPart, Metrics } from "../harness.js";
import { countExceptions } from "./exceptions.js";

/** How long a node fails [ns on the run's clock]. */
const FAILING_NS = 300e6;
/** From then on balls are thrown at once; from the announcement of a throw until planners work on it [ns]. */
const SETTLED_NS = 2.1e9;
const IN_FLIGHT_NS = 200e6;
const LONGEST_WAIT = 30;

/** Every node of a lock-step run fails for a while, and a ball is thrown that cannot fly. */
export const lockStepFaults: BenchPart = {
  name: "lock-step",
  async measure(context: BenchContext): Promise<Metrics> {
    const failed = new Set<string>();
    const run = await lockStepRun({
      robot: loadRobot("lwr-arm"),
      world: "kinematic",
      perception: "truth",
      seed: context.seed,
      planner: { starts: 12 },
      onNodeError: (node) => failed.add(node),
    });
    const counts = { faults_tried: 0, faults_unnoticed: 0, robot_not_at_rest: 0 };
    const exceptions = await countExceptions(async () => {
      for (const [k, { name }] of run.graph.nodes.entries()) {
        counts.faults_tried++;
        await failNode(run, name, k);
        if (!failed.has(name)) counts.faults_unnoticed++;
        if (!(await run.waits())) counts.robot_not_at_rest++;
        context.progress(`lock-step: ${name} failed, ${failed.has(name) ? "reported" : "not reported"}`);
      }
      counts.faults_tried++;
      if (!(await isDropReported(run))) counts.faults_unnoticed++;
      if (!(await run.waits())) counts.robot_not_at_rest++;
    });
    await run.close();
    return { ...counts, exceptions };
  },
};

/** A throw in whose middle the node's steps fail. */
async function failNode(run: Run<LockStepHost>, name: string, throwNumber: number): Promise<void> {
  const node = run.host.node(name, Object as never as abstract new () => Node);
  if (node === null) return;
  const step = node.step.bind(node);
  await run.host.until(() => run.nowNs >= SETTLED_NS && run.isWaiting, LONGEST_WAIT);
  const beginNs = run.nowNs + IN_FLIGHT_NS;
  node.step = (nowNs) => {
    if (nowNs >= beginNs && nowNs < beginNs + FAILING_NS) throw new Error("failed on purpose");
    return step(nowNs);
  };
  await run.throwBalls([throwNumber]);
  await run.host.until(() => run.nowNs > beginNs + FAILING_NS, 10);
  node.step = step;
}

/** A ball that rises for longer than it is simulated. */
async function isDropReported(run: Run<LockStepHost>): Promise<boolean> {
  const events = run.tap<Event>("robot.events");
  const state = { time: 0, position: vec3.create(5, 0, 1.6), velocity: vec3.create(-1, 0, 16), drag: 0.032 };
  await run.throwAll([{ id: 900, state, aim: vec3.create(), flightTime: 1, framePhase: 0 }]);
  const codes: string[] = [];
  takeEach(events, run.nowNs, ({ code }) => codes.push(code));
  return codes.includes("ball-dropped");
}
