import { describe, expect, it } from "vitest";
import type { PageMessage } from "../../../src/messages/page.js";
import { LiveStore } from "../../../web/src/live/live-store.js";

describe("the store of the page", () => {
  it("keeps nothing of a trial throw, which has no result, when the run is ready", () => {
    const store = new LiveStore();
    store.handle({ type: "start", time: 1, share: 0.5, parts: ["trial throw"] });
    store.handle({ type: "ball", time: 2, ball: 1_000_000_000 });
    expect(store.start?.parts).toEqual(["trial throw"]);
    expect(store.log?.balls).toEqual([1_000_000_000]);
    store.handle({ type: "start", time: 3, share: 1, parts: [] });
    expect(store.start).toBeNull();
    store.handle({ type: "ball", time: 4, ball: 0 });
    expect(store.log?.balls).toEqual([0]);
    store.handle({ type: "throw", time: 5 } as PageMessage);
    expect(store.log?.isOver).toBe(true);
  });
});
