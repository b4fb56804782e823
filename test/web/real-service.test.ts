import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, openPage } from "./support/browser.js";
import { RealService } from "./support/real-service.js";
import { shippedRecording } from "./support/shipped-recording.js";

/** The service plans, simulates and draws nothing, perhaps beside other tests. */
const WAIT_MS = 60_000;

describe("the page on the real service", () => {
  let browser: Browser;
  let service: RealService;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    [browser, service] = await Promise.all([
      launchBrowser(),
      RealService.start("--lockstep", "--robot", "lwr-arm", "--perception", "points", "--seed", "1"),
    ]);
    ({ page, errors } = await openPage(browser, `${service.address}/?render=paused`));
    page.setDefaultTimeout(WAIT_MS);
    await page.waitForSelector(".status[data-connection='connected']");
    const automatic = page.getByLabel("One after the other");
    if (await automatic.isChecked()) await automatic.click();
    await page.waitForSelector(".status[data-activity='waiting']");
    // A service that is still starting answers 503, which browsers note as an error; the page asks again.
    errors.length = 0;
  }, 2 * WAIT_MS);

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it("throws a ball, and shows that it was caught", async () => {
    const before = Number(await page.textContent(".score-count"));
    await page.getByRole("button", { name: "Throw a ball" }).click();
    await page.waitForSelector(`.score-count:text-is('${before + 1}')`);
    await page.waitForSelector(".score-last[data-outcome='caught']");
    await page.waitForSelector(".span.plan", { state: "attached" });
    expect(errors).toEqual([]);
  });

  it("stops the robot by the space bar, and lets it go on", async () => {
    await page.keyboard.press("Space");
    await page.waitForSelector(".status[data-activity='stopped'], .status[data-activity='fault']");
    await page.waitForSelector(".banner[data-kind='stop']:not([hidden])");
    await page.keyboard.press("r");
    await page.waitForSelector(".status[data-activity='waiting']");
  });

  it("shows what the bodies can sweep through, while that is asked for", async () => {
    await page.getByRole("button", { name: "Swept" }).click();
    await page.waitForSelector(".scene-canvas[data-swept]", { state: "attached" });
    expect(Number(await page.getAttribute(".scene-canvas", "data-swept"))).toBeGreaterThan(3);
    await page.getByRole("button", { name: "Swept" }).click();
    expect(errors).toEqual([]);
  });

  it("runs a dropped recording again and shows the report", async () => {
    await page.getByRole("link", { name: "Replay" }).click();
    const buffer = await shippedRecording();
    await page
      .getByLabel("Open an MCAP file")
      .setInputFiles({ name: "ball.mcap", mimeType: "application/octet-stream", buffer });
    await page.getByRole("button", { name: "Jump to the catch" }).click();
    await page.waitForSelector(".state.grasping.lit");
    await page.getByRole("button", { name: "Run it again" }).click();
    const report = page.frameLocator("iframe.report-frame").locator("body");
    await report.waitFor();
    expect((await report.textContent())?.length).toBeGreaterThan(100);
  });

  it("runs it again with another mode, planner and tracker, and says so", async () => {
    const requested = page.waitForRequest((request) => request.url().endsWith("/v1/replays"));
    await page.getByRole("group", { name: "Mode of the replay" }).getByRole("button", { name: "cool" }).click();
    await page.getByText("Body, planner and tracker").click();
    await page.getByLabel("starts of the search").fill("8");
    await page.getByLabel("detection probability").fill("0.9");
    await page.getByRole("button", { name: "Run it again" }).click();
    const { recordings, ...changes } = (await requested).postDataJSON();
    expect(recordings).toHaveLength(1);
    expect(changes).toEqual({ mode: "cool", starts: 8, tracker: { detectionProbability: 0.9 } });
    const job = page.locator(".job", { hasText: "cool, 8 starts, detectionProbability 0.9" }).last();
    await job.locator("iframe.report-frame").waitFor();
    await page.getByLabel("starts of the search").fill("0");
    await page.getByRole("button", { name: "Run it again" }).click();
    expect(await page.getByRole("heading", { name: "0 starts" }).count()).toBe(0);
  });
});
