import type { BringupStep, StepOutcome } from "./bringup-step.js";
import type { JointComparison } from "./joint-comparison.js";
import { compareJoints } from "./joint-comparison.js";
import { readRobot } from "./read-only.js";
import { stateTiming } from "./state-timing.js";

/** States that come later than this make control brake [ms]. */
const LONGEST_GAP_MS = 20;
/** Of all states: more than this lost is no good link. */
const MOST_LOST = 0.02;

export const connectStep: BringupStep = {
  name: "connect",
  title: "Connect, read only",
  moves: false,
  async perform(site) {
    const { settings } = site;
    site.devices = await readRobot(site.robot(), settings.drivers, settings.listenSeconds);
    const lines = site.devices.map(({ group, words }) => (group === "" ? words : `${group}: ${words}`));
    return { verdict: "passed", lines, figures: { devices: site.devices.length } };
  },
};

export const compareStep: BringupStep = {
  name: "compare",
  title: "Compare joints with the robot's description",
  moves: false,
  async perform({ devices, operator }): Promise<StepOutcome> {
    const compared = devices.flatMap(({ joints, readings }) =>
      compareJoints(
        joints,
        readings.map(({ q }) => q),
      ),
    );
    const lines = compared.map(lineOf);
    const figures = { joints: compared.map((joint) => ({ ...joint })) };
    if (compared.some(({ wrong }) => wrong !== "")) return { verdict: "failed", lines, figures };
    for (const line of lines) operator.say(`  ${line}`);
    const isSame = await operator.confirms(
      "Are these the robot's joints in this order, with the angles and limits that its own panel shows?",
    );
    const last = isSame ? "names, order and limits were confirmed" : "names, order or limits were not confirmed";
    return { verdict: isSame ? "passed" : "failed", lines: [...lines, last], figures, shown: lines.length };
  },
};

function lineOf({ name, position, noise, lower, upper, maxSpeed, wrong }: JointComparison): string {
  const range = `${lower.toFixed(3)} to ${upper.toFixed(3)}`;
  const words = `${name}: at ${position.toFixed(4)}, limits ${range}, up to ${maxSpeed.toFixed(2)}/s, noise ${noise.toExponential(1)}`;
  return wrong === "" ? words : `${words}: ${wrong}`;
}

export const timingStep: BringupStep = {
  name: "timing",
  title: "Measure rate and jitter of the state",
  moves: false,
  async perform({ devices }): Promise<StepOutcome> {
    const all = devices.map(({ group, rate, readings }) => {
      const stamps = readings.map(({ time }) => time);
      const timing = stateTiming(
        stamps,
        readings.map(({ arrival }) => arrival),
      );
      return { group, rate, timing };
    });
    const lines = all.map(({ timing }) =>
      timing === null
        ? "too few states"
        : `${timing.rateHz.toFixed(1)} states per second; jitter p50 ${timing.jitterMs.p50.toFixed(2)}, p99 ${timing.jitterMs.p99.toFixed(2)}, worst ${timing.jitterMs.max.toFixed(2)} ms; ${(100 * timing.lostShare).toFixed(2)} % lost`,
    );
    const isRegular = all.every(({ timing }) => timing !== null && timing.rateHz > 0);
    const gaps = all.map(({ timing }) => timing?.longestGapMs ?? Number.POSITIVE_INFINITY);
    const lost = all.map(({ timing }) => timing?.lostShare ?? 1);
    if (Math.max(...gaps) > LONGEST_GAP_MS) {
      lines.push(
        `longest gap ${Math.max(...gaps).toFixed(1)} ms: control brakes after ${LONGEST_GAP_MS} ms without a state`,
      );
    }
    if (Math.max(...lost) > MOST_LOST) lines.push("states are lost: look at cable, network card and load");
    const figures = { devices: all.map(({ group, rate, timing }) => ({ group, rate, ...timing })) };
    return { verdict: isRegular ? "passed" : "failed", lines, figures };
  },
};
