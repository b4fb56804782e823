import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { loadOptional, loadTensorFlow } from "../../src/runtime/optional-dependency.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-optional-"));
afterAll(() => rmSync(folder, { recursive: true }));

function moduleWith(name: string, code: string): string {
  const file = join(folder, name);
  writeFileSync(file, code);
  return pathToFileURL(file).href;
}

describe("an optional dependency", () => {
  it("is available when it loads", async () => {
    const loaded = await loadOptional(moduleWith("good.mjs", "export const answer = 42;"));
    expect(loaded).toMatchObject({ available: true, module: { answer: 42 } });
  });

  it("that is not installed is absent, with a reason of one line", async () => {
    const loaded = await loadOptional("flycatcher-package-that-does-not-exist");
    expect(loaded.available).toBe(false);
    expect(loaded).toHaveProperty("reason", expect.stringMatching(/^[^\n]+$/));
  });

  it("that throws anything at all while it loads is absent", async () => {
    const withError = await loadOptional(
      moduleWith("error.mjs", "throw new Error('libtensorflow.so.2: no such file');"),
    );
    expect(withError).toEqual({ available: false, reason: "libtensorflow.so.2: no such file" });
    const withText = await loadOptional(moduleWith("text.mjs", "throw 'odd';"));
    expect(withText).toEqual({ available: false, reason: "odd" });
  });
});

describe("loadTensorFlow", () => {
  it("never rejects: TensorFlow's native part is there or it is not", async () => {
    const tensorflow = await loadTensorFlow();
    if (tensorflow.available) expect(tensorflow.module).toHaveProperty("tensor");
    else expect(tensorflow.reason).not.toBe("");
  });
});
