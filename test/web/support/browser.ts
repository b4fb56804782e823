import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/** An installed Chromium: that of FLYCATCHER_CHROMIUM, or one in a usual place; null if there is none. */
export function findChromium(): string | null {
  const named = process.env.FLYCATCHER_CHROMIUM;
  const candidates = named === undefined ? places : [named];
  return candidates.find((path) => existsSync(path)) ?? null;
}

/** Said where the tests are skipped. */
export const NO_CHROMIUM =
  "no Chromium found: install Debian's package `chromium`, or name one with FLYCATCHER_CHROMIUM, to test the page";

/** Three dimensions are drawn by the processor, and the rest of the page without a detour through them. */
const softwareGraphics = [
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-gpu-compositing",
  "--disable-gpu-rasterization",
];

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium()!, args: ["--no-sandbox", ...softwareGraphics] });
}

export interface OpenPage {
  readonly page: Page;
  /** Errors in the console and uncaught ones, in words. */
  readonly errors: string[];
}

export interface PageLook {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
}

/** A tab of its own with an address open. Nothing is drawn in 3-D unless the address says so. */
export async function openPage(
  browser: Browser | BrowserContext,
  address: string,
  look: PageLook = {},
): Promise<OpenPage> {
  const { width = 1000, height = 640, scheme = "light" } = look;
  const page = await browser.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme });
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(address);
  return { page, errors };
}
