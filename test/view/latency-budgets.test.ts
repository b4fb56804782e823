import { expect, test } from "vitest";
import { defaultTimes } from "../../src/catching/catch-times.js";
import { budgetsOf } from "../../src/view/latency-budgets.js";

test("budgets of the stages are those that the coordinator uses", () => {
  const budgets = budgetsOf({ ...defaultTimes, transportNs: 6e6 });
  expect(budgets).toMatchObject({ camera: 0.04, tracking: 0.035, firstPlan: 0.03, replan: 0.015, transport: 0.006 });
  expect(budgets.detection).toBeCloseTo(0.02, 12);
});
