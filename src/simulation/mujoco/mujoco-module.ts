import type { MainModule } from "@mujoco/mujoco";

let module: Promise<MainModule> | undefined;

/**
 * MuJoCo's WebAssembly module, loaded when the first world is made and shared by all: 0.2 s and some 50 MB a process.
 */
export function mujocoModule(): Promise<MainModule> {
  module ??= import("@mujoco/mujoco").then(({ default: loadMujoco }) => loadMujoco());
  return module;
}
