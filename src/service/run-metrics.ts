import type { MetricsRegistry } from "./metrics.js";
import type { SessionSlot } from "./session-slot.js";

/** How the parts of the live run fare, and what it has reported. */
export function measureRun(live: SessionSlot, metrics: MetricsRegistry): void {
  const labels = ["component"];
  const up = metrics.gauge({ name: "flycatcher_component_up", help: "Whether a part of the live run works.", labels });
  const restarts = metrics.gauge({
    name: "flycatcher_component_restarts",
    help: "Threads of a part that took the place of one that had ended.",
    labels,
  });
  const age = metrics.gauge({
    name: "flycatcher_component_report_age_seconds",
    help: "Time since a part reported last.",
    labels,
  });
  const events = metrics.gauge({
    name: "flycatcher_live_events",
    help: "Events of the live run so far, by their code.",
    labels: ["code"],
  });
  metrics.beforeRender(() => {
    const snapshot = live.current?.snapshot();
    for (const component of snapshot?.components?.components ?? []) {
      up.set(component.health === "running" || component.health === "degraded" ? 1 : 0, [component.name]);
      restarts.set(component.restarts, [component.name]);
      if (component.age !== null) age.set(component.age, [component.name]);
    }
    for (const [code, count] of snapshot?.eventCounts ?? []) events.set(count, [code]);
  });
}
