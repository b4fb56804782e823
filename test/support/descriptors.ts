import { readdirSync } from "node:fs";
import { platform } from "node:os";

/** Open descriptors of this process, once they have stopped falling; 0 where the system does not list them. */
export async function descriptors(): Promise<number> {
  if (platform() !== "linux") return 0;
  let [before, now] = [Number.POSITIVE_INFINITY, count()];
  while (now < before) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 20));
    now = count();
  }
  return now;
}

function count(): number {
  return readdirSync("/proc/self/fd").length;
}
