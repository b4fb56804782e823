import { setTimeout as pause } from "node:timers/promises";
import type { EventMessage } from "../../src/messages/page.js";
import { type RealTimeOptions, realTimeDefaults } from "../../src/run/real-time-options.js";
import { resolveConfig } from "../../src/runtime/config.js";
import { createLogger } from "../../src/runtime/logger.js";
import { createService } from "../../src/service/service.js";
import type { ServiceInstance } from "../../src/service/service-types.js";
import { SessionSlot } from "../../src/service/session-slot.js";
import type { WorldMessage } from "../../src/simulation/robot-sim/world-protocol.js";
import { LiveSession, type LiveSessionOptions } from "../../src/view/live-session.module.js";

const POLL_MS = 5;

/** What a scene is started with unless said otherwise. */
export const sceneDefaults = {
  ...realTimeDefaults,
  ...{ robot: "lwr-arm", perception: "truth", challenges: "none", automatic: false, warmUpThrows: 1, speed: 1 },
} as const satisfies RealTimeOptions & { readonly automatic: boolean };

/** A live run with its service, what it reported, and when [ms of the wall clock]. */
export class RealTimeScene {
  readonly session: LiveSession;
  readonly app: ServiceInstance;
  readonly events: { readonly event: EventMessage; readonly atMs: number }[] = [];
  readonly #modes: WorldMessage[];

  static async start(options: LiveSessionOptions): Promise<RealTimeScene> {
    const modes: WorldMessage[] = [];
    const session = await LiveSession.start(options, {
      world: (message) => message.type === "mode" && modes.push(message),
    });
    const overrides = ["service.port=0", "log.level=silent", "planning.execution=inline"];
    const config = resolveConfig({ profile: "serve", overrides });
    const app = await createService({ config, logger: createLogger(config.log), live: new SessionSlot(session) });
    return new RealTimeScene(session, app, modes);
  }

  private constructor(session: LiveSession, app: ServiceInstance, modes: WorldMessage[]) {
    this.session = session;
    this.app = app;
    this.#modes = modes;
    session.subscribe({
      onMessage: (message) => {
        if (message.type === "event") this.events.push({ event: message, atMs: performance.now() });
      },
    });
  }

  get run() {
    return this.session.run;
  }

  /** Waits until something holds; false if it does not within `timeoutMs`. */
  async holds(condition: () => boolean, timeoutMs: number): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    while (!condition()) {
      if (performance.now() > end) return false;
      await pause(POLL_MS);
    }
    return true;
  }

  /** Whether all joints stand, as the simulated robot itself says. */
  get isStanding(): boolean {
    const mode = this.#modes.at(-1);
    return mode?.type !== "mode" || mode.isStanding;
  }

  /** Whether the service answers. */
  async answers(): Promise<boolean> {
    const [health, live] = await Promise.all([
      this.app.inject({ url: "/healthz" }),
      this.app.inject({ url: "/v1/live" }),
    ]);
    return health.statusCode === 200 && live.statusCode === 200;
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.session.close();
  }
}
