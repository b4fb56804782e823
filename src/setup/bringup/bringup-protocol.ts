/** What became of a step. */
export type StepVerdict = "passed" | "failed" | "skipped";

/** A figure of a step; texts are named words. */
export type Figure = number | string | boolean | null | readonly Figure[] | { readonly [name: string]: Figure };

export interface StepRecord {
  readonly name: string;
  readonly title: string;
  readonly verdict: StepVerdict;
  /** What was found, a sentence or a line of a table each. */
  readonly lines: readonly string[];
  readonly figures: { readonly [name: string]: Figure };
  /** The run's recording, beside the protocol file; null: the step has none. */
  readonly recording: string | null;
  /** ISO 8601. */
  readonly begun: string;
}

/** All that a bring-up found, as its file has it. */
export interface BringupProtocol {
  readonly schemaVersion: 1;
  readonly flycatcher: string;
  readonly robot: string;
  /** Where it is, without secrets. */
  readonly addresses: readonly string[];
  /** Who confirmed what a program cannot see. */
  readonly operator: "person" | "unattended";
  readonly begun: string;
  readonly steps: readonly StepRecord[];
}

const marks: Readonly<Record<StepVerdict, string>> = { passed: "x", failed: "!", skipped: " " };

/** The same for people, as Markdown. */
export function protocolText({ robot, addresses, operator, begun, flycatcher, steps }: BringupProtocol): string {
  const head = [
    `# Bring-up of ${robot}`,
    "",
    `${begun}, Flycatcher ${flycatcher}, ${operator === "person" ? "with a person" : "unattended, simulated"}`,
    ...addresses.map((address) => `- ${address}`),
  ];
  const parts = steps.map(({ title, verdict, lines, recording }) => [
    "",
    `## [${marks[verdict]}] ${title}: ${verdict}`,
    "",
    ...lines.map((line) => `- ${line}`),
    ...(recording === null ? [] : [`- recording: ${recording}`]),
  ]);
  return `${[...head, ...parts.flat()].join("\n")}\n`;
}

/** An address without what must not be shown. */
export function withoutSecret(address: string): string {
  return address.replace(/([?&]secret=)[^&]*/g, "$1…");
}
