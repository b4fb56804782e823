import { expect, it } from "vitest";
import { Gaze } from "../../../src/catching/live/gaze.js";

it("tells the neck of the arms and others of the neck, from one memory", () => {
  const memory = Gaze.memory();
  const [coordinator, control] = [new Gaze(memory), new Gaze(memory)];
  expect([control.areArmsBusy, coordinator.isResting]).toEqual([false, true]);
  coordinator.areArmsBusy = true;
  control.isResting = false;
  expect([control.areArmsBusy, coordinator.isResting]).toEqual([true, false]);
});

it("remembers the last balls in hands, track 0 among them, each once", () => {
  const gaze = new Gaze(Gaze.memory());
  expect(gaze.isGrasped(0)).toBe(false);
  for (const track of [0, 0, 1, 2, 3]) gaze.grasped(track);
  expect([0, 1, 2, 3].map((track) => gaze.isGrasped(track))).toEqual([true, true, true, true]);
  gaze.grasped(4);
  expect([0, 4].map((track) => gaze.isGrasped(track))).toEqual([false, true]);
});
