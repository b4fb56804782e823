import { ERROR_SIZE, Part } from "./error-state.js";
import type { StructureNoise } from "./head-pose-options.js";
import type { InertialState } from "./inertial-state.js";

/** Nothing is known but how large the biases of an IMU can be. */
export function forget(state: InertialState, structure: StructureNoise): void {
  state.numbers.fill(0);
  for (let i = 0; i < 3; i++) {
    isolate(state.covariance, Part.gyroBias + i, structure.turnOnGyroBias ** 2);
    isolate(state.covariance, Part.accelerometerBias + i, structure.turnOnAccelerometerBias ** 2);
  }
}

/**
 * The covariance of a pose just taken from the kinematics: its error is that of the offset plus vibration, so pose and
 * offset are correlated. The biases keep what is known of them.
 */
export function doubtPose(state: InertialState, structure: StructureNoise): void {
  const P = state.covariance;
  for (let i = 0; i < 3; i++) {
    isolate(P, Part.velocity + i, (structure.vibrationTranslation * structure.vibrationFrequency) ** 2);
    isolate(P, Part.offsetPosition + i, structure.offsetTranslation ** 2);
    isolate(P, Part.offsetOrientation + i, structure.offsetRotation ** 2);
    isolate(P, Part.position + i, structure.offsetTranslation ** 2 + structure.vibrationTranslation ** 2);
    isolate(P, Part.orientation + i, structure.offsetRotation ** 2 + structure.vibrationRotation ** 2);
  }
  const R = state.worldFromImu;
  for (let i = 0; i < 3; i++) {
    couple(P, Part.position + i, Part.offsetPosition + i, structure.offsetTranslation ** 2);
    for (let j = 0; j < 3; j++) {
      // The offset lies in world axes, the error in the IMU's: it is Rᵀ·offset.
      couple(P, Part.orientation + j, Part.offsetOrientation + i, R[3 * i + j]! * structure.offsetRotation ** 2);
    }
  }
}

/** Gives an error this variance and takes away all it has in common with others. */
function isolate(P: Float64Array, at: number, variance: number): void {
  for (let i = 0; i < ERROR_SIZE; i++) {
    P[at * ERROR_SIZE + i] = 0;
    P[i * ERROR_SIZE + at] = 0;
  }
  P[at * (ERROR_SIZE + 1)] = variance;
}

function couple(P: Float64Array, a: number, b: number, covariance: number): void {
  P[a * ERROR_SIZE + b] = covariance;
  P[b * ERROR_SIZE + a] = covariance;
}
