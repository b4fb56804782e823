import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";

const folder = join(packageRoot, "examples");
const programs = readdirSync(folder).filter((file) => /\.(ts|py)$/.test(file));

/** Runs an example as its header says, and gives what it printed. */
function run(file: string, ...args: string[]): string {
  const [command, path] = file.endsWith(".py")
    ? ["python3", join(folder, file)]
    : [process.execPath, join(packageRoot, "dist", "examples", file.replace(/\.ts$/, ".js"))];
  const { status, stdout, stderr, error } = spawnSync(command, [path, ...args], {
    cwd: packageRoot,
    encoding: "utf8",
    timeout: 100_000,
  });
  if (error !== undefined) throw new Error(`${command} cannot be started, so that ${file} cannot be tested`);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

describe("the examples", () => {
  it("are numbered, and each says what it shows, how it is run and what it prints", () => {
    expect(programs.map((file) => Number(file.slice(0, 2)))).toEqual(programs.map((_, k) => k + 1));
    for (const file of programs) {
      const text = readFileSync(join(folder, file), "utf8");
      const head = text.split(/\*\/|"""\n\n/, 1)[0]!;
      expect(head, file).toMatch(/Run: {4}\S/);
      expect(head, file).toMatch(/Prints: \S/);
      expect(head, file).toContain(
        file.endsWith(".py") ? `examples/${file}` : `dist/examples/${file.replace(".ts", ".js")}`,
      );
      const lines = text.trimEnd().split("\n").length;
      expect(lines, file).toBeGreaterThanOrEqual(20);
      expect(lines, file).toBeLessThanOrEqual(80);
    }
  });

  it("import only what users of the package have", () => {
    for (const file of programs.filter((name) => name.endsWith(".ts"))) {
      const imports = Array.from(
        readFileSync(join(folder, file), "utf8").matchAll(/from "([^"]+)"/g),
        ([, from]) => from,
      );
      for (const from of imports) expect(from, file).toMatch(/^(flycatcher|ws|node:\w+)$/);
    }
  });

  it("are all in the README, each with what it prints", () => {
    const page = readFileSync(join(folder, "README.md"), "utf8");
    for (const file of programs) {
      expect(page).toContain(`](${file})`);
      expect(page).toContain(`### ${file.slice(0, 2)}\n\n\`\`\`text\n`);
    }
  });
});

describe("an example alone", () => {
  it("01 plans a catch", () => {
    const text = run("01-plan-a-catch.ts");
    expect(text).toMatch(/^The hand meets the ball after 0\.\d{3} s at ([-\d.]+, ){2}[-\d.]+ m\.$/m);
    expect(text.match(/^arm\d: /gm)).toHaveLength(7);
    expect(text).toMatch(/^No catch \(no-flight\): The ball flies away/m);
  });

  it("02 tracks points", () => {
    const text = run("02-track-points.ts");
    expect(text).toContain("ball 1 was thrown");
    const [, x, y, z] = /flies at (\S+), (\S+), (\S+) m\/s/.exec(text)!.map(Number);
    // Free flight of 0.36 s, with some drag.
    expect(x).toBeCloseTo(-5.8, 0);
    expect(y).toBeCloseTo(0, 1);
    expect(z).toBeCloseTo(2.5 - 9.81 * 0.36, 0);
    expect(text).toMatch(/^It passes x = 0\.5 m at 0\.\d{3} s, y = 0\.2\d? m/m);
  });

  it("03 catches in lock-step, the same way every time", () => {
    const text = run("03-lock-step-catch.ts");
    expect(text).toMatch(/watching → reaching\n.*reaching → grasping\n.*grasping → holding\n/);
    expect(text).toMatch(/^caught after 0\.\d{3} s, \d\.\d mm off/m);
    expect(run("03-lock-step-catch.ts")).toBe(text);
  });

  it("04 drives a robot by its own driver", () => {
    const lines = run("04-own-driver.ts").trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^Servos of 2 ms lagged by up to 0\.0\d\d rad: caught\.$/);
    expect(lines[1]).toMatch(/^Servos of 100 ms .*: missed/);
  });

  it("05 sees with its own cameras", () => {
    const lines = run("05-own-frame-source.ts").trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) {
      const [, drawn, u, v, r] = /drawn at (\S+), .* found (\S+), (\S+), radius (\S+) px/.exec(line)!.map(Number);
      expect(Math.abs(u! - drawn!)).toBeLessThan(0.3);
      expect(Math.abs(v! - 300)).toBeLessThan(0.3);
      expect(Math.abs(r! - 14)).toBeLessThan(0.5);
    }
  });

  it("06 reads a recording", () => {
    const text = run("06-read-a-recording.ts");
    expect(text).toMatch(/^agile-justin, seen by circles, recorded with flycatcher /);
    expect(text).toMatch(/^ +\d+ predictions$/m);
    expect(text).toMatch(/s: \w+Arm watching → reaching\n.* s: throw 0 caught\n/s);
    expect(run("06-read-a-recording.ts", "data/throws/out-of-reach/01.mcap")).toMatch(/throw 0 no-plan/);
  });
});

describe("an example beside a service", () => {
  let service: ChildProcess;
  let address = "";

  beforeAll(async () => {
    const main = join(packageRoot, "dist", "bundle", "cli", "main.js");
    const args = ["live", "--serve", "--lockstep", "--robot", "lwr-arm", "--perception", "truth", "--port", "0"];
    service = spawn(process.execPath, [main, ...args], { cwd: packageRoot, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    for await (const chunk of service.stdout!.iterator({ destroyOnReturn: false })) {
      text += String(chunk);
      if (text.includes("waits for balls")) break;
    }
    service.stdout!.resume();
    address = /http:\S+:\d+/.exec(text)![0];
  });

  afterAll(async () => {
    service.kill("SIGINT");
    await once(service, "exit");
  });

  it("07 watches the stream from TypeScript", () => {
    const text = run("07-watch-the-stream.ts", address, "2");
    expect(text).toMatch(/^lwr-arm, software \S+, protocol 1\n/);
    expect(text).toMatch(/^\d+\.\d\d s: (busy|waiting)$/m);
    expect(text.match(/: throw \d+ (caught|missed|no-plan)$/gm)).toHaveLength(2);
    expect(text).toMatch(/Poses came, too\.\n$/);
  });

  it("08 watches the stream from Python", () => {
    const text = run("08-watch-the-stream.py", address, "1");
    expect(text).toMatch(/^lwr-arm, software \S+\n/);
    expect(text.match(/: throw \d+ (caught|missed|no-plan)$/gm)).toHaveLength(1);
    expect(text).toMatch(/^At \d+\.\d\d s the first joint stood at -?\d\.\d{3}, of 19 joints\.$/m);
  });

  it("09 plans a batch from Python", () => {
    const lines = run("09-batch-of-plans.py", address).trimEnd().split("\n");
    expect(lines).toHaveLength(8);
    expect(lines[3]).toMatch(/^\+0\.0 m\/s: caught at 0\.\d{3} s, at most [\d.]+ rad\/s²$/);
    expect(lines[6]).toMatch(/^\+1\.5 m\/s: The ball /);
    expect(lines[7]).toContain("Did you mean lwr-arm?");
  });
});
