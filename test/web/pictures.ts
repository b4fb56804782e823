/**
 * Pictures of a start, as a newcomer sees it: the first seconds, the warm-up, the sheet System, a catch; each light and dark, wide
 * and narrow, on one sheet. Into docs/images.
 *
 *   node dist/test/web/pictures.js
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { packageRoot } from "../../src/runtime/package-root.js";
import { launchBrowser, openPage } from "./support/browser.js";
import { RealService } from "./support/real-service.js";

const wide = { width: 1280, height: 800 } as const;
const narrow = { width: 390, height: 800 } as const;
const looks = [
  { ...wide, scheme: "light" },
  { ...narrow, scheme: "dark" },
  { ...wide, scheme: "dark" },
  { ...narrow, scheme: "light" },
] as const;
/** Of the sheet against the pictures on it. */
const SCALE = 0.5;
const GAP = 12;
const WAIT_MS = 180_000;
/** From the end of the warm-up to the moment after a catch [ms]. */
const CATCH_MS = 9000;
/** Until the scene is drawn again, and until every node has reported its figures [ms]. */
const DRAWING_MS = 400;
const FIGURES_MS = 4000;

/** The page in all looks, one after the other, side by side in one picture. */
async function keep(browser: Browser, name: string, page: Page): Promise<void> {
  const images: string[] = [];
  for (const { width, height, scheme } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(DRAWING_MS);
    const shot = await page.screenshot({ timeout: WAIT_MS });
    images.push(`<img src="data:image/png;base64,${shot.toString("base64")}" width="${SCALE * width}">`);
  }
  const sheet = await browser.newPage();
  const width = SCALE * (wide.width + narrow.width) + 3 * GAP;
  await sheet.setViewportSize({ width, height: 2 * SCALE * wide.height + 3 * GAP });
  const style = `body{margin:${GAP}px;display:flex;flex-wrap:wrap;gap:${GAP}px;background:#8a9096}`;
  await sheet.setContent(`<style>${style}</style>${images.join("")}`);
  writeFileSync(join(packageRoot, "docs", "images", `start-${name}.png`), await sheet.screenshot());
  await sheet.close();
  process.stdout.write(`docs/images/start-${name}.png\n`);
}

const browser = await launchBrowser();
const begun = performance.now();
const service = await RealService.start("--robot", "agile-justin", "--seed", "1");
try {
  const { page } = await openPage(browser, service.address, looks[0]);
  page.setDefaultTimeout(WAIT_MS);
  await page.waitForSelector(".banner progress");
  process.stdout.write(`progress bar after ${((performance.now() - begun) / 1e3).toFixed(1)} s\n`);
  await page.waitForSelector("canvas");
  process.stdout.write(`robot after ${((performance.now() - begun) / 1e3).toFixed(1)} s\n`);
  await keep(browser, "1-first-seconds", page);
  await page.waitForFunction("document.querySelector('.banner progress').value > 0.3");
  await keep(browser, "2-warm-up", page);
  await page.waitForSelector(".banner", { state: "hidden" });
  await page.waitForTimeout(CATCH_MS);
  await keep(browser, "3-catch", page);
  await page.evaluate("location.assign('#system')");
  await page.waitForSelector(".graph-node.running");
  await page.waitForTimeout(FIGURES_MS);
  await keep(browser, "4-system", page);
} finally {
  await browser.close();
  await service.close();
}
