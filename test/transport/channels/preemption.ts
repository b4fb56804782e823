/**
 * Threads in one thread. All that the threads of a channel say to each other goes through `Atomics`; so an operation can
 * be stopped before any of those steps, and others be run meanwhile, or it can be left there for ever, as if its thread
 * had been terminated. What real threads do by chance is done here on purpose, at every step.
 */
const operations = ["load", "store", "compareExchange", "exchange", "add", "sub", "and", "or", "notify"] as const;
type Operation = (...operands: unknown[]) => unknown;
const atomics = Atomics as unknown as Record<(typeof operations)[number], Operation>;

/** Thrown at the step where an operation dies. */
export class Died extends Error {}

/** Runs `work` and calls `atStep` before each of its atomic steps. Calls may be nested: the inner steps count apart. */
export function stepping<T>(work: () => T, atStep: () => void): T {
  const originals = operations.map((name) => atomics[name]);
  let isInside = false;
  for (const [index, name] of operations.entries()) {
    const original = originals[index]!;
    atomics[name] = (...operands) => {
      if (!isInside) {
        isInside = true;
        try {
          atStep();
        } finally {
          isInside = false;
        }
      }
      return original(...operands);
    };
  }
  try {
    return work();
  } finally {
    for (const [index, name] of operations.entries()) atomics[name] = originals[index]!;
  }
}

/** How many atomic steps `work` takes. */
export function countSteps(work: () => void): number {
  let steps = 0;
  stepping(work, () => {
    steps++;
  });
  return steps;
}

/** Runs `work` up to its step number `step` (from 0) and runs `interruption` before it. */
export function interruptedAt<T>(step: number, work: () => T, interruption: () => void): T {
  let steps = 0;
  return stepping(work, () => {
    if (steps++ === step) interruption();
  });
}

/** Runs `work` up to its step number `step` (from 0), never to return. False if it is done before. */
export function diesAt(step: number, work: () => void): boolean {
  try {
    interruptedAt(step, work, () => {
      throw new Died();
    });
    return false;
  } catch (error) {
    if (error instanceof Died) return true;
    throw error;
  }
}
