import { ColourDiscriminant } from "../../src/camera/colour-discriminant.js";
import type { ColourProjection } from "../../src/camera/colour-projection.js";
import { SphereOutline } from "../../src/camera/sphere-outline.js";
import * as pose from "../../src/math/pose.js";
import * as vec3 from "../../src/math/vec3.js";
import type { Robot } from "../../src/robot/robot.js";
import { ImageEye } from "../../src/simulation/eyes/image-eyes.js";
import { stereoRig } from "../../src/simulation/eyes/stereo-rig.js";
import { createRigidMotion } from "../../src/simulation/head-motion/elastic-chain.js";
import { ColourRoom } from "../../src/simulation/rendering/colour-renderer.js";

/** The projection that tells balls of a colour from a room, learnt from a few rendered frames in which the ball is labelled. */
export function learntProjection(
  robot: Robot,
  seed: string,
  ball: { readonly diameter: number; readonly colour?: string },
  frames = 3,
): ColourProjection {
  const ballRadius = ball.diameter / 2;
  const eye = new ImageEye(robot, "left", new ColourRoom(seed), { seed, ballRadius, ballColour: ball.colour });
  const { camera, headFromCamera } = stereoRig(robot).left;
  const outline = new SphereOutline(camera, ballRadius);
  const head = createRigidMotion();
  head.worldFromBody.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1.6]);
  const cameraFromWorld = (point: vec3.Vec3) =>
    pose.transformPointInverse(pose.compose(head.worldFromBody, headFromCamera, pose.create()), point, vec3.create());
  const learner = new ColourDiscriminant();
  for (let k = 0; k < frames; k++) {
    const position = vec3.create(4 - 1.2 * k, 0.5 - 0.4 * k, 1.6 + 0.1 * k);
    const circle = new Float64Array(3);
    outline.measure(cameraFromWorld(position), circle);
    const image = eye.createImage();
    eye.see(head, [{ position, velocity: vec3.create(-6, 0, 1) }], k, image);
    learner.addFrame({ ...image, order: "rgb" }, [{ u: circle[0]!, v: circle[1]!, r: circle[2]! }]);
  }
  return learner.projection();
}
