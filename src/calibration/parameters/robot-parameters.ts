import * as pose from "../../math/pose.js";
import { relativePose, stateAt } from "../../robot/kinematics/kinematics.js";
import { type CalibrationRig, calibratedIntrinsics, type MarkedArm } from "./calibration-rig.js";
import { type BlockKind, ParameterBlock, type ParameterComponent } from "./parameter-block.js";
import { checkChoice, chosen, type ParameterChoice, ParameterSet } from "./parameter-set.js";

export type ArmParameters = Readonly<ReturnType<typeof armBlocks>>;

/** Everything calibration can find, block by block; starts at what the robot is believed to be. */
export interface RobotParameters extends Readonly<ReturnType<typeof makeBlocks>> {
  readonly set: ParameterSet;
}

/** A component before the choice: free by default, without prior. */
type Draft = Omit<ParameterComponent, "free" | "priorSigma" | "family"> & { readonly fixed?: true };

const axisNames = ["x", "y", "z"] as const;

/** What a robot fresh from maintenance may be off by, one standard deviation. */
const spreads = {
  focal: 15,
  centre: 10,
  radial: 0.1,
  tangential: 2e-3,
  translation: 0.01,
  rotation: 0.02,
  offset: 0.02,
  compliance: 2e-4,
  gyroBias: 0.01,
  accelerometerBias: 0.2,
  scale: 0.02,
  tilt: 0.02,
  delay: 0.02,
  rowTime: 1e-5,
} as const;

/**
 * The parameters of a robot. By default all are free but three kinds: row times of cameras that have none, since their shutters
 * are global; the offset of the last joint of each arm and of the
 * neck, which nothing can tell from the marker's place and from the mounting of cameras and IMU; and the compliance of an
 * arm's last joint, which the hand's weight does not load.
 */
export function createParameters(rig: CalibrationRig, choice: ParameterChoice = {}): RobotParameters {
  const blocks: ParameterBlock[] = [];
  const drafts: ParameterComponent[] = [];
  const add: AddBlock = (name, kind, initial, family, components) => {
    const all = components.map(({ fixed, ...draft }) => ({
      ...draft,
      family,
      free: fixed === undefined,
      priorSigma: Number.POSITIVE_INFINITY,
    }));
    drafts.push(...all);
    const chosenOnes = all.map((component) => chosen(component, choice));
    const block = new ParameterBlock(name, kind, initial, chosenOnes);
    blocks.push(block);
    return block;
  };
  const parameters = makeBlocks(rig, add);
  checkChoice(choice, drafts);
  return { set: new ParameterSet(blocks), ...parameters };
}

type AddBlock = (
  name: string,
  kind: BlockKind,
  initial: Float64Array,
  family: string,
  components: readonly Draft[],
) => ParameterBlock;

function makeBlocks(rig: CalibrationRig, add: AddBlock) {
  const { neck, cameras, imu, robot } = rig;
  const delay = (name: string, words: string, latency: number) =>
    add(name, "vector", Float64Array.of(latency), "delays", [{ name, words, unit: "s", spread: spreads.delay }]);
  return {
    /** fx, fy, cx, cy [px], k1, k2, p1, p2 of the left and the right camera. */
    intrinsics: [add(...intrinsicsOf(rig, 0)), add(...intrinsicsOf(rig, 1))] as const,
    ...mountings(rig, add),
    neckOffsets: add(
      "neckOffsets",
      "vector",
      zeros(neck.dofs.length),
      "offsets",
      jointDrafts(rig, neck.dofs, "offset", "rad"),
    ),
    arms: rig.arms.map((arm) => armBlocks(rig, arm, add)),
    ...imuBlocks(rig, add),
    /** Unit vector along gravity in the root link's frame. */
    gravity: add("gravity", "direction", robot.gravityDirection, "gravity", [
      { name: "gravity.first", words: "gravity direction (first tilt)", unit: "rad", spread: spreads.tilt },
      { name: "gravity.second", words: "gravity direction (second tilt)", unit: "rad", spread: spreads.tilt },
    ]),
    /** From mid-exposure to the stamp of an image [s]; the cameras are triggered together. */
    cameraDelay: delay("cameraDelay", "camera delay", cameras[0].latency),
    /** From the sample to the stamp of an IMU reading [s]. */
    imuDelay: delay("imuDelay", "IMU delay", imu.latency),
    /** From the exposure of a row to that of the next [s], of the left and the right camera. */
    rowTimes: [add(...rowTimeOf(rig, 0)), add(...rowTimeOf(rig, 1))] as const,
  };
}

type ImuBlock = "gyroBias" | "gyroScale" | "accelerometerBias" | "accelerometerScale";

function imuBlocks({ imu }: CalibrationRig, add: AddBlock) {
  const block = (name: ImuBlock, words: string, unit: string, spread: number) =>
    add(name, "vector", imu[name], name, perAxis(name, words, unit, spread));
  return {
    gyroBias: block("gyroBias", "gyroscope bias", "rad/s", spreads.gyroBias),
    gyroScale: block("gyroScale", "gyroscope scale", "", spreads.scale),
    accelerometerBias: block("accelerometerBias", "accelerometer bias", "m/s²", spreads.accelerometerBias),
    accelerometerScale: block("accelerometerScale", "accelerometer scale", "", spreads.scale),
  };
}

function intrinsicsOf({ cameras }: CalibrationRig, side: 0 | 1): Parameters<AddBlock> {
  const { name, fx, fy, cx, cy, distortion } = cameras[side];
  const { k1, k2, p1, p2 } = distortion;
  const spread = [spreads.focal, spreads.focal, spreads.centre, spreads.centre, spreads.radial, spreads.radial];
  const drafts = calibratedIntrinsics.map((intrinsic, i) => ({
    name: `${name}.${intrinsic}`,
    words: `${name} camera's ${intrinsic}`,
    unit: i < 4 ? "px" : "",
    spread: spread[i] ?? spreads.tangential,
  }));
  return [`${name}.intrinsics`, "vector", Float64Array.of(fx, fy, cx, cy, k1, k2, p1, p2), "intrinsics", drafts];
}

/** Fixed at 0 where the sidecar has none. */
function rowTimeOf({ cameras }: CalibrationRig, side: 0 | 1): Parameters<AddBlock> {
  const { name, rowTime } = cameras[side];
  const draft = { name: `${name}.rowTime`, words: `${name} camera's row time`, unit: "s", spread: spreads.rowTime };
  const drafts: Draft[] = [rowTime === 0 ? { ...draft, fixed: true } : draft];
  return [`${name}.rowTime`, "vector", Float64Array.of(rowTime), "rowTimes", drafts];
}

function mountings(rig: CalibrationRig, add: AddBlock) {
  const { headLink, cameras, imu } = rig;
  const state = stateAt(rig.robot.model);
  const between = (name: string, words: string, family: string, from: number, to: number) =>
    add(name, "pose", relativePose(state, from, to, pose.create()), family, poseDrafts(name, words));
  const [left, right] = cameras;
  return {
    /** headFromLeftCamera. */
    leftMounting: between("leftMounting", "left camera", "mounting", headLink, left.link),
    /** rightCameraFromLeftCamera. */
    stereo: between("stereo", "stereo frame", "stereo", right.link, left.link),
    /** headFromImu. */
    imuMounting: between("imuMounting", "IMU", "imuMounting", headLink, imu.link),
  };
}

function armBlocks(rig: CalibrationRig, { group, marker }: MarkedArm, add: AddBlock) {
  const { model, jointCompliance } = rig.robot;
  const { dofs } = group;
  const compliance = Float64Array.from(dofs, (dof) => jointCompliance[model.dofJoint[dof]!]!);
  const compliances = jointDrafts(rig, dofs, "compliance", "rad/(N·m)");
  const place = `${marker.name}.marker`;
  const axes = perAxis(place, `${jointWords(marker.name)} marker`, "m", spreads.translation);
  return {
    /** Of each joint of the arm: position = measured + offset + compliance · load [rad]. */
    offsets: add(
      `${group.name}.offsets`,
      "vector",
      zeros(dofs.length),
      "offsets",
      jointDrafts(rig, dofs, "offset", "rad"),
    ),
    /** [rad/(N·m)] */
    compliances: add(`${group.name}.compliances`, "vector", compliance, "compliances", compliances),
    /** In the marker's link [m]. */
    marker: add(place, "vector", marker.position, "markers", axes),
  };
}

/** One for each joint; that of the last one is fixed. */
function jointDrafts(
  { robot }: CalibrationRig,
  dofs: readonly number[],
  what: "offset" | "compliance",
  unit: string,
): Draft[] {
  return dofs.map((dof, i) => {
    const joint = robot.model.dofNames[dof]!;
    const draft = { name: `${joint}.${what}`, words: `${jointWords(joint)} ${what}`, unit, spread: spreads[what] };
    return i === dofs.length - 1 ? { ...draft, fixed: true } : draft;
  });
}

function perAxis(name: string, words: string, unit: string, spread: number): Draft[] {
  return axisNames.map((axis) => ({ name: `${name}.${axis}`, words: `${words} ${axis}`, unit, spread }));
}

function poseDrafts(name: string, words: string): Draft[] {
  return [
    ...perAxis(name, `${words} position`, "m", spreads.translation),
    ...axisNames.map((axis) => ({
      name: `${name}.turn${axis.toUpperCase()}`,
      words: `${words} turn about ${axis}`,
      unit: "rad",
      spread: spreads.rotation,
    })),
  ];
}

/** `leftArm4` → "left arm 4", `neckPan` → "neck pan". */
function jointWords(name: string): string {
  return name.replace(/([a-z])([A-Z0-9])/g, "$1 $2").toLowerCase();
}

function zeros(count: number): Float64Array {
  return new Float64Array(count);
}
