import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ComponentState } from "../../src/messages/system.js";
import { createService } from "../../src/service/service.js";
import type { ServiceInstance } from "../../src/service/service-types.js";
import { SessionSlot } from "../../src/service/session-slot.js";
import { unmeasured } from "../../src/view/components.js";
import { expectProblem, serviceOptions } from "./make-service.js";
import { TrialSession } from "./trial-session.js";

const idle = { ...unmeasured, cpu: null };

describe("a service whose live run has parts that fail", () => {
  let session: TrialSession;
  let app: ServiceInstance;
  beforeEach(async () => {
    session = new TrialSession();
    app = await createService({ ...serviceOptions(), live: new SessionSlot(session) });
  });
  afterEach(() => app.close());

  function publish(...components: ComponentState[]): void {
    session.broadcast.publish({ type: "components", time: 1, components });
  }

  async function metrics(): Promise<string> {
    return (await app.inject({ url: "/metrics" })).body;
  }

  it("is ready until one has failed, and names it", async () => {
    publish({ ...idle, name: "control" }, { ...idle, name: "robot", health: "stopped" });
    const ready = await app.inject({ url: "/readyz" });
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toMatchObject({ components: expect.arrayContaining(["live"]) });
    publish({ ...idle, name: "control", health: "failed", text: "no sign of life" });
    const problem = expectProblem(await app.inject({ url: "/readyz" }), "FLY_SERVICE_NOT_READY", 503);
    expect(problem.detail).toContain("control: no sign of life");
    publish({ ...idle, name: "control" });
    expect((await app.inject({ url: "/readyz" })).statusCode).toBe(200);
  });

  it("measures which parts work, how old their reports are, and counts events", async () => {
    publish(
      { ...idle, name: "control", age: 0.25, restarts: 2 },
      { ...idle, name: "simulated robot", health: "failed" },
    );
    const event = { type: "event", time: 1, severity: "error", source: "run", text: "control ended" } as const;
    for (const code of ["part-died", "part-died", "part-lost"]) session.broadcast.publish({ ...event, code });
    const text = await metrics();
    for (const line of [
      'flycatcher_component_up{component="control"} 1',
      'flycatcher_component_up{component="simulated robot"} 0',
      'flycatcher_component_restarts{component="control"} 2',
      'flycatcher_component_report_age_seconds{component="control"} 0.25',
      'flycatcher_live_events{code="part-died"} 2',
      'flycatcher_live_events{code="part-lost"} 1',
    ]) {
      expect(text.split("\n")).toContain(line);
    }
  });
});
