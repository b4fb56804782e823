import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";
import { launchBrowser, openPage } from "./support/browser.js";
import { RealService } from "./support/real-service.js";

/** Colour images are rendered, and robots and balls simulated, perhaps beside other tests. */
const WAIT_MS = 120_000;
const LEFT = "canvas[aria-label='Image of the left camera']";

/** What the tests use of a canvas, in the browser. */
interface Picture {
  readonly width: number;
  readonly height: number;
  getContext(kind: "2d"): {
    getImageData(x: number, y: number, w: number, h: number): { readonly data: Uint8ClampedArray };
  };
}

/** A run whose detectors see nothing: in their projection every colour is the same gray. */
const blind = [
  ...["cameras.colour=true", "ball.kind=own", "ball.colour=#d02020"],
  ...["detector.contrast=128", "detector.red=0", "detector.green=0", "detector.blue=0", "detector.offset=100"],
].flatMap((setting) => ["--set", setting]);

/** Middle and radius of what is red on the left image [px of the image], if it is a ball's size. */
function redSpot(page: Page): Promise<{ u: number; v: number; r: number } | null> {
  return page.locator(LEFT).evaluate((canvas: Picture) => {
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    let [count, sumU, sumV] = [0, 0, 0];
    for (let k = 0; k < width * height; k++) {
      if (data[4 * k]! < 120 || data[4 * k]! < 3 * data[4 * k + 1]!) continue;
      count++;
      sumU += k % width;
      sumV += Math.floor(k / width);
    }
    return count < 60 ? null : { u: sumU / count, v: sumV / count, r: Math.sqrt(count / Math.PI) };
  });
}

describe("teaching the ball's colour on the page", () => {
  let browser: Browser;
  let service: RealService;
  let page: Page;

  beforeAll(async () => {
    const run = [
      "--lockstep",
      "--robot",
      "agile-justin",
      "--perception",
      "images",
      "--world",
      "kinematic",
      "--seed",
      "1",
    ];
    [browser, service] = await Promise.all([launchBrowser(), RealService.start(...run, ...blind)]);
    ({ page } = await openPage(browser, `${service.address}/?render=paused`));
    page.setDefaultTimeout(WAIT_MS);
    await page.waitForSelector(".status[data-connection='connected']");
    const automatic = page.getByLabel("One after the other");
    if (await automatic.isChecked()) await automatic.click();
    await page.waitForSelector(".status[data-activity='waiting']");
  }, 2 * WAIT_MS);

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function throwBall(): Promise<string | null> {
    const before = await page.locator(".throws li").count();
    await page.getByRole("button", { name: "Throw a ball" }).click();
    await page.waitForSelector(`.throws li:nth-child(${before + 1})`);
    return page.getAttribute(".score-last", "data-outcome");
  }

  /** Goes back in the images until the ball is large enough, and draws its outline with the pointer. */
  async function markBall(): Promise<void> {
    const earlier = page.getByLabel("Earlier image");
    for (let back = 0; back < 80; back++) {
      await earlier.fill(String(back));
      const spot = await redSpot(page);
      if (spot === null) continue;
      const box = (await page.locator(LEFT).boundingBox())!;
      const width = await page.locator(LEFT).evaluate((canvas: Picture) => canvas.width);
      const scale = box.width / width;
      const [x, y] = [box.x + scale * (spot.u + 0.5), box.y + scale * (spot.v + 0.5)];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + scale * spot.r, y);
      await page.mouse.up();
      return;
    }
    throw new Error("no image has a red ball");
  }

  it("lets detectors that were blind see the ball, and saves it", { timeout: 3 * WAIT_MS }, async () => {
    await page.locator("summary", { hasText: "Cameras" }).click();
    expect(await throwBall()).not.toBe("caught");
    await page.getByRole("button", { name: "Teach the ball's colour" }).click();
    await markBall();
    await page.waitForSelector(".colour-steps[data-marks='1']");
    await page.getByRole("button", { name: "Learn" }).click();
    const preview = page.getByLabel("The image as the detector sees it");
    await preview.waitFor();
    // The ball is bright in what is shown, most else is dark.
    const shares = await preview.evaluate((canvas: Picture) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const grays = Array.from({ length: data.length / 4 }, (_, k) => data[4 * k]!);
      return { bright: grays.filter((gray) => gray > 160).length, all: grays.length };
    });
    expect(shares.bright).toBeGreaterThan(20);
    expect(shares.bright).toBeLessThan(0.2 * shares.all);
    await page.screenshot({ path: join(packageRoot, "dist", "page-pictures", "colour.png") });
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save" }).click();
    const saved = JSON.parse(readFileSync((await (await download).path())!, "utf8"));
    expect(saved.parameters.ball).toMatchObject({ kind: "own", colour: "#d02020" });
    expect(saved.parameters.detector.red).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Use it" }).click();
    await page.waitForSelector(".toast:has-text('from now on')");
    await page.getByRole("button", { name: "Done" }).click();
    // A colour learnt from one mark shows most balls, not each of them.
    const outcomes: (string | null)[] = [];
    while (outcomes.length < 4 && !outcomes.includes("caught")) outcomes.push(await throwBall());
    expect(outcomes).toContain("caught");
  });
});
