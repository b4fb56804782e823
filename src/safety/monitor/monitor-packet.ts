import { type MonitorState, MonitorVerdict } from "../../messages/monitor-state.js";
import { BrakeReason, MonitorAction } from "./monitor-words.js";
import type { SelfCollisionMonitor } from "./self-collision-monitor.js";

/**
 * Writes what the monitor found to its packet, all but the tick's own `t`, `cycle` and `duration`. A brake for a pair is
 * `brake`, one for bad input a `fault`.
 */
export function writeMonitorState(monitor: SelfCollisionMonitor, out: MonitorState): void {
  const { nearestPair, pairs } = monitor;
  out.verdict = verdictOf(monitor);
  out.distance = monitor.distance;
  out.firstBody = nearestPair < 0 ? -1 : pairs.bodyA[nearestPair]!;
  out.secondBody = nearestPair < 0 ? -1 : pairs.bodyB[nearestPair]!;
  out.refreshedPairs = pairs.refined;
}

function verdictOf({ action, reason }: SelfCollisionMonitor): MonitorVerdict {
  if (action === MonitorAction.pass) return MonitorVerdict.safe;
  const isJudgement =
    reason === BrakeReason.predictedTouch ||
    reason === BrakeReason.recoveryTooFast ||
    reason === BrakeReason.recoveryNotLeaving;
  return isJudgement ? MonitorVerdict.brake : MonitorVerdict.fault;
}
