import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A `curl` line of the documentation as a request, so that it can be tried where there is no curl. */
export interface CurlRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/** Understands what our pages use: -s, -N, -H, -X, -d (with `@file`, relative to `folder`) and one address. */
export function parseCurl(line: string, folder: string): CurlRequest {
  const words = shellWords(line).slice(1);
  const headers: Record<string, string> = {};
  let url = "";
  let method: string | undefined;
  let body: string | undefined;
  while (words.length > 0) {
    const word = words.shift()!;
    if (/^-[sSfNi]+$/.test(word)) continue;
    if (word === "-X") method = words.shift()!;
    else if (word === "-d" || word === "--data-binary") body = dataOf(words.shift()!, folder);
    else if (word === "-H") {
      const [name = "", value = ""] = words.shift()!.split(/:\s*/, 2);
      headers[name] = value;
    } else if (word.startsWith("-")) throw new Error(`curl option ${word} is not understood in: ${line}`);
    else url = word;
  }
  return { url, method: method ?? (body === undefined ? "GET" : "POST"), headers, body };
}

function dataOf(word: string, folder: string): string {
  return word.startsWith("@") ? readFileSync(join(folder, word.slice(1)), "utf8") : word;
}

/** Words of a shell line, with single and double quotes. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? "",
  );
}
