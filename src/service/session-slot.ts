import { FlycatcherError } from "../runtime/errors.js";
import type { StopAddress } from "../transport/stop-report.js";
import type { Session } from "../view/session.js";

/**
 * The place of a live run in the service. The service is there first: it is started while no robot moves, and answers
 * that the run is still being started.
 */
export class SessionSlot {
  /** Whether there is a run, or will be one. */
  readonly isExpected: boolean;
  /** Where the run's stop is listened for; null before that, and without. */
  stopAddress: StopAddress | null = null;
  #session: Session | null;

  /** A slot with a run; one whose run is still to come; one that stays empty. */
  constructor(content: Session | "starting" | "none") {
    this.isExpected = content !== "none";
    this.#session = typeof content === "string" ? null : content;
  }

  /** The run is there. */
  fill(session: Session): void {
    this.#session = session;
  }

  get session(): Session {
    if (this.#session !== null) return this.#session;
    if (this.isExpected) throw new FlycatcherError("FLY_LIVE_STARTING", "The live run is starting");
    throw new FlycatcherError("FLY_LIVE_NONE", "There is no live run here");
  }
}
