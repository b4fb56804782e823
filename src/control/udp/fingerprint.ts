import { createHash } from "node:crypto";
import type { RobotModel } from "../../robot/model.js";
import { FINGERPRINT_SIZE } from "./frame.js";

/**
 * A short name of what two sides must agree on before one commands the other: the degrees of freedom, their order and
 * their limits. Calibration may differ.
 */
export function robotFingerprint({ name, dofNames, lower, upper, maxVelocity }: RobotModel): Uint8Array {
  const facts = [name, ...dofNames, ...lower, ...upper, ...maxVelocity].join("\n");
  return Uint8Array.from(createHash("sha256").update(facts).digest().subarray(0, FINGERPRINT_SIZE));
}
