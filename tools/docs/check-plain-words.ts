import { readFileSync } from "node:fs";
import { findings } from "./plain-words.js";

/** `node dist/tools/docs/check-plain-words.js docs/live.md …` prints what is not plain English in these files. */
const found = process.argv.slice(2).flatMap((path) => {
  return findings(path, readFileSync(path, "utf8")).map(({ line, problem }) => `${path}:${line}  ${problem}`);
});
for (const line of found) console.log(line);
process.exitCode = found.length === 0 ? 0 : 1;
