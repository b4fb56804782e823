import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type ConfigRequest, parseOverride, resolveConfig } from "../../src/runtime/config.js";
import { configSchema } from "../../src/runtime/config-schema.js";
import { FlycatcherError } from "../../src/runtime/errors.js";
import { listProfiles, loadProfileChain } from "../../src/runtime/profile.js";
import { findProblems, SchemaError } from "../../src/runtime/schema-problems.js";
import type { JsonSchema } from "../../src/runtime/schema-words.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-profiles-"));
afterAll(() => rmSync(folder, { recursive: true }));

function writeProfile(name: string, content: unknown): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

writeProfile("default", { description: "base", robot: "panda", parameters: { planning: { starts: 10, tMax: 1 } } });
writeProfile("fast", { extends: "default", parts: ["planning"], parameters: { planning: { starts: 20 } } });
writeProfile("late", { extends: ["default"], parts: ["service"], parameters: { planning: { tMax: 2 } } });
writeProfile("both", { extends: ["fast", "late"], robot: "iiwa-14", parameters: { run: { seed: 7 } } });
writeProfile("circle-a", { extends: "circle-b" });
writeProfile("circle-b", { extends: "circle-c" });
writeProfile("circle-c", { extends: "circle-b" });

const resolve = (request: ConfigRequest) => resolveConfig({ folder, ...request });

function failure(request: ConfigRequest): FlycatcherError {
  try {
    resolve(request);
  } catch (error) {
    expect(error).toBeInstanceOf(FlycatcherError);
    return error as FlycatcherError;
  }
  return expect.fail("it was accepted");
}

function leaves(schema: JsonSchema, path = ""): [string, JsonSchema][] {
  if (schema.properties === undefined) return [[path, schema]];
  return Object.entries(schema.properties).flatMap(([key, inner]) => leaves(inner, `${path}/${key}`));
}

describe("the configuration's schema", () => {
  it.each(leaves(configSchema as JsonSchema))("%s has all that the documentation needs", (_, schema) => {
    expect(schema.description).toMatch(/^[^\n]+\.$/);
    expect(schema.default).toBeDefined();
    expect(findProblems(schema as never, schema.default)).toEqual([]);
    if (schema.type === "integer" || schema.type === "number") {
      expect(schema.unit).toBeTypeOf("string");
      expect(schema.minimum).toBeTypeOf("number");
      expect(schema.maximum).toBeTypeOf("number");
    }
  });
});

describe("resolveConfig", () => {
  it("gives a whole configuration for every shipped profile", () => {
    const names = listProfiles();
    expect(names).toEqual(expect.arrayContaining(["default", "serve", "lockstep"]));
    for (const profile of names) expect(findProblems(configSchema, resolveConfig({ profile }))).toEqual([]);
    expect(resolveConfig().parts).toEqual([]);
    expect(resolveConfig({ profile: "serve" }).parts).toEqual(["planning", "service"]);
    expect(resolveConfig({ profile: "lockstep" }).run.clock).toBe("lock-step");
  });

  it("lets a profile say only what differs, each parent counting once", () => {
    const config = resolve({ profile: "both" });
    expect(config.robot).toBe("iiwa-14");
    // `late` extends `default` too: were `default` applied again after `fast`, starts would be 10.
    expect(config.planning).toMatchObject({ starts: 20, tMax: 2, mode: "soft" });
    expect(config.parts).toEqual(["planning", "service"]);
    expect(config.run.seed).toBe(7);
  });

  it("puts files on top of the profile and overrides on top of all", () => {
    const file = writeProfile("mine", { extends: "./late.json", parameters: { planning: { starts: 30 } } });
    expect(resolve({ profile: "fast", files: [file] }).planning).toMatchObject({ starts: 30, tMax: 2 });
    const overridden = resolve({
      profile: file,
      overrides: [
        "planning.starts=40",
        { planning: { tMax: 3 }, service: undefined },
        "parts=service",
        "run.seed=0x10",
      ],
    });
    expect(overridden.planning).toMatchObject({ starts: 40, tMax: 3 });
    expect(overridden.parts).toEqual(["service"]);
    expect(overridden.run.seed).toBe(16);
  });

  it("freezes all of it", () => {
    const config = resolve({}) as unknown as { service: { port: number }; parts: string[] };
    expect(() => {
      config.service.port = 1;
    }).toThrow(TypeError);
    expect(() => config.parts.push("x")).toThrow(TypeError);
    expect(Object.isFrozen(config)).toBe(true);
    expect(resolve({}).service.port).toBe(8080);
  });

  it("refuses a wrong value with path, expected and found", () => {
    const error = failure({ overrides: ["service.port=abc"] });
    expect(error.code).toBe("FLY_CONFIG_INVALID");
    expect(error.details).toMatchObject({
      path: "/service/port",
      expected: "an integer from 0 to 65535",
      found: '"abc"',
    });
    expect(error.message).toBe(
      'The configuration is wrong in --set service.port at /service/port: expected an integer from 0 to 65535, found "abc"',
    );
  });

  it("lists every problem of every source at once", () => {
    const bad = writeProfile("bad", {
      extends: "worse",
      parameters: { service: { prot: 1 }, planning: { mode: "hard" } },
      colour: "red",
    });
    writeProfile("worse", { parts: ["kitchen"], parameters: { log: { level: 3 } } });
    const error = failure({ profile: "bad", overrides: ["run.seed=-1", "nothing.here=1"] });
    expect(error).toBeInstanceOf(SchemaError);
    const places = (error as SchemaError).problems.map(({ source, path }) => `${source}${path}`).sort();
    expect(places).toEqual([
      "--set nothing.here/nothing",
      "--set run.seed/run/seed",
      "profile bad/colour",
      "profile bad/parameters/planning/mode",
      "profile bad/parameters/service/prot",
      "profile worse/parameters/log/level",
      "profile worse/parts/0",
    ]);
    for (const place of ["profile bad at /colour", "--set run.seed at /run/seed"]) {
      expect(error.message).toContain(place);
    }
    expect(failure({ profile: bad }).message).toContain("/colour");
  });

  it("does not print a token that is refused", () => {
    const error = failure({ overrides: ["service.token=my secret", "service.port=x"] });
    expect(error.message).not.toContain("my secret");
  });

  it("refuses profiles that extend one another in a circle, and names the circle", () => {
    const error = failure({ profile: "circle-a" });
    expect(error.code).toBe("FLY_PROFILE_CYCLE");
    expect(error.message).toContain("circle-b → circle-c → circle-b");
  });

  it("refuses an unknown profile and names those there are", () => {
    const error = failure({ profile: "nope" });
    expect(error.code).toBe("FLY_PROFILE_UNKNOWN");
    expect(error.message).toContain("both");
    expect(failure({ profile: writeProfile("orphan", { extends: "nobody" }) }).code).toBe("FLY_PROFILE_UNKNOWN");
  });

  it("refuses a file that is missing or is not JSON", () => {
    expect(failure({ files: [join(folder, "missing.json")] }).code).toBe("FLY_FILE_UNREADABLE");
    expect(failure({ files: [writeProfile("torn", "{ robot: ")] }).code).toBe("FLY_JSON_MALFORMED");
    expect(failure({ files: [writeProfile("number", "42")] }).code).toBe("FLY_CONFIG_INVALID");
  });

  it("lets no file or setting reach into prototypes", () => {
    const file = writeProfile("proto", '{ "parameters": { "__proto__": { "polluted": 1 } } }');
    expect(failure({ files: [file] }).code).toBe("FLY_CONFIG_INVALID");
    expect(failure({ overrides: ["__proto__.polluted=1"] }).code).toBe("FLY_CONFIG_INVALID");
    expect(failure({ overrides: ["constructor.prototype.polluted=1"] }).code).toBe("FLY_CONFIG_INVALID");
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe("parseOverride", () => {
  it.each([
    ["service.port=8080", { service: { port: 8080 } }],
    ["planning.budgetMs = 12.5", { planning: { budgetMs: 12.5 } }],
    ["service.token=a=b", { service: { token: "a=b" } }],
    ["service.token=", { service: { token: "" } }],
    ["service.port=", { service: { port: "" } }],
    ["parts=planning, service", { parts: ["planning", "service"] }],
    ["parts=", { parts: [] }],
    ["robot=panda", { robot: "panda" }],
  ])("%s", (text, value) => {
    expect(parseOverride(text).value).toEqual(value);
  });

  it.each(["service.port", "=1", ".port=1", "service..port=1", ""])("refuses %j", (text) => {
    expect(() => parseOverride(text)).toThrow(expect.objectContaining({ code: "FLY_CONFIG_OVERRIDE_MALFORMED" }));
  });
});

describe("loadProfileChain", () => {
  it("gives parents first", () => {
    const { profiles } = loadProfileChain(["both"], folder);
    expect(profiles.map(({ name }) => name)).toEqual(["default", "fast", "late", "both"]);
    expect(profiles[0]?.description).toBe("base");
  });
});
