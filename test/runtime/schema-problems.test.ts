import Type from "typebox";
import { describe, expect, it } from "vitest";
import { assertFits, findProblems, SchemaError } from "../../src/runtime/schema-problems.js";

const strict = { additionalProperties: false };
const ball = Type.Union([
  Type.Object({ position: Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }) }, strict),
  Type.Object({ samples: Type.Array(Type.Number(), { minItems: 1 }), rate: Type.Number({ minimum: 1 }) }, strict),
]);
const schema = Type.Object(
  {
    port: Type.Integer({ minimum: 1, maximum: 10, unit: "Hz" }),
    ratio: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    mode: Type.Optional(Type.Union([Type.Literal("soft"), Type.Literal("cool")])),
    level: Type.Optional(Type.Enum(["info", "warn"])),
    flag: Type.Optional(Type.Boolean()),
    name: Type.Optional(Type.String({ minLength: 2, pattern: "^[a-z]+$" })),
    token: Type.Optional(Type.String({ pattern: "^$", secret: true })),
    joints: Type.Optional(Type.Array(Type.Number(), { minItems: 7, maxItems: 7 })),
    ball: Type.Optional(ball),
    "a/b~c": Type.Optional(Type.Integer()),
  },
  strict,
);

const problemsOf = (value: unknown) =>
  findProblems(schema, value).map(({ path, expected, found }) => `${path} | ${expected} | ${found}`);

describe("findProblems", () => {
  it("finds nothing wrong in a value that fits", () => {
    expect(problemsOf({ port: 3, ball: { samples: [1], rate: 2 }, mode: "cool" })).toEqual([]);
  });

  it.each([
    [{}, "/port | an integer from 1 to 10 [Hz] | nothing"],
    [{ port: 11 }, "/port | an integer from 1 to 10 [Hz] | 11"],
    [{ port: 1.5 }, "/port | an integer from 1 to 10 [Hz] | 1.5"],
    [{ port: "3" }, '/port | an integer from 1 to 10 [Hz] | "3"'],
    [{ port: 1, ratio: 0 }, "/ratio | a finite number > 0 | 0"],
    [{ port: 1, ratio: Number.NaN }, "/ratio | a finite number > 0 | NaN"],
    [{ port: 1, ratio: Number.POSITIVE_INFINITY }, "/ratio | a finite number > 0 | Infinity"],
    [{ port: 1, mode: "hard" }, '/mode | "soft" or "cool" | "hard"'],
    [{ port: 1, level: "loud" }, '/level | "info" or "warn" | "loud"'],
    [{ port: 1, flag: 1 }, "/flag | a boolean | 1"],
    [{ port: 1, name: "X" }, '/name | a text of 2 or more characters matching ^[a-z]+$ | "X"'],
    [{ port: 1, token: "hush" }, "/token | a text matching ^$ | a secret, not shown"],
    [{ port: 1, joints: [1] }, "/joints | a list of 7, each a finite number | [1]"],
    [{ port: 1, joints: [1, 2, 3, null, 5, 6, 7] }, "/joints/3 | a finite number | null"],
    [{ port: 1, joints: new Array(9).fill(0) }, "/joints | a list of 7, each a finite number | a list of 9"],
    [{ port: 1, "a/b~c": "x" }, '/a~1b~0c | an integer | "x"'],
    [[], " | an object | []"],
    [null, " | an object | null"],
  ])("%j: %s", (value, problem) => {
    expect(problemsOf(value)).toEqual([problem]);
  });

  it("names an unknown key and the known ones", () => {
    const [problem, ...others] = problemsOf({ port: 1, prot: 2 });
    expect(problem).toMatch(/^\/prot \| one of the keys port, ratio, mode, .* \| the key "prot"$/);
    expect(others).toEqual([]);
    expect(problemsOf(JSON.parse('{"port": 1, "__proto__": {}}'))).toHaveLength(1);
  });

  it("speaks of the branch of a union that comes nearest", () => {
    expect(problemsOf({ port: 1, ball: { position: [1, 2] } })).toEqual([
      "/ball/position | a list of 3, each a finite number | [1,2]",
    ]);
    expect(problemsOf({ port: 1, ball: { samples: [1], rate: 0 } })).toEqual(["/ball/rate | a finite number ≥ 1 | 0"]);
    expect(problemsOf({ port: 1, ball: 7 })).toEqual(["/ball | an object | 7"]);
  });

  it("lists all problems, far more than TypeBox's eight", () => {
    const wide = Type.Object(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, Type.Integer()])));
    const value = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, "x"]));
    expect(findProblems(wide, value)).toHaveLength(40);
  });

  it("keeps what it found to a line", () => {
    const [problem] = findProblems(Type.Integer(), "x".repeat(500));
    expect(problem?.found.length).toBeLessThan(90);
  });
});

describe("SchemaError", () => {
  it("says one problem in one sentence", () => {
    expect(() => assertFits(schema, {}, "FLY_CONFIG_INVALID", "Wrong request")).toThrow(
      "Wrong request at /port: expected an integer from 1 to 10 [Hz], found nothing",
    );
  });

  it("lists several, with their sources, and carries them", () => {
    const problems = [
      { path: "/a", expected: "1", found: "2", source: "profile x" },
      { path: "/b", expected: "3", found: "4" },
    ];
    const error = new SchemaError("FLY_CONFIG_INVALID", "Wrong", problems);
    expect(error.message).toBe("Wrong, 2 problems\n  profile x at /a: expected 1, found 2\n  /b: expected 3, found 4");
    expect(error.problems).toBe(problems);
    expect(error.details.path).toBe("/a");
    expect(error.code).toBe("FLY_CONFIG_INVALID");
  });
});
