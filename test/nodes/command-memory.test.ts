import { describe, expect, it } from "vitest";
import { CommandMemory } from "../../src/nodes/udp-robot.js";

describe("the memory of what was commanded", () => {
  it("has the command nearest to a time", () => {
    const memory = new CommandMemory(1);
    expect(memory.at(0)).toBeNull();
    for (let k = 0; k < 300; k++) memory.add(k / 1e3, Float64Array.of(k));
    expect([memory.at(0.2504)?.[0], memory.at(0.2506)?.[0], memory.at(9)?.[0]]).toEqual([250, 251, 299]);
    // Older ones are forgotten.
    expect(memory.at(0)?.[0]).toBe(172);
  });
});
