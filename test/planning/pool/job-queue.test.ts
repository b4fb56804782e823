import { describe, expect, it } from "vitest";
import { JobQueue, type QueuedJob } from "../../../src/planning/pool/job-queue.js";

const job = (name: string, track?: number, priority: QueuedJob["priority"] = "service") => ({ name, track, priority });
const names = (jobs: readonly { name: string }[]) => jobs.map(({ name }) => name);

describe("the queue of a planner", () => {
  it("keeps the order of each priority, what goes on with a request first", () => {
    const queue = new JobQueue<ReturnType<typeof job>>(9);
    for (const name of ["a", "b"]) queue.add(job(name));
    queue.add(job("c"), "first");
    queue.add(job("live", undefined, "live"));
    expect(queue.length).toBe(4);
    expect(queue.next("live")?.name).toBe("live");
    expect(["service", "service", "service"].map(() => queue.next("service")?.name)).toEqual(["c", "a", "b"]);
    expect(queue.next("service")).toBeUndefined();
  });

  it("lets only the newest job about a ball wait, and leaves alone what has begun", () => {
    const queue = new JobQueue<ReturnType<typeof job>>(9);
    const begun = job("begun", 7);
    queue.add(begun);
    queue.next("service");
    expect(queue.add(job("old", 7))).toEqual([]);
    expect(queue.add(job("other", 8))).toEqual([]);
    const newest = job("new", 7, "live");
    expect(names(queue.add(newest))).toEqual(["old"]);
    expect(queue.length).toBe(2);
    expect(names(queue.outdatedBy(newest))).toEqual(["begun", "old"]);
    expect(queue.outdatedBy(begun)).toEqual([]);
  });

  it("says when more wait than may", () => {
    const queue = new JobQueue<ReturnType<typeof job>>(1);
    const [a, b] = [job("a"), job("b")];
    queue.add(a);
    expect(queue.isOverfull("service")).toBe(false);
    queue.add(b);
    expect([queue.isOverfull("service"), queue.isOverfull("live")]).toEqual([true, false]);
    expect(queue.settle(b)).toBe(true);
    expect(queue.settle(b)).toBe(false);
    expect([queue.open.has(a), queue.open.has(b), queue.isOverfull("service")]).toEqual([true, false, false]);
  });

  it("puts a lost job before all others, unless it was settled", () => {
    const queue = new JobQueue<ReturnType<typeof job>>(9);
    const lost = job("lost");
    queue.add(lost);
    queue.add(job("next"));
    queue.next("service");
    queue.repeat(lost);
    expect(queue.next("service")).toBe(lost);
  });
});
