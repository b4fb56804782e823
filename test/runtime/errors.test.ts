import { describe, expect, it } from "vitest";
import { type ErrorCode, type ErrorEntry, errorCatalogue } from "../../src/runtime/error-catalogue.js";
import { FlycatcherError } from "../../src/runtime/errors.js";
import { renderErrorDocs } from "../../tools/docs/error-page.js";

const entries = Object.entries(errorCatalogue) as [ErrorCode, ErrorEntry][];

describe("the catalogue of errors", () => {
  it.each(entries)("%s says what happened and what to do", (code, { meaning, remedy, httpStatus }) => {
    expect(code).toMatch(/^FLY_[A-Z0-9]+(_[A-Z0-9]+)*$/);
    expect(meaning).toMatch(/^\S.*\.$/);
    expect(remedy).toMatch(/^\S.*\.$/);
    expect(httpStatus).toBeGreaterThanOrEqual(400);
    expect(httpStatus).toBeLessThan(600);
  });

  it("has a row and an anchor for each code in the documentation", () => {
    const page = renderErrorDocs();
    const anchors = [...page.matchAll(/<a id="(\w+)"><\/a>/g)].map((match) => match[1]);
    expect(anchors).toEqual(entries.map(([code]) => code).sort());
    expect(page.split("\n").filter((line) => line.startsWith("| <a id"))).toHaveLength(entries.length);
  });
});

describe("FlycatcherError", () => {
  it("says where, what was expected and what was found", () => {
    const error = new FlycatcherError("FLY_JSON_MALFORMED", "Bad", { path: "/a", expected: "x", found: "y" });
    expect(error.message).toBe("Bad at /a: expected x, found y");
    expect(error.remedy).toBe(errorCatalogue.FLY_JSON_MALFORMED.remedy);
    expect(error.httpStatus).toBe(400);
  });
});
