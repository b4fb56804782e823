import { describe, expect, it } from "vitest";
import { resolveConfig } from "../../../src/runtime/config.js";
import { settingsOf, trackerDefaults } from "../../../src/tracking/hypotheses/tracker-options.js";

describe("the tracker's options", () => {
  it("have the configuration's defaults", () => {
    const { tracking: options } = resolveConfig({});
    expect(trackerDefaults).toMatchObject(options);
    expect(settingsOf(options)).toMatchObject(trackerDefaults);
  });
});
