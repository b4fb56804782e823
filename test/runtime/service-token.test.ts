import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { resolveConfig } from "../../src/runtime/config.js";

const folder = mkdtempSync(join(tmpdir(), "token-"));
afterAll(() => rmSync(folder, { recursive: true }));

const environment = { FLYCATCHER_TOKEN: "from-the-environment" };
const tokenWith = (...overrides: string[]) => resolveConfig({ overrides, environment }).service.token;

describe("the service's token", () => {
  it("is that of the setting, of the file, or of the environment, in this order", () => {
    const file = join(folder, "token");
    writeFileSync(file, "from-the-file\nand a remark\n");
    expect(tokenWith()).toBe("from-the-environment");
    expect(tokenWith(`service.tokenFile=${file}`)).toBe("from-the-file");
    expect(tokenWith(`service.tokenFile=${file}`, "service.token=from-the-setting")).toBe("from-the-setting");
    expect(resolveConfig().service.token).toBe("");
  });

  it("is refused where it could not be sent, without being shown", () => {
    const file = join(folder, "odd");
    writeFileSync(file, "a secret with spaces");
    const refused = () => tokenWith(`service.tokenFile=${file}`);
    expect(refused).toThrow(expect.objectContaining({ code: "FLY_CONFIG_INVALID" }));
    expect(refused).toThrow(expect.not.stringContaining("spaces"));
    expect(() => tokenWith(`service.tokenFile=${join(folder, "none")}`)).toThrow(
      expect.objectContaining({ code: "FLY_FILE_UNREADABLE" }),
    );
  });
});
