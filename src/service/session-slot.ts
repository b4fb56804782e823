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
  /** Notes a heartbeat of a page for the stop listener, where there is one. */
  beat: () => void = () => undefined;
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

  /** The run, once it is there. */
  get current(): Session | null {
    return this.#session;
  }

  /** Why the run is not as it ought to be: parts of it that have failed. Nothing if it is, or if there is none yet. */
  get obstacle(): string | undefined {
    const components = this.#session?.snapshot().components?.components ?? [];
    const failed = components.filter(({ health }) => health === "failed");
    if (failed.length === 0) return undefined;
    return failed.map(({ name, text }) => (text === "" ? `${name} has failed` : `${name}: ${text}`)).join(", ");
  }

  get session(): Session {
    if (this.#session !== null) return this.#session;
    if (this.isExpected) throw new FlycatcherError("FLY_LIVE_STARTING", "The live run is starting");
    throw new FlycatcherError("FLY_LIVE_NONE", "There is no live run here");
  }
}
