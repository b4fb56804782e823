import type { BenchContext, BenchSuite, Metrics } from "./harness.js";
import { measureHulls } from "./robots/hulls.js";

export const suite: BenchSuite = {
  name: "robots",
  description: "any robot: generated collision bodies of public robots against their meshes (FLYCATCHER_PUBLIC_ROBOTS)",
  async run(context: BenchContext): Promise<Metrics> {
    return measureHulls(context);
  },
};
