import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";
import { launchBrowser, openPage } from "./support/browser.js";
import { SessionServer } from "./support/session-server.js";
import { shippedRecording } from "./support/shipped-recording.js";

/** Pictures of the main states are kept here; docs/images has those of the last release. */
const pictures = join(packageRoot, "dist", "page-pictures");

/** Robots are loaded, balls caught and pictures drawn by the processor, perhaps beside other tests. */
const WAIT_MS = 60_000;
const isConnected = ".status[data-connection='connected']";

/** Where the picture's usual view looks from and to [m], how wide [°], and the shape of picture it was chosen for. */
const eye = { from: [3.6, -4.8, 2.05], at: [1.85, 0.25, 1.08], angle: 40, aspect: 1.25 } as const;

/** Where a point of the world is seen on the page [px]: a pinhole camera, worked out by hand. */
function seenAt(point: readonly number[], box: { x: number; y: number; width: number; height: number }) {
  const retreat = Math.max(1, eye.aspect / (box.width / box.height));
  const from = eye.at.map((at, k) => at + retreat * (eye.from[k]! - at));
  const unit = (vector: readonly number[]) => vector.map((value) => value / Math.hypot(...vector));
  const cross = ([a, b, c]: readonly number[], [d, e, f]: readonly number[]) => [
    b! * f! - c! * e!,
    c! * d! - a! * f!,
    a! * e! - b! * d!,
  ];
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, k) => sum + value * b[k]!, 0);
  const forward = unit(eye.at.map((at, k) => at - from[k]!));
  const right = unit(cross(forward, [0, 0, 1]));
  const up = cross(right, forward);
  const way = point.map((value, k) => value - from[k]!);
  const scale = box.height / 2 / Math.tan((eye.angle * Math.PI) / 360) / dot(way, forward);
  return [box.x + box.width / 2 + scale * dot(way, right), box.y + box.height / 2 - scale * dot(way, up)] as const;
}

/** How long the page may take to play a part of a second, on a machine with much else to do. */
const PLAYED = { timeout: 60_000, interval: 200 };

describe("the page", () => {
  let browser: Browser;
  let server: SessionServer;

  beforeAll(async () => {
    expect(existsSync(join(packageRoot, "dist", "web", "index.html")), "npm run build makes the page").toBe(true);
    mkdirSync(pictures, { recursive: true });
    [browser, server] = await Promise.all([launchBrowser(), SessionServer.start({ robot: "lwr-arm" })]);
  }, 2 * WAIT_MS);

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = async (path = "/?render=paused", at = server): ReturnType<typeof openPage> => {
    const opened = await openPage(browser, `${at.address}${path}`);
    opened.page.setDefaultTimeout(WAIT_MS);
    return opened;
  };

  it("loads without an error under a strict content-security-policy", async () => {
    const { page, errors } = await open();
    await page.waitForSelector(isConnected);
    await page.waitForSelector(".view-bar");
    await page.waitForSelector(".states .state.watching.lit");
    expect(await page.title()).toBe("Flycatcher");
    expect(errors).toEqual([]);
    await page.close();
  });

  it("shows the catch of a ball thrown from it", async () => {
    const { page, errors } = await open();
    await page.waitForSelector(isConnected);
    await page.getByRole("button", { name: "Throw a ball" }).click();
    await page.waitForSelector(".score-now[data-state='flying']");
    await page.waitForSelector(".score-last[data-outcome='caught']");
    expect(await page.textContent(".history")).toContain("grasping → holding");
    expect(await page.textContent(".score-count")).toBe("1");
    expect(await page.locator(".throws .caught").count()).toBe(1);
    expect(await page.locator(".span.plan").count()).toBeGreaterThan(3);
    expect(await page.textContent(".latencies")).toMatch(/\d ms/);
    expect(errors).toEqual([]);
    await page.close();
  });

  it("stops the robot by the space bar, once for each press, and shows after how long", async () => {
    const { page } = await open();
    await page.waitForSelector(isConnected);
    for (let press = 0; press < 3; press++) {
      const before = server.stops.length;
      await page.keyboard.press("Space");
      await page.waitForSelector(".banner[data-kind='stop']:not([hidden])");
      expect(server.stops).toHaveLength(before + 1);
      await page.waitForSelector(".banner:has-text('ms after it was asked')");
      expect(Number(await page.getAttribute(".stop", "data-braked-after"))).toBeGreaterThan(0);
      await page.keyboard.press("r");
      await page.waitForSelector(".banner", { state: "hidden" });
    }
    await page.close();
  });

  it("stops by the space bar even where a button has the focus, and leaves texts alone", async () => {
    const { page } = await open();
    await page.waitForSelector(isConnected);
    const throwsBefore = server.requests.filter((request) => request.endsWith("/throws")).length;
    const stopsBefore = server.stops.length;
    await page.getByRole("button", { name: "Throw a ball" }).focus();
    await page.keyboard.press("Space");
    await page.waitForSelector(".banner[data-kind='stop']:not([hidden])");
    expect(server.stops).toHaveLength(stopsBefore + 1);
    expect(server.requests.filter((request) => request.endsWith("/throws"))).toHaveLength(throwsBefore);
    await page.keyboard.press("r");
    await page.getByRole("button", { name: "Token" }).click();
    await page.locator("#token").fill("a b");
    await page.locator("#token").press("Space");
    expect(server.stops).toHaveLength(stopsBefore + 1);
    await page.close();
  });

  it("changes mode, challenges and pace as asked", async () => {
    const { page } = await open();
    await page.waitForSelector(isConnected);
    await page.getByRole("button", { name: "cool" }).click();
    await page.waitForSelector("button[aria-pressed='true']:text-is('cool')");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.waitForSelector("button:text-is('Go on')");
    await page.getByRole("button", { name: "+10 ms" }).click();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByLabel("shake").focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector("output:text-is('× 1.25')");
    await page.getByRole("button", { name: "soft" }).click();
    await page.waitForSelector("button[aria-pressed='true']:text-is('soft')");
    expect(server.requests).toContain("POST /v1/live/step");
    await page.close();
  });

  it("launches a ball by an arrow that is dragged in the picture", async () => {
    const { page, errors } = await open();
    await page.waitForSelector(".view-bar");
    await page.getByRole("button", { name: "Aim in the picture" }).click();
    const figures = () => page.textContent(".aim-figures");
    const before = await figures();
    const box = (await page.locator(".scene-canvas").boundingBox())!;
    const [x, y] = seenAt([5, 0.1, 1.5], box);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 40, y - 30, { steps: 4 });
    await page.mouse.up();
    expect(await figures()).not.toBe(before);
    await page.getByRole("button", { name: "Launch it" }).click();
    await page.waitForSelector(".score-now[data-state='flying']");
    const { position, velocity } = server.launches.at(-1)!;
    // The ball was moved in the plane that faces the viewer; how it is thrown has stayed.
    expect(seenAt(position, box)[0]).toBeCloseTo(x - 40, 0);
    expect(seenAt(position, box)[1]).toBeCloseTo(y - 30, 0);
    expect(velocity).toEqual([-4.9, -0.2, 4.7]);
    // The arrow's tip is 0.14 m from the ball for each metre a second.
    const tip = (k: number) => position[k]! + 0.14 * velocity[k]!;
    const [u, v] = seenAt([tip(0), tip(1), tip(2)], box);
    await page.mouse.move(u, v);
    await page.mouse.down();
    await page.mouse.move(u, v + 25, { steps: 4 });
    await page.mouse.up();
    await page.getByRole("button", { name: "Launch it" }).click();
    await expect.poll(() => server.launches.length).toBeGreaterThan(1);
    const lower = server.launches.at(-1)!;
    expect(lower.position).toEqual(position);
    expect(lower.velocity[2]).toBeLessThan(velocity[2]! - 0.5);
    expect(errors).toEqual([]);
    await page.close();
  });

  it("plans on the playground in every mode, and says why a ball is out of reach", async () => {
    const { page, errors } = await open("/?render=paused#playground");
    await page.waitForSelector(".answers tbody tr:nth-child(4)");
    const statuses = await page
      .locator(".answers tbody tr")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-status")));
    expect(statuses).toHaveLength(4);
    for (const status of statuses) expect(status).toMatch(/solved|feasible/);
    await page.waitForSelector(".feasible-note:text('Can be caught from')");
    expect(await page.textContent(".code")).toContain("/v1/plan -H 'content-type: application/json'");
    await page.getByRole("button", { name: "TypeScript" }).click();
    expect(await page.textContent(".code")).toContain("planCatch(");
    await page.getByLabel("from y").fill("2");
    await page.waitForSelector(".answers tr[data-mode='soft'][data-status='unreachable']");
    expect(await page.textContent(".reasons")).toMatch(/out of reach|too fast/);
    expect(errors).toEqual([]);
    await page.close();
  });

  it("asks for a token, and sends it in a header alone", async () => {
    const token = "correct-horse";
    const closed = await SessionServer.start({ robot: "lwr-arm", token });
    const { page } = await open("/?render=paused", closed);
    await page.waitForSelector(".dialog[open] #token");
    await page.locator("#token").fill(token);
    await page.getByRole("button", { name: "Use it" }).click();
    await page.waitForSelector(isConnected);
    expect(closed.requests.some((request) => request.includes(token))).toBe(false);
    expect(page.url()).not.toContain(token);
    await page.close();
    await closed.close();
  });

  it("connects again by itself when the service is started again", async () => {
    const first = await SessionServer.start({ robot: "lwr-arm" });
    const port = Number(new URL(first.address).port);
    const { page } = await open("/?render=paused", first);
    await page.waitForSelector(isConnected);
    await first.close();
    await page.waitForSelector(".status[data-connection='lost'], .status[data-connection='connecting']");
    await page.waitForSelector(".banner:not([hidden])");
    const second = await SessionServer.start({ robot: "lwr-arm", port });
    await page.waitForSelector(isConnected);
    await page.getByRole("button", { name: "Throw a ball" }).click();
    await page.waitForSelector(".score-now[data-state='flying']");
    await page.close();
    await second.close();
  });

  it("begins with the playground where there is no live run, and says so on the sheet Live", async () => {
    const quiet = await SessionServer.start({ robot: "lwr-arm", live: "none" });
    const { page } = await open("/?render=paused", quiet);
    await page.waitForSelector(".answers");
    await page
      .getByRole("button", { name: "Live" })
      .or(page.getByRole("link", { name: "Live" }))
      .click();
    await page.waitForSelector(".banner:has-text('No live run')");
    await page.close();
    await quiet.close();
  });

  it("says plainly when the browser has no WebGL, and works on", async () => {
    const context = await browser.newContext();
    await context.addInitScript(
      "HTMLCanvasElement.prototype.getContext = ((own) => function (kind, ...rest) { return kind === '2d' ? own.call(this, kind, ...rest) : null; })(HTMLCanvasElement.prototype.getContext);",
    );
    const { page, errors } = await openPage(context, server.address);
    page.setDefaultTimeout(WAIT_MS);
    await page.waitForSelector(".no-webgl:has-text('no WebGL')");
    await page.waitForSelector(".states .state.lit");
    expect(await page.getByRole("button", { name: "Throw a ball" }).isEnabled()).toBe(true);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("scrubs a recording to its catch, and plays it on", async () => {
    const { page, errors } = await open("/?render=paused#replay");
    await page.getByRole("button", { name: "A ball" }).click();
    await page.getByRole("button", { name: "Jump to the catch" }).click();
    const caughtAt = Number(await page.getByLabel("Time", { exact: true }).inputValue());
    expect(caughtAt).toBeGreaterThan(0);
    await page.waitForSelector(".state.grasping.lit");
    await page.waitForSelector(".span.catch", { state: "attached" });
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector(".state.reaching.lit");
    expect(Number(await page.getByLabel("Time", { exact: true }).inputValue())).toBeCloseTo(caughtAt - 0.04, 3);
    await page.getByLabel("Time", { exact: true }).fill("0");
    await page.waitForSelector(".state.grasping.lit", { state: "detached" });
    await page.getByRole("button", { name: "Play or pause" }).click();
    // A slow browser may draw nothing between two states: that time goes on is all there is to wait for.
    await expect
      .poll(() => page.getByLabel("Time", { exact: true }).inputValue().then(Number), PLAYED)
      .toBeGreaterThan(0.2);
    expect(errors).toEqual([]);
    await page.close();
  });

  it("opens a recording that is dropped, and compares it with another", async () => {
    const { page, errors } = await open("/?render=paused#replay");
    await page.getByRole("button", { name: "A ball" }).click();
    await page.waitForSelector(".transport");
    const buffer = await shippedRecording();
    const file = { name: "dropped.mcap", mimeType: "application/octet-stream", buffer };
    await page.getByLabel("Open an MCAP file").setInputFiles(file);
    await page.getByRole("button", { name: "ball", exact: true }).click();
    await page.waitForSelector("button[aria-pressed='true']:text-is('ball')");
    await page.getByRole("button", { name: "Jump to the catch" }).click();
    await page.waitForSelector(".state.grasping.lit");
    expect(errors).toEqual([]);
    await page.close();
  });

  it("says what is wrong with a file that is none of ours", async () => {
    const { page } = await open("/?render=paused#replay");
    const file = {
      name: "poem.mcap",
      mimeType: "application/octet-stream",
      buffer: Buffer.from("O for a muse of fire"),
    };
    await page.getByLabel("Open an MCAP file").setInputFiles(file);
    await page.waitForSelector(".toast.problem");
    await page.close();
  });

  describe("pictures", () => {
    let humanoid: SessionServer;
    beforeAll(async () => {
      humanoid = await SessionServer.start({ robot: "agile-justin" });
    }, 2 * WAIT_MS);
    afterAll(() => humanoid.close());

    it.each([
      ["light", { width: 1120, height: 700, scheme: "light" }],
      ["dark", { width: 800, height: 560, scheme: "dark" }],
      ["narrow", { width: 390, height: 700, scheme: "light" }],
    ] as const)(
      "keeps one of itself: %s",
      async (name, look) => {
        const { page, errors } = await openPage(browser, `${humanoid.address}/?render=rarely`, look);
        page.setDefaultTimeout(WAIT_MS);
        await page.waitForSelector(".view-bar");
        await page.waitForSelector(".scene-canvas[data-drawn]", { state: "attached" });
        const widths = await page
          .locator("html")
          .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
        expect(widths.scrollWidth).toBeLessThanOrEqual(widths.clientWidth);
        await page.screenshot({ path: join(pictures, `${name}.png`), timeout: 2 * WAIT_MS });
        expect(errors).toEqual([]);
        await page.close();
      },
      4 * WAIT_MS,
    );
  });
});
