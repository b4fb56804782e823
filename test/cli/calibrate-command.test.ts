import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { overlayChanges } from "../../src/calibration/report/calibration-report.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Overlay } from "../../src/robot/sidecar/overlay-schema.js";
import { packageRoot } from "../../src/runtime/package-root.js";

const cli = join(packageRoot, "dist", "bundle", "cli", "main.js");
const folder = mkdtempSync(join(tmpdir(), "flycatcher-calibrate-"));
afterAll(() => rmSync(folder, { recursive: true }));

function flycatcher(...args: string[]) {
  return spawnSync(process.execPath, [cli, "calibrate", ...args], { encoding: "utf8" });
}

describe("flycatcher calibrate", () => {
  it("writes a calibration that loads, and a report that stands alone", () => {
    const [out, report] = [join(folder, "calibration.json"), join(folder, "report.html")];
    const { status, stdout, stderr } = flycatcher("--out", out, "--report", report, "--json");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { summary, calibration } = JSON.parse(stdout) as {
      summary: { reason: string; rank: number; parameterCount: number };
      calibration: Overlay;
    };
    expect(summary.reason).toBe("converged");
    expect(summary.rank).toBe(summary.parameterCount);
    const calibrated = loadRobot("agile-justin", { calibration: out });
    expect(overlayChanges(calibration, calibration).every(({ before, after }) => before === after)).toBe(true);
    expect(overlayChanges(calibration, calibration).length).toBeGreaterThan(70);
    expect(calibrated.overlays[0]?.kind).toBe("calibration");
    expect(calibrated.cameras[0]!.distortion.k1).not.toBe(0);
    const page = readFileSync(report, "utf8");
    expect(page.match(/<svg/g)).toHaveLength(6);
    expect(page).not.toMatch(/(src|href)=/);
    expect(existsSync(join(packageRoot, "data", "robots", "agile-justin", "calibration.json"))).toBe(false);
  }, 120_000);

  it("refuses to write what cannot be told apart, and says what", () => {
    const out = join(folder, "refused.json");
    const { status, stderr } = flycatcher("--configurations", "4", "--free", "leftArm7.offset", "--out", out);
    expect(status).toBe(1);
    expect(stderr).toMatch(/FLY_CALIBRATION_UNOBSERVABLE: .*left arm 7 offset/);
    expect(existsSync(out)).toBe(false);
  }, 120_000);

  it("says in plain words which parameters there are", () => {
    const { status, stderr } = flycatcher("--fix", "nose");
    expect(status).toBe(1);
    expect(stderr).toMatch(/FLY_CALIBRATION_PARAMETER: no such parameter: expected one of .*intrinsics/);
  });
});
