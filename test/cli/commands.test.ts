import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { runCli } from "../../src/cli/program.js";
import { packageRoot } from "../../src/runtime/package-root.js";

/** Runs a command that ends by itself, in this process, and catches what it prints. */
async function run(...args: string[]) {
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    });
  }
  try {
    return { status: await runCli(["node", "flycatcher", ...args]), ...printed };
  } finally {
    vi.restoreAllMocks();
  }
}

/** Starts `serve` as a process of its own and waits for the line with the address. */
async function serve(...args: string[]) {
  const main = join(packageRoot, "dist", "bundle", "cli", "main.js");
  const child = spawn(process.execPath, [main, "serve", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  const stop = async (signal: NodeJS.Signals): Promise<number> => {
    child.kill(signal);
    const [code] = await once(child, "exit");
    return code as number;
  };
  return { line: line as string, stop };
}

describe("robots of one's own", () => {
  const folder = mkdtempSync(join(tmpdir(), "flycatcher-own-"));
  const before = process.env.FLYCATCHER_ROBOTS;
  cpSync(join(packageRoot, "data", "robots", "lwr-arm"), join(folder, "my-arm"), { recursive: true });
  afterEach(() => {
    if (before === undefined) delete process.env.FLYCATCHER_ROBOTS;
    else process.env.FLYCATCHER_ROBOTS = before;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("are known by name to every command, by option, setting and variable", async () => {
    const list = async (...args: string[]) => (await run("robot", "list", ...args)).stdout;
    expect(await list()).not.toContain("my-arm");
    expect(await list("--robots", folder)).toContain("my-arm");
    delete process.env.FLYCATCHER_ROBOTS;
    expect((await run("graph", "--set", `robots=${folder}`, "--set", "robot=my-arm")).status).toBe(0);
    process.env.FLYCATCHER_ROBOTS = folder;
    expect((await run("robot", "show", "my-arm")).status).toBe(0);
  });

  it("must be in a folder that exists", async () => {
    const { stderr, status } = await run("robot", "list", "--robots", join(folder, "nowhere"));
    expect(status).toBe(1);
    expect(stderr).toContain("FLY_ROBOT_FOLDER");
  });

  it("are served by the path of one, under the name of its folder", async () => {
    const service = await serve("--set", `robot=${join(folder, "my-arm", "robot.json")}`, "--port", "0");
    try {
      const address = /http:\S+?(?=;)/.exec(service.line)?.[0];
      const robots = (await (await fetch(`${address}/v1/robots`)).json()) as { default: string };
      expect(robots.default).toBe("my-arm");
      expect((await fetch(`${address}/v1/robots/my-arm/scene`)).status).toBe(200);
      const request = (await run("plan", "--example", join(folder, "my-arm"))).stdout;
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${address}/v1/plan`, { method: "POST", headers, body: request });
      expect(await answer.json()).toMatchObject({ robot: "my-arm", catch: { time: expect.any(Number) as number } });
    } finally {
      await service.stop("SIGTERM");
    }
  });
});

describe("flycatcher config", () => {
  it("show prints the active configuration, tokens masked", async () => {
    const settings = ["--set", "planning.mode=cool", "--set", "service.token=hush"];
    const { stdout, status } = await run("config", "show", "--profile", "tabletop", ...settings);
    expect(status).toBe(0);
    expect(stdout).not.toContain("hush");
    expect(JSON.parse(stdout)).toMatchObject({
      robot: "lwr-arm",
      parts: ["planning", "service"],
      planning: { mode: "cool" },
      service: { token: "***" },
    });
  });

  it("show leaves an empty token empty", async () => {
    expect(JSON.parse((await run("config", "show")).stdout)).toMatchObject({ service: { token: "" } });
  });

  it("show says what is wrong and what to do", async () => {
    const { stderr, stdout, status } = await run("config", "show", "--set", "service.prot=1");
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^FLY_CONFIG_INVALID: .*\/service\/prot: expected one of the keys host, port/);
    expect(stderr).toContain("docs/configuration.md");
  });

  it("profiles lists them with what they are for", async () => {
    const { stdout } = await run("config", "profiles");
    expect(stdout).toMatch(/^default {3}\S.*\nlockstep {2}\S.*\nserve {5}\S/);
  });
});

describe("flycatcher serve", () => {
  it("prints its address in one line and closes when interrupted", async () => {
    const { line, stop } = await serve("--port", "0", "--set", "robot=panda");
    const address = /^Flycatcher serves panda at (http:\/\/127\.0\.0\.1:\d+); .*\n$/.exec(line)?.[1];
    expect(address).toBeDefined();
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    expect(await stop("SIGINT")).toBe(0);
  });

  it("says plainly that a port is taken, and closes when terminated", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const { port } = blocker.address() as AddressInfo;
    const { line, stop } = await serve("--port", String(port));
    expect(line).toContain(`(port ${port} is taken)`);
    expect(await stop("SIGTERM")).toBe(0);
    blocker.close();
  });

  it("serves a network address to those who carry the token", async () => {
    const { line, stop } = await serve("--host", "0.0.0.0", "--port", "0", "--token", "hush-hush-hush");
    const url = `http://127.0.0.1:${/:(\d+)/.exec(line)?.[1]}/v1/robots`;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: "Bearer hush-hush-hush" } })).status).toBe(200);
    await stop("SIGINT");
  });

  it("refuses a network address without a token", async () => {
    const { status, stderr } = await run("serve", "--host", "0.0.0.0", "--port", "0");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^FLY_SERVICE_TOKEN_REQUIRED: .*\n.*--token/);
  });

  it("refuses a port that is none", async () => {
    const { status, stderr } = await run("serve", "--port", "http");
    expect(status).toBe(1);
    expect(stderr).toContain('/service/port: expected an integer from 0 to 65535, found "http"');
  });
});
