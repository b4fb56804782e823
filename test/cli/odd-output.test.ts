import { spawnSync } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";

const program = join(packageRoot, "dist", "bundle", "cli", "main.js");

function run(args: readonly string[], stdout: "pipe" | number = "pipe") {
  return spawnSync(process.execPath, [program, ...args], { encoding: "utf8", stdio: ["ignore", stdout, "pipe"] });
}

describe("the command line", () => {
  it.skipIf(!existsSync("/dev/full"))(
    "says that its output cannot be written, without a stack",
    () => {
      const { status, stderr } = run(["config", "show"], openSync("/dev/full", "w"));
      expect(status).toBe(1);
      expect(stderr).toContain("FLY_OUTPUT_UNWRITABLE");
      expect(stderr).not.toContain("    at ");
    },
    60_000,
  );

  it.each([
    ["robot-sim", "--port", "65536"],
    ["robot-sim", "--world-port", "99999"],
    ["robot-sim", "--balls", "100000"],
    ["live", "--balls", "100000"],
  ])(
    "refuses numbers that lead nowhere: %s %s %s",
    (...args) => {
      const { status, stderr } = run(args);
      expect(status).toBe(2);
      expect(stderr).toContain("expected a whole number from");
    },
    60_000,
  );
});
