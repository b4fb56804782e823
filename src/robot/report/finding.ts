/** One thing a robot lacks or that looks wrong. */
export interface Finding {
  readonly severity: "error" | "warning";
  /** What it is about: `joint elbow`, `links hand, arm7`. */
  readonly subject: string;
  /** What is the matter and what to do, in plain words. */
  readonly sentence: string;
  /** The command or the edit that repairs it, where one does. */
  readonly repair?: string;
}

export function finding(severity: Finding["severity"], subject: string, sentence: string, repair?: string): Finding {
  return { severity, subject, sentence, ...(repair !== undefined && { repair }) };
}

/** `joint elbow`, `joints elbow, wrist`; long lists are cut. */
/** A finding about all of `names`, which are of one kind; none where there are none. */
export function findingAbout(
  severity: Finding["severity"],
  noun: string,
  names: readonly string[],
  sentence: string,
  repair?: string,
): Finding[] {
  return names.length === 0 ? [] : [finding(severity, list(noun, names), sentence, repair)];
}

function list(noun: string, names: readonly string[]): string {
  const shown = names.slice(0, 12);
  const rest = names.length > shown.length ? `, and ${names.length - shown.length} more` : "";
  return `${noun}${names.length === 1 ? "" : "s"} ${shown.join(", ")}${rest}`;
}
