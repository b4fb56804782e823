import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseOverlay, parseSidecar } from "../../../src/robot/loading/load-robot.js";
import { OverlaySchema } from "../../../src/robot/sidecar/overlay-schema.js";
import { SidecarSchema } from "../../../src/robot/sidecar/sidecar-schema.js";
import { errorCatalogue } from "../../../src/runtime/error-catalogue.js";
import { packageRoot } from "../../../src/runtime/package-root.js";
import { listFields, renderRobotFieldDocs } from "../../../tools/docs/robot-field-page.js";

const page = readFileSync(join(packageRoot, "docs", "robots.md"), "utf8");
const fields = readFileSync(join(packageRoot, "docs", "robot-fields.md"), "utf8");

describe("docs/robot-fields.md", () => {
  it("is what the schemas say", () => {
    expect(fields).toBe(renderRobotFieldDocs());
  });

  it("has a row for every key, at any depth", () => {
    const rows = new Set([...fields.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1]));
    const paths = [...listFields(SidecarSchema), ...listFields(OverlaySchema)].map(({ path }) => path);
    expect(paths.filter((path) => !rows.has(path))).toEqual([]);
    for (const key of [...Object.keys(SidecarSchema.properties), ...Object.keys(OverlaySchema.properties)]) {
      expect(rows).toContain(key);
    }
    for (const deep of [
      "handKeepOut[].normal",
      "limits.*.acceleration",
      "cameras[].distortion.k1",
      "linkPoses.*.xyz",
    ]) {
      expect(rows).toContain(deep);
    }
  });
});

describe("docs/robots.md", () => {
  const json = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map((match) => JSON.parse(match[1]!));

  it("shows a sidecar and an overlay that follow their schemas", () => {
    expect(json).toHaveLength(2);
    expect(() => parseSidecar(json[0])).not.toThrow();
    expect(() => parseOverlay(json[1])).not.toThrow();
  });

  it("names every code of robots, and no other", () => {
    const named = new Set([...page.matchAll(/`(FLY_[A-Z_]+)`/g)].map((match) => match[1]!));
    const codes = Object.keys(errorCatalogue);
    const own = codes.filter((code) => /^FLY_(URDF|SIDECAR|OVERLAY|ROBOT_UNKNOWN|FILE|JSON)/.test(code));
    expect(own.filter((code) => !named.has(code))).toEqual([]);
    expect([...named].filter((code) => !codes.includes(code))).toEqual([]);
  });
});
