import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";
import { documentedCode, extractCodeBlocks } from "./code-blocks.js";
import { parseCurl } from "./curl.js";

const cli = join(packageRoot, "dist", "bundle", "cli", "main.js");
const { scripts } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const commands = documentedCode(packageRoot)
  .filter((block) => block.language === "sh")
  .flatMap((block) => block.code.split("\n").map((line) => ({ place: block.place, line: line.replace(/\s+#.*$/, "") })))
  .filter(({ line }) => line.trim() !== "");

/** Commands that run for ever, install, or are this very test: each is covered below or by running at all. */
const covered = [
  /^npm ci\b/,
  /^npm (run )?(start|test|build|check|docs|format)\b/,
  /^(?:[A-Z_]+=\S+ )*npm run (bench|test:)/,
  /^git clone /,
  /^cd /,
];
/** These build on one another; `first-catch.test.ts` runs them. */
const isSeries = (place: string) => place.startsWith("docs/first-catch.md:");
const finite = onceEach(
  commands.filter(
    ({ line, place }) =>
      /^npx flycatcher /.test(line) && !/ (serve|live|robot-sim|bringup)\b/.test(line) && !isSeries(place),
  ),
);
const requests = commands.filter(({ line }) => /^curl /.test(line));

/** Several pages may show the same command. */
function onceEach(shown: readonly { readonly place: string; readonly line: string }[]) {
  return [...new Map(shown.map((command) => [command.line, command])).values()];
}

describe("the commands in the documentation", () => {
  // What they write does not stay in the project.
  const folder = mkdtempSync(join(tmpdir(), "flycatcher-docs-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("are all of a kind that is tested", () => {
    const known = [...covered, /^npx flycatcher /, /^curl /];
    const unknown = commands.filter(({ line }) => !known.some((pattern) => pattern.test(line)));
    expect(unknown).toEqual([]);
  });

  it("name only scripts of package.json and suites of bench/", () => {
    for (const { line } of commands) {
      const script = /^npm run (?:--silent )?(\S+)/.exec(line)?.[1];
      if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
      const suite = /^npm run (?:--silent )?bench -- ([a-z]\S*)/.exec(line)?.[1];
      if (suite !== undefined) expect(existsSync(join(packageRoot, "bench", `${suite}.bench.ts`))).toBe(true);
    }
  });

  it.each(finite)("$place: $line", ({ line }) => {
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", line.replaceAll("npx flycatcher", `${process.execPath} ${cli}`).replaceAll("--out ", `--out ${folder}/`)],
      {
        cwd: packageRoot,
        encoding: "utf8",
      },
    );
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("npm start serves until it is interrupted, and every curl line gets an answer", async () => {
    // Its build has run, and does nothing again.
    const command = scripts.start ?? "";
    const service = spawn("sh", ["-c", command], {
      cwd: packageRoot,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    try {
      const address = await printedAddress(service.stdout);
      for (const { line } of requests) {
        const { url, ...request } = parseCurl(line, packageRoot);
        const here = new URL(new URL(url).pathname, address);
        const response = await fetch(here, { ...request, body: request.body ?? null });
        expect({ line, ok: response.ok, text: await response.text() }).toMatchObject({ line, ok: true });
      }
    } finally {
      process.kill(-(service.pid ?? 0), "SIGINT");
    }
    await once(service, "exit");
  });
});

async function printedAddress(output: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of output) {
    text += String(chunk);
    const address = /http:\/\/\S+:\d+/.exec(text)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`npm start ended without an address: ${text}`);
}

describe("extractCodeBlocks", () => {
  it("gives place, language and code of each fence", () => {
    const page = "# A\n\n```ts\nlet a;\n```\n\ntext\n\n```sh\nnpm test\n```\n";
    expect(extractCodeBlocks("p.md", page)).toEqual([
      { place: "p.md:3", language: "ts", code: "let a;\n" },
      { place: "p.md:9", language: "sh", code: "npm test\n" },
    ]);
  });
});

describe("parseCurl", () => {
  it("reads address, method, headers and data", () => {
    expect(parseCurl(`curl -s http://h:1/v1/plan -H 'content-type: application/json' -d '{"a": 1}'`, ".")).toEqual({
      url: "http://h:1/v1/plan",
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"a": 1}',
    });
    expect(parseCurl("curl http://h:1/healthz", ".").method).toBe("GET");
    expect(parseCurl("curl -s http://h:1/ -d @package.json", packageRoot).body).toContain('"name": "flycatcher"');
  });

  it("refuses what it does not understand", () => {
    expect(() => parseCurl("curl --proxy x http://h:1/", ".")).toThrow("--proxy");
  });
});
