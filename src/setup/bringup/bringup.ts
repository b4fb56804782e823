import { packageVersion } from "../../runtime/package-root.js";
import type { BringupProtocol, StepRecord } from "./bringup-protocol.js";
import type { BringupSite, BringupStep, StepOutcome } from "./bringup-step.js";

export interface BringupFacts {
  readonly robot: string;
  readonly addresses: readonly string[];
  /** ISO 8601 of now. */
  readonly now: () => string;
  /** Called after each step, with all so far. */
  readonly keep: (protocol: BringupProtocol) => void;
}

/** Performs the steps in their order. One that fails ends the bring-up; those that move wait for arming and an explicit enable. */
export async function bringUp(
  steps: readonly BringupStep[],
  site: BringupSite,
  { robot, addresses, now, keep }: BringupFacts,
): Promise<BringupProtocol> {
  const records: StepRecord[] = [];
  const begun = now();
  const protocol = (): BringupProtocol => ({
    ...{ schemaVersion: 1, flycatcher: packageVersion, robot, addresses, begun },
    operator: site.operator.kind,
    steps: [...records],
  });
  for (const step of steps) {
    const stepBegun = now();
    site.operator.say(`${step.title} …`);
    const { verdict, lines, figures, recording = null, shown = 0 } = await perform(step, site);
    records.push({ name: step.name, title: step.title, verdict, lines, figures, recording, begun: stepBegun });
    for (const line of lines.slice(shown)) site.operator.say(`  ${line}`);
    site.operator.say(`${step.title}: ${verdict}`);
    keep(protocol());
    if (verdict === "failed") break;
  }
  return protocol();
}

async function perform(step: BringupStep, site: BringupSite): Promise<StepOutcome> {
  const refusal = step.moves ? await whyNotToMove(step, site) : null;
  if (refusal !== null) return { verdict: "skipped", lines: [refusal], figures: {} };
  try {
    return await step.perform(site);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const code = (error as { code?: unknown }).code;
    return { verdict: "failed", lines: [typeof code === "string" ? `${code}: ${words}` : words], figures: {} };
  }
}

async function whyNotToMove(
  { title }: BringupStep,
  { settings, operator, openWatch }: BringupSite,
): Promise<string | null> {
  if (!settings.isArmed || openWatch === null) return "nothing moves without --arm";
  return (await operator.enables(title)) ? null : "the robot was not enabled";
}
