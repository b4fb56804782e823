import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { nodePorts } from "../../src/run/node-library.js";
import { priorities } from "../../src/run/real-time-options.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { type MessageType, packetOf } from "../../src/transport/message.js";
import { extractCodeBlocks } from "./code-blocks.js";

const page = readFileSync(join(packageRoot, "docs", "graph.md"), "utf8");
const cli = join(packageRoot, "dist", "bundle", "cli", "main.js");

/** The cells of a table of the page, row by row; the table is the first one below `heading`. */
function tableBelow(heading: string): string[][] {
  const lines = page.slice(page.indexOf(`\n## ${heading}\n`) + 1).split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  const end = lines.findIndex((line, k) => k > first && !line.startsWith("|"));
  return lines.slice(first + 2, end).map((line) => line.split("|").slice(1, -1).map(plain));
}

function plain(cell: string): string {
  return cell.replaceAll("`", "").trim();
}

function names(ports: object): string {
  return Object.keys(ports).join(" ") || "–";
}

async function messageRows(): Promise<string[][]> {
  const folder = join(packageRoot, "src", "messages");
  const rows: string[][] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".ts"))) {
    const compiled = join(packageRoot, "dist", "src", "messages", file.replace(/ts$/, "js"));
    const module = (await import(pathToFileURL(compiled).href)) as Record<string, Partial<MessageType>>;
    for (const type of Object.values(module)) {
      if (type?.fields === undefined || type.description === undefined || type.version === undefined) continue;
      const { byteLength } = packetOf(type as MessageType);
      rows.push([type.name!, file, String(type.version), String(byteLength), type.description]);
    }
  }
  return rows;
}

describe("docs/graph.md", () => {
  it("shows what `flycatcher graph` prints", () => {
    const { stdout } = spawnSync(process.execPath, [cli, "graph"], { cwd: packageRoot, encoding: "utf8" });
    expect(extractCodeBlocks("graph.md", page).map(({ code }) => code)).toContain(stdout);
  });

  it("lists every kind of node with its file and its ports", () => {
    const files = new Set(readdirSync(join(packageRoot, "src", "nodes")));
    const rows = tableBelow("Nodes");
    for (const [, file] of rows) expect(files).toContain(file);
    const listed = rows.map(([kind, , , ins, out]) => [kind, ins, out]);
    expect(listed).toEqual(Object.entries(nodePorts).map(([kind, ports]) => [kind, names(ports.in), names(ports.out)]));
  });

  it("lists every message", async () => {
    expect(tableBelow("Messages").sort()).toEqual((await messageRows()).sort());
  });

  it("gives the real-time priorities of placements", () => {
    const rows = tableBelow("Threads").filter((row) => row[3]?.startsWith("FIFO"));
    const { process: _, engine: __, ...ofThreads } = priorities;
    expect(Object.fromEntries(rows.map((row) => [row[0], Number(row[3]?.slice(5))]))).toEqual(ofThreads);
  });
});
