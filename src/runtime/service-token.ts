import { readFileSync } from "node:fs";
import type { Config } from "./config-schema.js";
import { unreadableFile } from "./json-file.js";
import { assertFits } from "./schema-problems.js";
import type { JsonSchema } from "./schema-words.js";

/** The environment variable that may hold the service's token. */
export const TOKEN_VARIABLE = "FLYCATCHER_TOKEN";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The token in force: the setting, else the first line of the file that `tokenFile` names, else the environment's. The last two
 * keep it out of the list of processes. Refused where it does not fit the schema of the setting.
 */
export function tokenOf({ token, tokenFile }: Config["service"], schema: JsonSchema, environment: Environment): string {
  if (token !== "") return token;
  const found = tokenFile === "" ? (environment[TOKEN_VARIABLE] ?? "") : firstLine(tokenFile);
  const source = tokenFile === "" ? TOKEN_VARIABLE : tokenFile;
  assertFits(schema as object, found, "FLY_CONFIG_INVALID", `The token of ${source} is wrong`);
  return found;
}

function firstLine(path: string): string {
  try {
    return readFileSync(path, "utf8").split(/\r?\n/, 1)[0]!.trim();
  } catch (cause) {
    throw unreadableFile(path, cause);
  }
}
