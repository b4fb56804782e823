import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deep } from "../support/deep.js";
import { launchBrowser, openPage } from "./support/browser.js";
import { RealService } from "./support/real-service.js";

/** Throws until the page has settled, and as many again as an hour of a show has, about. */
const WARM_UP = 25;
const THROWS = deep(0, 400);
/** What the page may hold more of at the end: figures of some hundred throws are kept, and the engine is not exact [MB]. */
const GROWTH_MB = 4;
/** A ball in the air and its trail, and paths that were not needed before; a leak would be one a throw. */
const GPU_SLACK = 8;
const WAIT_MS = 120_000;
const LONG = { timeout: 3_600_000 };

/**
 * An hour of the page in some minutes: a lock-step run, ten times as fast as real time, throws one ball after the other, all
 * panels open, and what is asked for only on demand is asked for. Deep, for it takes its time.
 */
describe.skipIf(THROWS === 0)("a long show", () => {
  let service: RealService;
  let page: Page;
  let inspector: CDPSession;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const options = ["--lockstep", "--robot", "lwr-arm", "--perception", "points", "--seed", "1"];
    const [browser, started] = await Promise.all([launchBrowser(), RealService.start(...options)]);
    service = started;
    ({ page } = await openPage(browser, `${service.address}/?render=rarely`));
    page.setDefaultTimeout(WAIT_MS);
    inspector = await page.context().newCDPSession(page);
    close = () => browser.close();
    await page.waitForSelector(".view-bar");
    await fetch(`${service.address}/v1/live/settings`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ automatic: true, speed: 10 }),
    });
    for (const name of ["Hulls", "Swept", "Frames"]) await page.getByRole("button", { name, exact: true }).click();
    await page.locator(".side details").evaluateAll((panels) => {
      for (const panel of panels) panel.setAttribute("open", "");
    });
  }, 2 * WAIT_MS);

  afterAll(async () => {
    await close?.();
    await service?.close();
  });

  async function thrown(): Promise<number> {
    return Number(/\d+/.exec((await page.textContent(".score-of")) ?? "")?.[0] ?? 0);
  }

  /** What the page holds after all garbage was collected: memory of scripts [MB], elements, and what the graphics card keeps. */
  async function held() {
    for (let k = 0; k < 3; k++) await inspector.send("HeapProfiler.collectGarbage");
    const { usedSize } = await inspector.send("Runtime.getHeapUsage");
    const { nodes, jsEventListeners } = await inspector.send("Memory.getDOMCounters");
    const drawn = (await page.getAttribute(".scene-canvas", "data-drawn")) ?? "";
    const [geometries = 0, textures = 0] = (drawn.match(/\d+/g) ?? []).map(Number);
    return { megabytes: usedSize / 1e6, nodes, jsEventListeners, geometries, textures };
  }

  it("leaves nothing behind", LONG, async () => {
    await expect.poll(thrown, { timeout: LONG.timeout, interval: 500 }).toBeGreaterThanOrEqual(WARM_UP);
    const before = await held();
    await expect.poll(thrown, { timeout: LONG.timeout, interval: 500 }).toBeGreaterThanOrEqual(WARM_UP + THROWS);
    const after = await held();
    process.stdout.write(`long show: ${JSON.stringify({ before, after })}\n`);
    expect(after.megabytes).toBeLessThan(before.megabytes + GROWTH_MB);
    expect(after.geometries).toBeLessThanOrEqual(before.geometries + GPU_SLACK);
    expect(after.textures).toBeLessThanOrEqual(before.textures);
    expect(after.jsEventListeners).toBeLessThan(before.jsEventListeners + 20);
    expect(before.geometries).toBeGreaterThan(10);
  });
});
