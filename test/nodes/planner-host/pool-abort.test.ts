import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { AbortWatch } from "../../../src/nodes/planner-host/planner-pool.module.js";

it("tells all who share a signal, by one listener", () => {
  const told: number[] = [];
  const watch = new AbortWatch<number>((member) => void told.push(member));
  const { signal, abort } = controller();
  for (let member = 0; member < 20; member++) watch.add(signal, member);
  watch.remove(signal, 7);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  abort();
  expect(told).toEqual(Array.from({ length: 20 }, (_, member) => member).filter((member) => member !== 7));
});

it("takes its listener off when nobody is left", () => {
  const told: number[] = [];
  const watch = new AbortWatch<number>((member) => void told.push(member));
  const { signal, abort } = controller();
  for (const member of [1, 2]) watch.add(signal, member);
  for (const member of [1, 2, 3]) watch.remove(signal, member);
  expect(getEventListeners(signal, "abort")).toEqual([]);
  abort();
  expect(told).toEqual([]);
});

it("lets members leave while they are told", () => {
  const told: number[] = [];
  const { signal, abort } = controller();
  const watch: AbortWatch<number> = new AbortWatch((member) => {
    told.push(member);
    watch.remove(signal, member);
  });
  for (const member of [1, 2, 3]) watch.add(signal, member);
  abort();
  expect(told).toEqual([1, 2, 3]);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

function controller() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
