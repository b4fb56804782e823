import type { Pose } from "../math/pose.js";
import type { Vec3 } from "../math/vec3.js";
import { f64, type NumberArrayField, text } from "../transport/channels/field.js";

/** Room for the degrees of freedom of a robot; those of agile-justin with all finger joints are 46. */
export const maxJoints = 64;
/** Room for circles found in one image. */
export const maxCircles = 64;
/** Bytes of a name in UTF-8: of a group, a component, an event's code. */
export const maxNameBytes = 48;
/** Bytes of a sentence in UTF-8. */
export const maxSentenceBytes = 256;

export const vec3: NumberArrayField<Vec3> = { kind: "numbers", element: f64.kind, shape: [3] };
/** Row-major rotation (0–8), translation (9–11): as `Pose` in `src/math`. */
export const pose: NumberArrayField<Pose> = { kind: "numbers", element: f64.kind, shape: [12] };
export const name = text(maxNameBytes);
export const sentence = text(maxSentenceBytes);
