/** Says why a component cannot work yet; nothing if it can. */
export type ReadinessCheck = () => string | undefined;

/** Whether the service can do its work: the sum of what its components say. */
export class Readiness {
  readonly #checks = new Map<string, ReadinessCheck>();

  add(component: string, check: ReadinessCheck): void {
    this.#checks.set(component, check);
  }

  /** What each component that is not ready says; empty means ready. */
  obstacles(): Record<string, string> {
    const reports = [...this.#checks].map(([component, check]) => [component, report(check)] as const);
    return Object.fromEntries(reports.filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  get components(): string[] {
    return [...this.#checks.keys()];
  }
}

function report(check: ReadinessCheck): string | undefined {
  try {
    return check();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
