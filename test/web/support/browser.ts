import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { unpackChromium } from "./bundled-chromium.js";
import { chooseChromium } from "./choose-chromium.js";
import { describeMissing, missingLibraries } from "./missing-libraries.js";

/** Three dimensions are drawn by the processor, and the rest of the page without a detour through them. */
const softwareGraphics = [
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-gpu-compositing",
  "--disable-gpu-rasterization",
];

/** A browser to test the page with. Where none starts the tests fail, and the error says what is missing. */
export async function launchBrowser(): Promise<Browser> {
  const { platform, arch, env } = process;
  const choice = chooseChromium({ platform, arch, named: env.FLYCATCHER_CHROMIUM, exists: existsSync });
  const { path, environment } = choice.kind === "bundled" ? unpackChromium() : { path: choice.path, environment: {} };
  const args = ["--no-sandbox", ...softwareGraphics];
  try {
    return await chromium.launch({ executablePath: path, env: { ...env, ...environment }, args });
  } catch (cause) {
    const libraries = missingLibraries(path, environment);
    throw new Error(`the tests of the page need a browser, and ${path} does not start: ${describeMissing(libraries)}`, {
      cause,
    });
  }
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
