import { spawnSync } from "node:child_process";
import { setPriority } from "node:os";
import { systemThread, threadsIn } from "./thread-load.js";

/** What came of asking for real-time scheduling. */
export interface RealTimeGrant {
  readonly granted: boolean;
  /** One sentence for a person: what is in force, or how to permit more. */
  readonly text: string;
}

const HOW_TO_PERMIT =
  "run as root, give the user `rtprio` in /etc/security/limits.conf, or `setcap cap_sys_nice+ep` on node";

/** Threads that it starts are scheduled as usual (reset on fork): a part restarted by a real-time thread is none itself. */
const FIFO = ["--reset-on-fork", "--fifo", "--pid"] as const;

/**
 * Asks the system to schedule the calling thread first come first served, before all usual threads (SCHED_FIFO, Linux). The
 * thread must then sleep in each of its cycles, or nothing else runs on its core.
 *
 * @param priority 1 to 99; kernel threads that serve the network have 50
 */
export function requestRealTime(priority: number): RealTimeGrant {
  const thread = threadNumber();
  if (thread === null) return refused("this system has no /proc/thread-self");
  return changeScheduling([...FIFO, String(priority), thread], priority);
}

/** The system's numbers of the threads that this process has now; none where the system does not tell. */
export function threadsOfProcess(): string[] {
  return threadsIn("/proc/self/task");
}

/**
 * The same for some threads of this process: those of the engine itself, for whose locks a real-time thread may have to
 * wait, which then must not wait for other processes.
 */
export function requestRealTimeFor(threads: readonly string[], priority: number): void {
  for (const thread of threads) changeScheduling([...FIFO, String(priority), thread], priority);
}

/**
 * Favours the calling thread over usual ones without making it a real-time thread: for work at a stretch, which must not keep
 * the system's budget for real-time threads from those that need it (Linux stops them all for 50 ms once they have had 95 %
 * of a second). Where Linux weighs whole sessions against each other (autogroup) it favours the thread within its own
 * session only. Without permission nothing changes.
 *
 * @param nice −20 (most) to 19
 */
export function setNice(nice: number): void {
  const thread = threadNumber();
  if (thread === null) return;
  try {
    setPriority(Number(thread), nice);
  } catch {
    // Not permitted: the thread is scheduled as any other.
  }
}

/** Nice value of a thread that warms up. */
const WARM_UP_NICE = 10;

/**
 * Lets everything else go first while the calling thread warms up: the page is to be there meanwhile. Only where the thread may be
 * raised again, by `requestRealTime` or `setNice`.
 */
export function yieldInWarmUp(): void {
  const thread = threadNumber();
  if (thread === null) return;
  try {
    setPriority(Number(thread), -1);
    setPriority(Number(thread), WARM_UP_NICE);
  } catch {
    // Not permitted to raise it, so it is not lowered.
  }
}

function changeScheduling(options: readonly string[], priority: number): RealTimeGrant {
  const { status, error, stderr } = spawnSync("chrt", options, { encoding: "utf8" });
  if (status === 0) return { granted: true, text: `scheduled as SCHED_FIFO at priority ${priority}` };
  return refused(error === undefined ? (stderr.trim().split("\n")[0] ?? "") : error.message);
}

function threadNumber(): string | null {
  const thread = systemThread();
  return thread === 0 ? null : String(thread);
}

function refused(why: string): RealTimeGrant {
  return { granted: false, text: `scheduled as a normal thread (${why}); to permit more, ${HOW_TO_PERMIT}` };
}
