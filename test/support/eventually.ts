/** Waits until something holds; fails when it does not come true in `timeout` [ms], which is no measure of speed. */
export async function eventually(holds: () => boolean | Promise<boolean>, timeout = 60_000): Promise<void> {
  const end = Date.now() + timeout;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`did not come true in ${timeout} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
