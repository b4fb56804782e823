/** Errors that nothing has caught while `work` went on. */
export async function countExceptions(work: () => Promise<void>): Promise<number> {
  let count = 0;
  const note = (error: unknown): void => {
    count++;
    process.stderr.write(`faults: uncaught ${String(error)}\n`);
  };
  const kinds = ["uncaughtException", "unhandledRejection"] as const;
  for (const kind of kinds) process.on(kind, note);
  try {
    await work();
  } finally {
    for (const kind of kinds) process.off(kind, note);
  }
  return count;
}
