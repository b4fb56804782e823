import type { CirclesMessage, HandoverMessage, PlanMessage, PredictionMessage } from "../../../src/messages/page.js";
import type { BallTrail } from "./ball-trail.js";
import { distance, pointAt } from "./predicted-path.js";

/** All that was heard about one throw, from the release until the robot waits again. */
export class ThrowLog {
  /** When the first ball left the hand [s]. */
  readonly released: number;
  readonly balls: number[] = [];
  readonly circles: CirclesMessage[] = [];
  readonly predictions: PredictionMessage[] = [];
  readonly plans: PlanMessage[] = [];
  readonly handovers: HandoverMessage[] = [];
  #concluded = 0;

  constructor(released: number) {
    this.released = released;
  }

  /** One of the balls has been dealt with. */
  conclude(): void {
    this.#concluded++;
  }

  get isOver(): boolean {
    return this.#concluded >= Math.max(1, this.balls.length);
  }

  /** The plan for a ball and its replans that control took over, or may yet, since the part last went back to wait. */
  catchPlans(part: string): PlanMessage[] {
    const own = this.plans.filter((plan) => plan.part === part && this.outcomeOf(plan) !== "refused");
    const isOver = own.at(-1)?.tCatch === null;
    const attempts = isOver ? own.slice(0, own.findLastIndex(({ tCatch }) => tCatch !== null) + 1) : own;
    return attempts.slice(attempts.findLastIndex(({ tCatch }) => tCatch === null) + 1);
  }

  /** The arms that go for a ball, in the order in which they set out. */
  get arms(): string[] {
    return [...new Set(this.plans.filter(({ tCatch }) => tCatch !== null).map(({ part }) => part))];
  }

  /** The newest plan for a ball. */
  get newestCatch(): PlanMessage | null {
    return this.plans.findLast((plan) => plan.tCatch !== null && this.outcomeOf(plan) !== "refused") ?? null;
  }

  outcomeOf({ id, part }: PlanMessage): "accepted" | "refused" | "open" {
    const handover = this.handovers.find(({ plan, part: whose }) => plan === id && whose === part);
    if (handover === undefined) return "open";
    return handover.outcome === "accepted" ? "accepted" : "refused";
  }
}

/** How wrong a prediction was of where the ball would be at the catch, and how wrong it thought it might be. */
export interface PredictionError {
  /** When it was made, from the catch: negative [s]. */
  readonly before: number;
  /** One sigma in the worst direction [m]. */
  readonly sigma: number;
  /** Distance to where the ball was [m]; null as long as it is not there. */
  readonly error: number | null;
}

/** The predictions of the ball that is caught first, each judged by where the ball came to be at the catch. */
export function predictionErrors(log: ThrowLog, trails: ReadonlyMap<number, BallTrail>): PredictionError[] {
  const plan = log.newestCatch;
  if (plan?.tCatch == null) return [];
  const { tCatch, track } = plan;
  const predictions = log.predictions.filter((prediction) => prediction.track === track);
  const last = predictions.findLast((prediction) => pointAt(prediction, tCatch) !== null);
  const aim = last === undefined ? null : pointAt(last, tCatch)!.position;
  const truth = aim === null ? null : nearestBall(trails, tCatch, aim);
  return predictions.flatMap((prediction) => {
    const point = pointAt(prediction, tCatch);
    if (point === null) return [];
    const error = truth === null ? null : distance(truth, point.position);
    return [{ before: prediction.tExposure - tCatch, sigma: point.sigma, error }];
  });
}

/** Tracks and balls are numbered apart: the ball meant is the one that came nearest. */
function nearestBall(
  trails: ReadonlyMap<number, BallTrail>,
  time: number,
  aim: readonly number[],
): [number, number, number] | null {
  let nearest: [number, number, number] | null = null;
  for (const trail of trails.values()) {
    const place = trail.at(time);
    if (place !== null && (nearest === null || distance(place, aim) < distance(nearest, aim))) nearest = place;
  }
  return nearest;
}
