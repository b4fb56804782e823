import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type BenchReport, type BenchSuite, report } from "./harness.js";

const usage = `Usage: npm run bench -- <suite> [--json] [--full] [--seed N] [--only a,b]

  --json   one JSON object on stdout: { suite, date, node, cpu, metrics }
  --full   the whole of what the suite states; the default is a seeded slice of about a minute
  --only   parts of a suite that has some, with commas between; docs/benchmarks.md names them
  --seed   seed of the suite's random data (default 1)

npm prints two lines of its own before it; \`npm run --silent bench -- robot --json | jq .metrics\` leaves them out.
`;

const folder = dirname(fileURLToPath(import.meta.url));
const suffix = ".bench.js";
const available = readdirSync(folder)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length))
  .sort();

async function loadSuite(name: string): Promise<BenchSuite> {
  const module = (await import(pathToFileURL(join(folder, name + suffix)).href)) as { suite: BenchSuite };
  return module.suite;
}

function formatTable(result: BenchReport): string {
  const names = Object.keys(result.metrics);
  const width = Math.max(...names.map((name) => name.length));
  const rows = names.map((name) => `  ${name.padEnd(width)}  ${formatNumber(result.metrics[name] ?? Number.NaN)}`);
  return [`${result.suite}  ${result.date}  node ${result.node}  ${result.cpu}`, ...rows].join("\n");
}

function formatNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 1000 ? value.toFixed(0) : value.toPrecision(4);
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      full: { type: "boolean", default: false },
      seed: { type: "string", default: "1" },
      only: { type: "string", default: "" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const name = positionals[0];
  const seed = Number(values.seed);
  if (name === undefined || values.help || !available.includes(name) || !Number.isSafeInteger(seed)) {
    process.stderr.write(`${usage}\nSuites: ${available.join(", ")}\n`);
    return values.help ? 0 : 1;
  }
  const suite = await loadSuite(name);
  const progress = (message: string): void => void process.stderr.write(`${suite.name}: ${message}\n`);
  const only = values.only.split(",").filter((part) => part !== "");
  const result = report(suite, await suite.run({ seed, full: values.full, only, progress }));
  process.stdout.write(`${values.json ? JSON.stringify(result) : formatTable(result)}\n`);
  return 0;
}

process.exitCode = await main();
