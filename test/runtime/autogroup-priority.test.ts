import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setAutogroupNice } from "../../src/runtime/autogroup-priority.js";

describe.runIf(existsSync("/proc/self/autogroup"))("a session", () => {
  let child: ChildProcess;
  beforeEach(() => {
    child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  });
  afterEach(() => {
    child.kill("SIGKILL");
  });

  const weight = () => readFileSync(`/proc/${child.pid}/autogroup`, "utf8").trim();

  it("is weighed as asked, until that is taken back", () => {
    const takeBack = setAutogroupNice(7, child.pid);
    expect(weight()).toMatch(/nice 7$/);
    takeBack();
    expect(weight()).toMatch(/nice 0$/);
  });

  it("is left without favour by whoever found it favoured already", () => {
    const first = setAutogroupNice(7, child.pid);
    const second = setAutogroupNice(7, child.pid);
    first();
    second();
    expect(weight()).toMatch(/nice 0$/);
  });
});

describe("a session that is not there", () => {
  it("cannot be favoured, which is no error", () => {
    expect(() => setAutogroupNice(5, 2 ** 30)()).not.toThrow();
  });
});
