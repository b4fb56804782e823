import { spawnSync } from "node:child_process";

/** Debian's packages of the libraries that Chromium loads. */
const debianPackages: Readonly<Record<string, string>> = {
  "libnspr4.so": "libnspr4",
  "libplc4.so": "libnspr4",
  "libplds4.so": "libnspr4",
  "libnss3.so": "libnss3",
  "libnssutil3.so": "libnss3",
  "libexpat.so.1": "libexpat1",
  "libsqlite3.so.0": "libsqlite3-0",
  "libgcc_s.so.1": "libgcc-s1",
};

/** What `ldd` does not find for an executable. */
export function missingLibraries(path: string, environment: Readonly<Record<string, string>>): readonly string[] {
  const { stdout } = spawnSync("ldd", [path], { env: { ...process.env, ...environment }, encoding: "utf8" });
  return parseMissing(stdout ?? "");
}

export function parseMissing(lddOutput: string): readonly string[] {
  return [...new Set([...lddOutput.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name!))];
}

/** One sentence: which libraries are missing and which packages of Debian have them. */
export function describeMissing(libraries: readonly string[]): string {
  if (libraries.length === 0) return "no shared library is missing";
  const packages = [...new Set(libraries.map((name) => debianPackages[name]).filter((name) => name !== undefined))];
  const advice = packages.length === 0 ? "" : ` (Debian: apt-get install ${packages.join(" ")})`;
  return `missing shared libraries: ${libraries.join(", ")}${advice}`;
}
