import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The system's number of the calling thread; 0 where the system does not tell. /proc/thread-self points to <process>/task/<thread>. */
export function systemThread(): number {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1) ?? 0);
  } catch {
    return 0;
  }
}

/** Processor time and when it was read [ns]. */
interface Reading {
  readonly busyNs: number;
  readonly timeNs: number;
}

/**
 * Shares of a core that threads and processes use, as Linux counts them (/proc/…/schedstat): from one look to the next. Who
 * looks pays, a few hundredths of a millisecond a thread; the threads that are looked at notice nothing.
 */
export class ThreadLoads {
  readonly #folder: string;
  readonly #last = new Map<string, Reading>();

  /** `folder`: where the system tells of its processes. */
  constructor(folder = "/proc") {
    this.#folder = folder;
  }

  /** Share of a core that a thread of this process has used since the last look, at `nowNs`; null if unknown yet. */
  ofThread(thread: number, nowNs: number): number | null {
    if (thread === 0) return null;
    return this.#share(`thread ${thread}`, busyNs(`${this.#folder}/self/task/${thread}`), nowNs);
  }

  /** The same of all threads of a process. */
  ofProcess(process: number, nowNs: number): number | null {
    const folder = `${this.#folder}/${process}/task`;
    const all = threadsIn(folder).map((thread) => busyNs(`${folder}/${thread}`));
    const known = all.filter((busy) => busy !== null);
    const sum = known.length === 0 ? null : known.reduce((total, busy) => total + busy, 0);
    return this.#share(`process ${process}`, sum, nowNs);
  }

  #share(key: string, busy: number | null, timeNs: number): number | null {
    const last = this.#last.get(key);
    if (busy === null) {
      this.#last.delete(key);
      return null;
    }
    this.#last.set(key, { busyNs: busy, timeNs });
    // A process's threads may end, and what they used with them.
    if (last === undefined || timeNs <= last.timeNs || busy < last.busyNs) return null;
    return (busy - last.busyNs) / (timeNs - last.timeNs);
  }
}

/** Time on a processor [ns]: the first number of schedstat. */
function busyNs(folder: string): number | null {
  try {
    const busy = Number(readFileSync(`${folder}/schedstat`, "utf8").split(" ")[0]);
    return Number.isFinite(busy) ? busy : null;
  } catch {
    return null;
  }
}

/** The numbers of the threads that a folder of the system has; none where it is not there. */
export function threadsIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
