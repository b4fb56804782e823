import type { BringupStep } from "./bringup-step.js";
import { calibrateStep, catchSteps, ceilingStep, dryCatchStep } from "./catch-steps.js";
import { brakesStep, motionStep } from "./motion-steps.js";
import { compareStep, connectStep, timingStep } from "./read-steps.js";

/** All steps of a bring-up, in their order: reading first, then small motions, then catches. */
export const bringupSteps: readonly BringupStep[] = [
  ...[connectStep, compareStep, timingStep],
  ...[motionStep, brakesStep, ceilingStep, calibrateStep, dryCatchStep],
  ...catchSteps,
];
