import { vi } from "vitest";
import { runCli } from "../../src/cli/program.js";

/** Runs the command line; what it printed, and its exit code. Mocks are to be restored after each test. */
export async function capturedRun(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: "", err: "" };
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.err += String(text);
    return true;
  });
  const code = await runCli(["node", "flycatcher", ...words]);
  return { code, ...written };
}
