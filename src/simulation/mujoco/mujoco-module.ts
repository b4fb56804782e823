import type { MainModule } from "@mujoco/mujoco";

let loadedModule: Promise<MainModule> | undefined;

/**
 * MuJoCo's WebAssembly module, loaded when the first world is made and shared by all: 0.2 s and some 50 MB a process.
 */
export function mujocoModule(): Promise<MainModule> {
  loadedModule ??= import("@mujoco/mujoco").then(({ default: loadMujoco }) => loadMujoco());
  return loadedModule;
}
