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

/** All looks side by side in one picture. */
async function keep(browser: Browser, name: string, pages: readonly Page[]): Promise<void> {
  const shots = await Promise.all(pages.map((page) => page.screenshot({ timeout: WAIT_MS })));
  const images = shots.map((shot, k) => {
    const { width } = looks[k]!;
    return `<img src="data:image/png;base64,${shot.toString("base64")}" width="${SCALE * width}">`;
  });
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
const service = await RealService.start("--robot", "agile-justin", "--seed", "1");
try {
  const opened = await Promise.all(looks.map((look) => openPage(browser, `${service.address}/?render=rarely`, look)));
  const pages = opened.map(({ page }) => page);
  await Promise.all(pages.map((page) => page.waitForSelector(".banner progress", { timeout: WAIT_MS })));
  await keep(browser, "1-first-seconds", pages);
  const isHalfDone = "document.querySelector('.banner progress').value > 0.3";
  await pages[0]!.waitForFunction(isHalfDone, undefined, { timeout: WAIT_MS });
  await keep(browser, "2-warm-up", pages);
  // A trial throw comes first; then balls are thrown one after the other.
  await pages[0]!.waitForSelector(".status[data-activity='waiting'], .status[data-activity='busy']", {
    timeout: WAIT_MS,
  });
  await pages[0]!.waitForTimeout(CATCH_MS);
  await keep(browser, "3-catch", pages);
  for (const page of pages) await page.evaluate("location.assign('#system')");
  await Promise.all(pages.map((page) => page.waitForSelector(".graph-node.running", { timeout: WAIT_MS })));
  await pages[0]!.waitForTimeout(4000);
  await keep(browser, "4-system", pages);
} finally {
  await browser.close();
  await service.close();
}
