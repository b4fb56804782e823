const signals = ["SIGINT", "SIGTERM"] as const;

/** Waits for the first interruption; a second one ends the process at once. */
export function interruption(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      for (const name of signals) process.off(name, onSignal).once(name, () => process.exit(1));
      resolve(signal);
    };
    for (const name of signals) process.on(name, onSignal);
  });
}
