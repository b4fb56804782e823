import { describe, expect, test } from "vitest";
import { ControlPanel } from "../../src/control/control-panel.js";

describe("a person's hold on the control panel", () => {
  test("is numbered, and answered with the time of its braking command", () => {
    const memory = ControlPanel.memory();
    const [person, control] = [new ControlPanel(memory), new ControlPanel(memory)];
    expect([person.isHeld, person.holds, person.heldBrakes]).toEqual([false, 0, 0]);
    expect(person.hold()).toBe(1);
    expect([control.isHeld, control.holds, person.heldBrakes]).toEqual([true, 1, 0]);
    control.noteHeldBrake(control.holds, 12.345678);
    expect([person.heldBrakes, person.heldBrakeTime]).toEqual([1, 12.345678]);
  });

  test("asked for twice is two holds, of one robot that one word lets go", () => {
    const panel = new ControlPanel(ControlPanel.memory());
    panel.hold();
    expect(panel.hold()).toBe(2);
    panel.letGo();
    expect([panel.isHeld, panel.holds]).toEqual([false, 2]);
  });
});
