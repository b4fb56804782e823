import { expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import * as vec3 from "../../../src/math/vec3.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { HeadKinematics } from "../../../src/tracking/pose/head-kinematics.js";
import { HeadPoseEstimate } from "../../../src/tracking/pose/head-pose-estimate.js";
import { HeadPoseFilter } from "../../../src/tracking/pose/head-pose-filter.js";
import { headPoseOptionsOf } from "../../../src/tracking/pose/head-pose-options.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";

const robot = loadRobot("agile-justin");
const BOXED_IN_STEPS = 6 * boxedNumbers;

it("takes samples in any order and answers without allocating", () => {
  const filter = new HeadPoseFilter(headPoseOptionsOf(robot));
  const place = pose.create();
  const [rate, force] = [vec3.create(0.1, 0, 0), vec3.create(0, 0, 9.81)];
  const estimate = new HeadPoseEstimate();
  let k = 0;
  // Three samples of each kind a call, two of the IMU's swapped: four steps, and in each V8 boxes up to six numbers, by how it
  // happened to inline. A typed array in each would be more.
  const bytes = heapBytesPerCall(
    () => {
      for (let n = 0; n < 3; n++) filter.addKinematics((k + n) / 512, place, 0.5);
      filter.addImu(k / 512, rate, force);
      filter.addImu((k + 2) / 512, rate, force);
      filter.addImu((k + 1) / 512, rate, force);
      k += 3;
      if (k % 60 === 0) filter.estimate((k - 20) / 512, estimate);
    },
    5_000,
    BOXED_IN_STEPS,
  );
  expect(bytes).toBeLessThan(BOXED_IN_STEPS);
});

it("finds the head from the joints without allocating", () => {
  const kinematics = new HeadKinematics(robot);
  const q = robot.postures.get("ready")!.slice();
  const qd = new Float64Array(q.length).fill(0.1);
  const bytes = heapBytesPerCall((index) => kinematics.update(index / 1000, q, qd), 5_000);
  expect(bytes).toBeLessThan(boxedNumbers);
});
