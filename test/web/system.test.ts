import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";
import type { TraceFile } from "../../src/view/trace-file.js";
import { deep } from "../support/deep.js";
import { launchBrowser, openPage } from "./support/browser.js";
import { RealService } from "./support/real-service.js";

/** A run in real time warms up before it is ready, perhaps beside other tests. */
const WAIT_MS = 180_000;
/** A slow press of a button, in which several tables of figures come [ms]. */
const PRESS_MS = 400;
const POLL = { timeout: WAIT_MS, interval: 100 };
/** Pictures of the sheet are kept here; docs/images has those of the last release. */
const pictures = join(packageRoot, "dist", "page-pictures");

const isDeep = deep(0, 1) === 1;

describe("the sheet System", () => {
  let browser: Browser;
  let service: RealService;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    const options = ["--robot", "lwr-arm", "--perception", "truth", "--seed", "1"];
    [browser, service] = await Promise.all([launchBrowser(), RealService.start(...options)]);
    ({ page, errors } = await openPage(browser, `${service.address}/?render=paused#system`, {
      width: 1440,
      height: 900,
    }));
    page.setDefaultTimeout(WAIT_MS);
    await page.waitForSelector(".status[data-connection='connected']");
    // The robot waits, so that nothing moves while threads are away.
    await page.request.patch(`${service.address}/v1/live/settings`, { data: { automatic: false } });
    // A service that is still starting answers 503, which browsers note as an error; the page asks again.
    errors.length = 0;
  }, 2 * WAIT_MS);

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const samples = async () => Number(await page.locator(".field-plot").first().getAttribute("data-samples"));
  const node = (name: string) => page.locator(`.graph-node[data-node='${name}']`);

  it("draws every node with its rate and load", { timeout: 2 * WAIT_MS }, async () => {
    for (const name of ["control", "robot", "world", "perception", "catching", "planner-arm"]) {
      await page.waitForSelector(`.graph-node.running[data-node='${name}']`);
    }
    await node("control")
      .locator("text", { hasText: /^[1-9]\d* Hz$/ })
      .waitFor();
    await node("control")
      .locator("text", { hasText: /^load \d+ %$/ })
      .waitFor();
    await node("control").click();
    const details = page.getByRole("region", { name: "Node" });
    await details.getByRole("button", { name: "commands" }).waitFor();
    await details.getByText("Never stopped by hand").waitFor();
    expect(await details.getByRole("button", { name: "Stop", exact: true }).count()).toBe(0);
  });

  it("filters the log by node, level and words", { timeout: 2 * WAIT_MS }, async () => {
    const shown = async () => Number(await page.getAttribute(".log-lines", "data-shown"));
    await page.locator(".log-line", { hasText: "ready; the run goes at speed" }).first().waitFor();
    const all = await shown();
    await page.getByLabel("Search the log").fill("ready speed");
    await expect.poll(shown, POLL).toBeLessThan(all);
    expect(await shown()).toBeGreaterThan(0);
    await page.getByLabel("Search the log").fill("");
    await page.getByLabel("Node of the log").selectOption("run");
    const sources = await page.locator(".log-source").allTextContents();
    expect(new Set(sources)).toEqual(new Set(["run"]));
    await page.getByLabel("Least level of the log").selectOption("error");
    expect(await page.locator(".log-line.info").count()).toBe(0);
    await page.getByLabel("Least level of the log").selectOption("debug");
    await page.getByLabel("Node of the log").selectOption("");
    // A list that is shorter than its lines follows the newest until it is scrolled up.
    const list = page.locator(".log-lines");
    await list.evaluate(({ style }) => Object.assign(style, { bottom: "auto", height: "60px" }));
    const follow = page.getByRole("button", { name: "Newest" });
    await follow.waitFor({ state: "hidden" });
    await list.hover();
    await page.mouse.wheel(0, -400);
    await follow.click();
    await follow.waitFor({ state: "hidden" });
    await list.evaluate(({ style }) => Object.assign(style, { bottom: "", height: "" }));
  });

  it("plots a field that is clicked, while it is wanted", { timeout: 2 * WAIT_MS }, async () => {
    await page.getByLabel("Search fields").fill("control.commands");
    await page.locator(".field-name", { hasText: /^q\[\]$/ }).click();
    await page.waitForSelector(".field-plot[data-field='control.commands.q[0]'] canvas");
    await expect.poll(samples, POLL).toBeGreaterThan(20);
    await page.getByRole("button", { name: "Close the plot of control.commands.q[0]" }).click();
    expect(await page.locator(".field-plot").count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it("stops a node of perception, says what misses it, and starts it again", { timeout: 4 * WAIT_MS }, async () => {
    await node("perception").click();
    const details = page.getByRole("region", { name: "Node" });
    // Figures come meanwhile; the button that is released is still the one that was pressed.
    await details.getByRole("button", { name: "Stop", exact: true }).click({ delay: PRESS_MS });
    await page.waitForSelector(".graph-node.stopped[data-node='perception']");
    await page.waitForSelector(".graph-node.lacking[data-node='catching']");
    await page.locator(".log-line.warning", { hasText: "perception was stopped by hand" }).waitFor();
    await details.getByRole("button", { name: "Start", exact: true }).click();
    await page.waitForSelector(".graph-node.running[data-node='perception']");
    await details.getByText("running, restarted once").waitFor();
    await page.waitForSelector(".graph-node.lacking", { state: "detached" });
    expect(errors).toEqual([]);
  });

  it("gives a trace file", { timeout: 2 * WAIT_MS }, async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: /^Trace/ }).click();
    const file = JSON.parse(readFileSync((await (await download).path())!, "utf8")) as TraceFile;
    const tracks = file.traceEvents.filter(({ name }) => name === "thread_name").map(({ args }) => args?.name);
    expect(tracks).toContain("control");
    expect(file.traceEvents.some(({ ph, name }) => ph === "X" && name === "control")).toBe(true);
    expect(file.traceEvents.some(({ ph }) => ph === "s")).toBe(true);
  });

  it.each([
    ["light", 1440, 900],
    ["dark", 1440, 900],
    ["light", 390, 844],
    ["dark", 390, 844],
  ] as const)("keeps a picture of itself: %s, %d wide", { timeout: 2 * WAIT_MS }, async (scheme, width, height) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    await page.getByLabel("Search fields").fill("control.commands");
    if ((await page.locator(".field-plot").count()) === 0) {
      await page.locator(".field-name", { hasText: /^q\[\]$/ }).click();
      await expect.poll(samples, POLL).toBeGreaterThan(100);
    }
    const widths = await page
      .locator("html")
      .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    expect(widths.scrollWidth).toBeLessThanOrEqual(widths.clientWidth);
    await page.screenshot({ path: join(pictures, `system-${scheme}-${width}.png`), timeout: WAIT_MS });
  });
});

describe.skipIf(!isDeep)("the sheet System on a run with eyes in real time", () => {
  it("stops a camera, and restarts it", { timeout: 8 * WAIT_MS }, async () => {
    const [browser, service] = await Promise.all([
      launchBrowser(),
      RealService.start("--robot", "agile-justin", "--perception", "images", "--seed", "1"),
    ]);
    try {
      mkdirSync(pictures, { recursive: true });
      const { page } = await openPage(browser, `${service.address}/?render=paused#system`, {
        width: 1440,
        height: 900,
      });
      page.setDefaultTimeout(2 * WAIT_MS);
      await page.locator(".graph-node.running[data-node='camera-left']").click();
      const details = page.getByRole("region", { name: "Node" });
      await details.getByText("Stops and starts with detector-left").waitFor();
      await details.getByRole("button", { name: "Stop", exact: true }).click();
      await page.waitForSelector(".graph-node.stopped[data-node='detector-left']");
      await page.waitForSelector(".graph-node.lacking[data-node='tracker']");
      await details.getByRole("button", { name: "Start", exact: true }).click();
      await page.waitForSelector(".graph-node.running[data-node='camera-left']");
      await details.getByRole("button", { name: "Restart" }).click();
      await details.getByText("running, restarted 2 times").waitFor();
      await page.getByLabel("Search fields").fill("control.commands");
      await page.locator(".field-name", { hasText: /^q\[\]$/ }).click();
      const plot = page.locator(".field-plot").first();
      await expect.poll(async () => Number(await plot.getAttribute("data-samples")), POLL).toBeGreaterThan(400);
      await page.screenshot({ path: join(pictures, "system-eyes.png"), timeout: WAIT_MS });
    } finally {
      await browser.close();
      await service.close();
    }
  });
});
