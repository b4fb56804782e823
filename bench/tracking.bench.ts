import type { BenchContext, BenchSuite, Metrics } from "./harness.js";
import { measureDetector } from "./tracking/detector.js";
import { measureFilter } from "./tracking/filter.js";
import { measureHypotheses } from "./tracking/hypotheses.js";
import { measureHeadPose } from "./tracking/pose.js";

export const suite: BenchSuite = {
  name: "tracking",
  description: "circles in images, the ball's filter and its predictions, hypotheses, the head's pose; agile-justin",
  async run(context: BenchContext): Promise<Metrics> {
    return {
      ...(await measureDetector(context)),
      ...measureFilter(context),
      ...measureHypotheses(context),
      ...measureHeadPose(context),
    };
  },
};
