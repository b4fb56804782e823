import { element, setText } from "../dom/element.js";
import { words } from "../dom/format.js";
import { createPanel } from "../dom/panel.js";
import { refreshOn } from "../dom/refresh.js";
import { executedVelocities, unbrokenPlans } from "../live/executed-ramps.js";
import type { LiveStore } from "../live/live-store.js";
import type { RobotFacts } from "../live/robot-facts.js";
import { LinePlot } from "../plots/line-plot.js";

/** Joints that get a line of their own: those of an arm. */
const JOINTS = 7;

/** The joint velocities of the arm that catches, put together of the first plan and all replans (thesis, Fig. 3.12). */
export function createRampsPanel(store: LiveStore, { description }: RobotFacts): HTMLElement {
  let marks: { x: number; color: string; label: string }[] = [];
  const plot = new LinePlot({
    height: 190,
    xLabel: "time from the first motion [s]",
    yLabel: "speed / limit",
    yRange: [-1.08, 1.08],
    lines: [
      ...Array.from({ length: JOINTS }, (_, k) => ({ label: `joint ${k + 1}`, color: `--series-${k + 1}` })),
      { label: "limit", color: "--stop", width: 1, dash: [4, 4] },
      { label: "limit", color: "--stop", width: 1, dash: [4, 4] },
    ],
    marksAt: () => marks,
  });
  const legend = element("ul", { class: "legend" });
  const panel = createPanel(
    {
      title: "Joint velocities",
      hint: "Ramps of the running plan with its replans; dashed: the joints' limits; grey: replans; green: the catch, or where the hand comes nearest to one.",
    },
    [plot.element, legend],
  );
  refreshOn(store.changes, ["plan", "handover", "ball", "throw"], () => {
    const part = store.log?.newestCatch?.part;
    const all = part === undefined ? [] : store.log!.catchPlans(part).toSorted((a, b) => a.tStart - b.tStart);
    const plans = unbrokenPlans(all);
    const joints = plans[0]?.joints ?? [];
    const limits = joints.map((joint) => description.joints[joint]?.velocity ?? Number.POSITIVE_INFINITY);
    const { times, shares } = executedVelocities(plans, limits);
    const lines = Array.from({ length: JOINTS }, (_, k) => shares[k] ?? times.map(() => null));
    plot.data = [times, ...lines, times.map(() => 1), times.map(() => -1)];
    const begin = plans[0]?.tStart ?? 0;
    const last = plans.at(-1);
    const tCatch = last?.tCatch;
    marks = plans.slice(1).map(({ tStart }) => ({ x: tStart - begin, color: "--rule-2", label: "replan" }));
    if (tCatch != null)
      marks.push({ x: tCatch - begin, color: "--caught", label: last?.objective === null ? "nearest" : "catch" });
    setText(panel.note, part === undefined ? "" : `${words(part)}, ${Math.max(0, plans.length - 1)} replans`);
    legend.replaceChildren(
      ...joints
        .slice(0, JOINTS)
        .map((joint, k) =>
          element("li", { class: `series-${k + 1}`, text: words(description.joints[joint]?.name ?? String(joint)) }),
        ),
    );
  });
  return panel.element;
}
