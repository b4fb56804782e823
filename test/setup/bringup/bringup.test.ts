import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { bringUp } from "../../../src/setup/bringup/bringup.js";
import { type BringupProtocol, protocolText, withoutSecret } from "../../../src/setup/bringup/bringup-protocol.js";
import type { BringupSite, BringupStep, StepOutcome } from "../../../src/setup/bringup/bringup-step.js";
import { extendOverlay, readOverlay } from "../../../src/setup/bringup/overlay-file.js";
import { bringupSteps } from "../../../src/setup/bringup/steps.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-bringup-"));
afterEach(() => rmSync(join(folder, "calibration.json"), { force: true }));

const passed: StepOutcome = { verdict: "passed", lines: ["a line"], figures: { number: 1 } };

class Scene {
  readonly performed: string[] = [];
  readonly kept: BringupProtocol[] = [];
  readonly asked: string[] = [];
  isEnabled = true;

  step(name: string, moves: boolean, outcome: () => StepOutcome = () => passed): BringupStep {
    const perform = async () => {
      this.performed.push(name);
      return outcome();
    };
    return { name, title: name, moves, perform };
  }

  run(steps: readonly BringupStep[], isArmed: boolean): Promise<BringupProtocol> {
    const site = {
      settings: { isArmed },
      operator: {
        kind: "person",
        say: () => undefined,
        confirms: async () => true,
        enables: async (what: string) => {
          this.asked.push(what);
          return this.isEnabled;
        },
      },
      openWatch: async () => {
        throw new Error("no step of these moves");
      },
      devices: [],
    } as unknown as BringupSite;
    return bringUp(steps, site, {
      ...{ robot: "mine", addresses: ["ur://x"], now: () => "2026-11-19T00:00:00Z" },
      keep: (protocol) => this.kept.push(protocol),
    });
  }
}

describe("a bring-up", () => {
  it("moves nothing without --arm", async () => {
    const scene = new Scene();
    const { steps } = await scene.run([scene.step("look", false), scene.step("move", true)], false);
    expect(scene.performed).toEqual(["look"]);
    expect(scene.asked).toEqual([]);
    expect(steps[1]).toMatchObject({ verdict: "skipped", lines: ["nothing moves without --arm"] });
  });

  it("asks for each step that moves, and skips one that is not enabled", async () => {
    const scene = new Scene();
    const steps = [scene.step("look", false), scene.step("move", true), scene.step("catch", true)];
    await scene.run(steps, true);
    expect(scene.asked).toEqual(["move", "catch"]);
    scene.isEnabled = false;
    scene.performed.length = 0;
    const protocol = await scene.run(steps, true);
    expect(scene.performed).toEqual(["look"]);
    expect(protocol.steps.map(({ verdict }) => verdict)).toEqual(["passed", "skipped", "skipped"]);
  });

  it("ends with a step that fails, and keeps the protocol after each", async () => {
    const scene = new Scene();
    const fails = () => {
      throw new FlycatcherError("FLY_ROBOT_MISMATCH", "another robot");
    };
    const { steps } = await scene.run(
      [scene.step("a", false), scene.step("b", false, fails), scene.step("c", false)],
      true,
    );
    expect(scene.performed).toEqual(["a", "b"]);
    expect(steps.at(-1)).toMatchObject({ verdict: "failed", lines: ["FLY_ROBOT_MISMATCH: another robot"] });
    expect(scene.kept.map(({ steps: kept }) => kept.length)).toEqual([1, 2]);
    expect(protocolText(scene.kept[1]!)).toContain("## [!] b: failed\n\n- FLY_ROBOT_MISMATCH: another robot\n");
  });

  it("reads before it moves, and moves slowly before it catches", () => {
    const moving = bringupSteps.filter(({ moves }) => moves).map(({ name }) => name);
    expect(moving).toEqual(["motion", "brakes", "catch-25", "catch-50", "catch-100"]);
    expect(bringupSteps.slice(0, 3).map(({ name }) => name)).toEqual(["connect", "compare", "timing"]);
  });

  it("keeps no secret", () => {
    expect(withoutSecret("ur://x?world=1&secret=abc&gain=5")).toBe("ur://x?world=1&secret=…&gain=5");
  });
});

describe("the overlay of a bring-up", () => {
  const file = join(folder, "calibration.json");

  it("is laid over what was there", () => {
    writeFileSync(file, JSON.stringify({ schemaVersion: 1, date: "d", version: "v", encoderLatency: 0.001 }));
    extendOverlay(file, { commandDelays: { arm: 0.03 } }, "2026-11-19");
    extendOverlay(file, { speedCeiling: 0.25 }, "2026-11-19");
    expect(readOverlay(file)).toMatchObject({
      encoderLatency: 0.001,
      commandDelays: { arm: 0.03 },
      speedCeiling: 0.25,
    });
    expect(readFileSync(file, "utf8").endsWith("}\n")).toBe(true);
  });

  it("is what runs load: the delay, and every joint's speed limit", () => {
    extendOverlay(file, { commandDelays: { arm: 0.021 }, speedCeiling: 0.25 }, "2026-11-19");
    const usual = loadRobot("ur10e-net", { calibration: "none" });
    const robot = loadRobot("ur10e-net", { calibration: file });
    expect(Array.from(robot.commandDelay!)).toEqual(new Array(6).fill(0.021));
    expect(Array.from(robot.model.maxVelocity)).toEqual(Array.from(usual.model.maxVelocity, (limit) => 0.25 * limit));
    expect(Array.from(robot.model.ratedVelocity)).toEqual(Array.from(usual.model.maxVelocity));
    expect(Array.from(robot.model.maxAcceleration)).toEqual(Array.from(usual.model.maxAcceleration));
  });
});
