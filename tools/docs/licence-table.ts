import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/runtime/package-root.js";

/** A package that an installation of Flycatcher contains, as `package-lock.json` has it. */
interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface InstalledPackage extends LockedPackage {
  readonly name: string;
  readonly folder: string;
}

/** What the page's files and the programs in `dist/bundle/` contain: these packages, and those that they need. */
export const bundledPackages = ["@foxglove/wasm-zstd", "@mcap/core", "three", "typebox", "uplot"];

const begin = "<!-- Written by `npm run docs` from package-lock.json; do not edit. -->";
const end = "<!-- End of what `npm run docs` writes. -->";

/** `docs/dependencies.md` with its table of licences renewed. */
export function renderDependencies(): string {
  const page = readFileSync(join(packageRoot, "docs", "dependencies.md"), "utf8");
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error("docs/dependencies.md has no place for the licences");
  return `${before}${begin}\n\n${licenceTable()}\n${end}${after}`;
}

/** `licences/bundled.txt`: the licences of all packages that the built files contain. */
export function renderBundledLicences(): string {
  const texts = closure(bundledPackages).map((installed) => {
    const { name, version, license = "" } = installed;
    return `${"=".repeat(80)}\n${name} ${version} (${license})\n${"=".repeat(80)}\n\n${licenceText(installed).trimEnd()}\n`;
  });
  const opening =
    "The files in dist/bundle/ and dist/web/ contain the following packages. Written by `npm run docs` from node_modules/.\n";
  return `${opening}\n${texts.join("\n")}`;
}

function licenceTable(): string {
  // What an optional package brings is there or not.
  const installed = locked().filter(({ dev, optional, devOptional }) => !(dev || optional || devOptional));
  const byLicence = new Map<string, Set<string>>();
  for (const { name, license = "none declared" } of installed) {
    byLicence.set(license, (byLicence.get(license) ?? new Set()).add(name));
  }
  const rows = [...byLicence]
    .sort(([, one], [, other]) => other.size - one.size)
    .map(
      ([licence, names]) => `| ${licence} | ${names.size} | ${[...names].map((name) => `\`${name}\``).join(", ")} |`,
    );
  const without = installed.filter((one) => licenceFile(one) === undefined).map(({ name }) => `\`${name}\``);
  return [
    "| licence, as declared | packages | which |\n|---|---|---|",
    ...rows,
    `\nWithout a file of their own with the licence: ${without.join(", ")}.\n`,
  ].join("\n");
}

function locked(): InstalledPackage[] {
  const { packages } = JSON.parse(readFileSync(join(packageRoot, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return Object.entries(packages)
    .filter(([folder]) => folder !== "")
    .map(([folder, facts]) => ({ ...facts, folder, name: folder.slice(folder.lastIndexOf("node_modules/") + 13) }));
}

/** These packages and all that they depend on, in the order of their names. */
function closure(names: readonly string[]): InstalledPackage[] {
  const byFolder = new Map(locked().map((installed) => [installed.folder, installed]));
  const found = new Map<string, InstalledPackage>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const installed = byFolder.get(`node_modules/${name}`);
    if (installed === undefined || found.has(name)) continue;
    found.set(name, installed);
    waiting.push(...Object.keys(installed.dependencies ?? {}));
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function licenceFile({ folder }: InstalledPackage): string | undefined {
  return readdirSync(join(packageRoot, folder)).find((file) => /^(licen[cs]e|copying)/i.test(file));
}

function licenceText(installed: InstalledPackage): string {
  const file = licenceFile(installed);
  if (file === undefined)
    throw new Error(`${installed.name} is built into files of the package and has no licence file`);
  return readFileSync(join(packageRoot, installed.folder, file), "utf8").replaceAll("\r\n", "\n");
}
