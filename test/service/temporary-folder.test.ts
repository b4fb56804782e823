import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makeTemporaryFolder } from "../../src/service/temporary-folder.js";

it("a service deletes the temporary folders of killed services, and no others", () => {
  const parent = mkdtempSync(join(tmpdir(), "folders-"));
  const own = makeTemporaryFolder("recordings", parent);
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  const named = (pid: number | string, host = "") =>
    join(dirname(own), basename(own).replace(`-${process.pid}-`, `${host}-${pid}-`));
  const abandoned = named(dead);
  const others = [named(process.ppid), named(dead, "elsewhere"), named("x"), join(parent, "flycatcher-recordings-a")];
  for (const folder of [abandoned, ...others]) mkdirSync(folder);
  writeFileSync(join(abandoned, "upload.mcap"), "x");
  const second = makeTemporaryFolder("recordings", parent);
  expect(existsSync(abandoned)).toBe(false);
  for (const folder of [own, second, ...others]) expect(existsSync(folder), folder).toBe(true);
  rmSync(parent, { recursive: true });
});
