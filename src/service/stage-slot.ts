import { FlycatcherError } from "../runtime/errors.js";
import type { Stage } from "../view/stage.js";

/**
 * The place of a live run in the service. The service is there first: it is started while no robot moves, and tells who asks
 * that the run is still being started.
 */
export class StageSlot {
  readonly #isExpected: boolean;
  #stage: Stage | null;

  /** A slot with a run; one whose run is still to come; one that stays empty. */
  constructor(content: Stage | "starting" | "none") {
    this.#isExpected = content !== "none";
    this.#stage = typeof content === "string" ? null : content;
  }

  /** The run is there. */
  fill(stage: Stage): void {
    this.#stage = stage;
  }

  get stage(): Stage {
    if (this.#stage !== null) return this.#stage;
    if (this.#isExpected) throw new FlycatcherError("FLY_LIVE_STARTING", "The live run is being started");
    throw new FlycatcherError("FLY_LIVE_NONE", "There is no live run here");
  }
}
