import { CandidateSampler, defaultCandidateOptions } from "../../src/calibration/configurations/sample-candidates.js";
import { findCalibrationRig } from "../../src/calibration/parameters/calibration-rig.js";
import { CameraModel } from "../../src/camera/camera-model.js";
import { StereoPair } from "../../src/camera/stereo-pair.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import type { Robot } from "../../src/robot/robot.js";
import { RobotState } from "../../src/robot/state.js";
import { SaggingRobot } from "../../src/simulation/calibration-rig/sagging-robot.js";

/** How far the hand is from where it is believed, at many places about 0.8 m before the cameras [m], root mean square. */
export interface HandError {
  /** Of the hand as the cameras see it, from the truth. */
  readonly seen: number;
  /** Of the hand as the arm's kinematics has it, from the truth. */
  readonly reached: number;
  /** Of one from the other: what a catch depends on. */
  readonly between: number;
  readonly places: number;
}

/** Distance of the places from the cameras [m]. */
const NEAREST = 0.7;
const FARTHEST = 0.9;
const BORDER = 20;

/**
 * Compares what a robot believes of its hand with how a simulated one really is: the true hand's images, without noise, seen
 * through the believed cameras; and the believed arm, sagging by its believed compliances.
 */
export function handError(believed: Robot, truth: Robot, places: number, seed: number | string): HandError {
  const rig = findCalibrationRig(believed);
  const home = believed.postures.get("ready") ?? new Float64Array(believed.model.dofCount);
  const options = { ...defaultCandidateOptions, nearest: NEAREST - 0.1, farthest: FARTHEST + 0.1 };
  const sampler = new CandidateSampler(rig, home, options);
  const random = new Random(seed).fork("hand places");
  const [real, thought] = [new SaggingRobot(truth), new SaggingRobot(believed)];
  const sums = { seen: 0, reached: 0, between: 0, places: 0 };
  for (const [arm, { marker, group }] of rig.arms.entries()) {
    const link = handLink(believed, group.hand) ?? marker.link;
    for (const { positions, sweep } of sampler.sample(arm, places, random.fork(group.name))) {
      const q = home.slice();
      for (const [i, dof] of group.dofs.entries()) q[dof] = positions[i]!;
      for (const [i, dof] of rig.neck.dofs.entries()) q[dof] = sweep.swings[i]!.middle;
      real.stand(q);
      thought.stand(q);
      const hand = pose.getTranslation(real.state.worldFromLink[link]!, vec3.create());
      const seen = seenPlace(believed, q, hand, truth, real.state);
      if (seen === null) continue;
      const reached = pose.getTranslation(thought.state.worldFromLink[link]!, vec3.create());
      sums.seen += vec3.distance(seen, hand) ** 2;
      sums.reached += vec3.distance(reached, hand) ** 2;
      sums.between += vec3.distance(reached, seen) ** 2;
      sums.places++;
    }
  }
  const mean = (sum: number) => Math.sqrt(sum / sums.places);
  return { seen: mean(sums.seen), reached: mean(sums.reached), between: mean(sums.between), places: sums.places };
}

function handLink({ hands }: Robot, name: string | undefined): number | undefined {
  return hands.find((hand) => hand.name === name)?.catchLink;
}

/** Where the believed cameras see a point whose images the true ones take, in the root frame; null if it is out of view. */
function seenPlace(
  believed: Robot,
  q: Float64Array,
  point: vec3.Vec3,
  truth: Robot,
  real: RobotState,
): vec3.Vec3 | null {
  const { cameras } = findCalibrationRig(truth);
  const pixels = cameras.map((camera) => {
    const inCamera = pose.transformPointInverse(real.worldFromLink[camera.link]!, point, vec3.create());
    const model = new CameraModel(camera);
    const pixel = new Float64Array(2);
    const isSeen = model.project(inCamera, pixel) && model.isInside(pixel[0]!, pixel[1]!, BORDER);
    const distance = vec3.norm(inCamera);
    return isSeen && distance >= NEAREST && distance <= FARTHEST ? pixel : null;
  });
  const [left, right] = pixels;
  if (!left || !right) return null;
  return triangulated(believed, q, left, right);
}

function triangulated(believed: Robot, q: Float64Array, left: Float64Array, right: Float64Array): vec3.Vec3 | null {
  const { cameras } = findCalibrationRig(believed);
  const state = new RobotState(believed.model);
  state.q.set(q);
  forwardKinematics(state);
  const [rootFromLeft, rootFromRight] = cameras.map(({ link }) => state.worldFromLink[link]!) as [pose.Pose, pose.Pose];
  const leftFromRight = pose.composeInverse(rootFromLeft, rootFromRight, pose.create());
  const pair = new StereoPair(new CameraModel(cameras[0]), new CameraModel(cameras[1]), leftFromRight);
  const point = vec3.create();
  if (!pair.triangulate(left, right, point, new Float64Array(9))) return null;
  return pose.transformPoint(rootFromLeft, point, vec3.create());
}
