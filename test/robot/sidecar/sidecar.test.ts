import { describe, expect, it } from "vitest";
import { parseOverlay, parseSidecar } from "../../../src/robot/loading/load-robot.js";
import { OverlaySchema } from "../../../src/robot/sidecar/overlay-schema.js";
import { type Sidecar, SidecarSchema } from "../../../src/robot/sidecar/sidecar-schema.js";
import type { ErrorCode } from "../../../src/runtime/error-catalogue.js";
import { SchemaError } from "../../../src/runtime/schema-problems.js";
import { listFields } from "../../../tools/docs/robot-field-page.js";
import { expectCode, smallArm, smallArmSidecar } from "../fixtures/small-arm.js";

type Edit = (sidecar: Sidecar) => void;

describe("the schema of the sidecar", () => {
  it("describes every key, with a unit in brackets for every number that has one", () => {
    const fields = [...listFields(SidecarSchema), ...listFields(OverlaySchema)];
    expect(fields.filter(({ schema }) => schema.description === undefined).map(({ path }) => path)).toEqual([]);
    const unitless = /ratio|restitution|factor|gain|schemaVersion|droppedFrames|Hz$|distortion|width|height/i;
    const bare = fields.filter(
      ({ path, schema }) => schema.type === "number" && !unitless.test(path) && !schema.description!.includes("["),
    );
    expect(bare.map(({ path }) => path)).toEqual([]);
  });

  const bad: readonly (readonly [string, Edit, string])[] = [
    ["an unknown key", (s) => Object.assign(s, { group: [] }), "/group"],
    ["an unknown key inside", (s) => Object.assign(s.frames!, { chests: "upper" }), "/frames/chests"],
    ["an unknown key in a list", (s) => Object.assign(s.cameras![0]!, { fps: 25 }), "/cameras/0/fps"],
    ["an unknown key in a record", (s) => Object.assign(s.limits!, { rail: { snap: 3 } }), "/limits/rail/snap"],
    ["a missing key", (s) => Reflect.deleteProperty(s, "urdf"), "/urdf"],
    ["another version", (s) => Object.assign(s, { schemaVersion: 2 }), "/schemaVersion"],
    ["a URDF in another folder", (s) => Object.assign(s, { urdf: "../other.urdf" }), "/urdf"],
    [
      "a text for a number",
      (s) => Object.assign(s.limits!, { rail: { acceleration: "3" } }),
      "/limits/rail/acceleration",
    ],
    ["no acceleration", (s) => Object.assign(s.limits!, { rail: { acceleration: 0 } }), "/limits/rail/acceleration"],
    ["NaN", (s) => Object.assign(s.limits!, { rail: { acceleration: Number.NaN } }), "/limits/rail/acceleration"],
    ["an infinite number", (s) => Object.assign(s.postures!, { ready: { rail: Infinity } }), "/postures/ready/rail"],
    ["two numbers for three", (s) => Object.assign(s.markers![0]!, { position: [0, 1] }), "/markers/0/position"],
    ["an unknown group kind", (s) => Object.assign(s.groups![1]!, { kind: "leg" }), "/groups/1/kind"],
    [
      "a key of another keep-out shape",
      (s) => Object.assign(s.handKeepOut![0]!, { normal: [0, 0, 1] }),
      "/handKeepOut/0/normal",
    ],
  ];
  it.each(bad)("refuses %s", (_, edit, path) => {
    const sidecar = smallArmSidecar(edit);
    const error = expectCode(() => parseSidecar(sidecar, "robot.json"), "FLY_SIDECAR_INVALID", path);
    expect(error.details.expected).toBeTruthy();
    expect(error.details.found).toBeTruthy();
  });

  it("tells all problems at once", () => {
    const sidecar = { ...smallArmSidecar(), urdf: 3, colour: "red" };
    const error = expectCode(() => parseSidecar(sidecar), "FLY_SIDECAR_INVALID") as SchemaError;
    expect(error).toBeInstanceOf(SchemaError);
    expect(error.problems.map(({ path }) => path).sort()).toEqual(["/colour", "/urdf"]);
  });

  it.each([null, 3, [], "robot"])("refuses %j for a whole", (value) => {
    expectCode(() => parseSidecar(value), "FLY_SIDECAR_INVALID");
    expectCode(() => parseOverlay(value), "FLY_OVERLAY_INVALID");
  });
});

const reference: ErrorCode = "FLY_SIDECAR_REFERENCE";
const contradiction: ErrorCode = "FLY_SIDECAR_INCONSISTENT";
const camera = { rateHz: 1, latency: 0, link: "eye", width: 8, height: 6 };

describe("names and values of the sidecar are checked against the robot", () => {
  const cases: readonly (readonly [string, Edit, ErrorCode, string])[] = [
    ["a limit of no joint", (s) => Object.assign(s.limits!, { knee: {} }), reference, "/limits/knee"],
    ["a name with a slash", (s) => Object.assign(s.limits!, { "a/b~c": {} }), reference, "/limits/a~1b~0c"],
    ["a limit of a key of objects", (s) => Object.assign(s.limits!, { toString: {} }), reference, "/limits/toString"],
    ["a limit of a fixed joint", (s) => Object.assign(s.limits!, { eyeMount: {} }), contradiction, "/limits/eyeMount"],
    ["limits crossed", (s) => Object.assign(s.limits!.elbow!, { lower: 3 }), contradiction, "/limits/elbow"],
    [
      "a coupling of no joint",
      (s) => Object.assign(s, { couplings: [{ joint: "x", terms: [] }] }),
      reference,
      "/couplings/0/joint",
    ],
    ["a group with no joint of the name", (s) => s.groups![1]!.joints.push("knee"), reference, "/groups/1/joints/3"],
    ["a group with a dependent joint", (s) => s.groups![1]!.joints.push("gripB"), contradiction, "/groups/1/joints/3"],
    ["a group with a joint aside", (s) => s.groups![1]!.joints.push("gripA"), contradiction, "/groups/1/joints/3"],
    ["a group out of order", (s) => s.groups![1]!.joints.reverse(), contradiction, "/groups/1/joints/1"],
    ["a group with a joint twice", (s) => s.groups![1]!.joints.push("wrist"), contradiction, "/groups/1/joints/3"],
    [
      "a group without base link",
      (s) => Object.assign(s.groups![0]!, { baseLink: "x" }),
      reference,
      "/groups/0/baseLink",
    ],
    ["a group without tip link", (s) => Object.assign(s.groups![0]!, { tipLink: "x" }), reference, "/groups/0/tipLink"],
    [
      "a group upside down",
      (s) => Object.assign(s.groups![0]!, { baseLink: "hand" }),
      contradiction,
      "/groups/0/tipLink",
    ],
    ["two groups of a name", (s) => Object.assign(s.groups![1]!, { name: "rail" }), contradiction, "/groups/1/name"],
    ["a group with no such hand", (s) => Object.assign(s.groups![1]!, { hand: "paw" }), reference, "/groups/1/hand"],
    [
      "a tip beside the catch link",
      (s) => Object.assign(s.groups![1]!, { tipLink: "hand" }),
      contradiction,
      "/groups/1/tipLink",
    ],
    ["a frame of no link", (s) => Object.assign(s.frames!, { head: "x" }), reference, "/frames/head"],
    ["a world that moves", (s) => Object.assign(s.frames!, { world: "hand" }), contradiction, "/frames/world"],
    ["a camera on no link", (s) => Object.assign(s.cameras![0]!, { link: "x" }), reference, "/cameras/0/link"],
    ["a camera with two lenses", (s) => Object.assign(s.cameras![0]!, { fx: 1 }), contradiction, "/cameras/0"],
    ["a camera without a lens", (s) => s.cameras!.push({ ...camera, name: "x" }), contradiction, "/cameras/2"],
    [
      "a camera with half a lens",
      (s) => s.cameras!.push({ ...camera, name: "x", fx: 1, fy: 1 }),
      contradiction,
      "/cameras/2",
    ],
    ["two cameras of a name", (s) => Object.assign(s.cameras![1]!, { name: "left" }), contradiction, "/cameras/1/name"],
    ["a stereo pair of no camera", (s) => Object.assign(s.stereo!, { right: "x" }), reference, "/stereo/right"],
    ["an IMU on no link", (s) => Object.assign(s.imu!, { link: "x" }), reference, "/imu/link"],
    ["a hand with no such joint", (s) => s.hands![0]!.joints.push("x"), reference, "/hands/0/joints/1"],
    ["a hand with a dependent joint", (s) => s.hands![0]!.joints.push("gripB"), reference, "/hands/0/joints/1"],
    [
      "a hand with no catch link",
      (s) => Object.assign(s.hands![0]!, { catchLink: "x" }),
      reference,
      "/hands/0/catchLink",
    ],
    [
      "a hand shape of too few joints",
      (s) => Object.assign(s.hands![0]!, { open: {} }),
      contradiction,
      "/hands/0/open",
    ],
    [
      "a hand shape of others' joints",
      (s) => Object.assign(s.hands![0]!.closed, { wrist: 0 }),
      contradiction,
      "/hands/0/closed",
    ],
    [
      "a hand shape beyond limits",
      (s) => Object.assign(s.hands![0]!.closed, { gripA: 2 }),
      contradiction,
      "/hands/0/closed/gripA",
    ],
    ["two hands of a name", (s) => s.hands!.push(s.hands![0]!), contradiction, "/hands/1/name"],
    ["a posture of no joint", (s) => Object.assign(s.postures!.ready!, { x: 0 }), reference, "/postures/ready/x"],
    [
      "a posture beyond limits",
      (s) => Object.assign(s.postures!.ready!, { elbow: 2.1 }),
      contradiction,
      "/postures/ready/elbow",
    ],
    [
      "a hull on no link",
      (s) => Object.assign(s.collision!.hulls[0]!, { link: "x" }),
      reference,
      "/collision/hulls/0/link",
    ],
    [
      "two hulls of a name",
      (s) => Object.assign(s.collision!.hulls[1]!, { name: "carriage" }),
      contradiction,
      "/collision/hulls/1/name",
    ],
    [
      "a pair of no body",
      (s) => Object.assign(s.collision!, { pairs: [["hand", "x"]] }),
      reference,
      "/collision/pairs/0/1",
    ],
    [
      "a pair of one body",
      (s) => Object.assign(s.collision!, { pairs: [["hand", "hand"]] }),
      contradiction,
      "/collision/pairs/0",
    ],
    [
      "a pair twice",
      (s) =>
        Object.assign(s.collision!, {
          pairs: [
            ["hand", "fore"],
            ["fore", "hand"],
          ],
        }),
      contradiction,
      "/collision/pairs/1",
    ],
    [
      "a keep-out shape on no link",
      (s) => Object.assign(s.handKeepOut![0]!, { link: "x" }),
      reference,
      "/handKeepOut/0/link",
    ],
    [
      "two keep-out shapes of a name",
      (s) => Object.assign(s.handKeepOut![1]!, { name: "ball" }),
      contradiction,
      "/handKeepOut/1/name",
    ],
    [
      "a cylinder without height",
      (s) => Object.assign(s.handKeepOut![2]!, { to: [0, 0, 0] }),
      contradiction,
      "/handKeepOut/2",
    ],
    ["a flat box", (s) => Object.assign(s.handKeepOut![3]!, { size: [1, 0, 1] }), contradiction, "/handKeepOut/3/size"],
    [
      "a half-space without normal",
      (s) => Object.assign(s.handKeepOut![4]!, { normal: [0, 0, 0] }),
      contradiction,
      "/handKeepOut/4/normal",
    ],
    [
      "a body rule for no group",
      (s) => Object.assign(s.bodyRule!.parts[0]!, { group: "x" }),
      reference,
      "/bodyRule/parts/0/group",
    ],
    [
      "a body rule of another size",
      (s) => s.bodyRule!.parts[0]!.maxDisplacement.push(1),
      contradiction,
      "/bodyRule/parts/0/maxDisplacement",
    ],
    ["a marker on no link", (s) => Object.assign(s.markers![0]!, { link: "x" }), reference, "/markers/0/link"],
    ["two markers of a name", (s) => s.markers!.push(s.markers![0]!), contradiction, "/markers/1/name"],
    [
      "a servo of no joint",
      (s) => Object.assign(s.simulation!.jointServos!, { x: {} }),
      reference,
      "/simulation/jointServos/x",
    ],
    [
      "a compliance of no joint",
      (s) => Object.assign(s.simulation!.elasticity!.compliance!, { x: 1 }),
      reference,
      "/simulation/elasticity/compliance/x",
    ],
    [
      "a mode of no link",
      (s) => Object.assign(s.simulation!.elasticity!.modes[0]!, { link: "x" }),
      reference,
      "/simulation/elasticity/modes/0/link",
    ],
    [
      "a mode without axis",
      (s) => Object.assign(s.simulation!.elasticity!.modes[0]!, { axis: [0, 0, 0] }),
      contradiction,
      "/simulation/elasticity/modes/0/axis",
    ],
    [
      "a mode excited by no group",
      (s) => s.simulation!.elasticity!.modes[0]!.excitedBy.push("x"),
      reference,
      "/simulation/elasticity/modes/0/excitedBy/1",
    ],
  ];
  it.each(cases)("%s", (_, edit, code, path) => {
    expectCode(() => smallArm(edit), code, path);
  });
});

describe("what the sidecar resolves to", () => {
  const robot = smallArm();
  const link = (name: string) => robot.model.linkNames.indexOf(name);

  it("frames, of which world is the root where nothing is said", () => {
    expect(robot.frames).toEqual({ world: 0, base: 1, chest: 1, head: 1, catch: link("catch") });
    expect(smallArm((s) => Reflect.deleteProperty(s, "frames")).frames).toEqual({ world: 0 });
  });

  it("cameras, from the field of view or as given", () => {
    const [left, right] = robot.cameras;
    expect(left).toMatchObject({ link: link("eye"), cx: 399.5, cy: 299.5, latency: 0.04, exposure: 0 });
    expect(left!.fx).toBeCloseTo(692.82, 2);
    expect(left!.fy).toBe(left!.fx);
    expect(left!.distortion).toEqual({ k1: 0, k2: 0, p1: 0, p2: 0, k3: 0 });
    expect(right).toMatchObject({ fx: 500, fy: 501, cx: 320, cy: 240, exposure: 0.002 });
    expect(right!.distortion).toEqual({ k1: -0.1, k2: 0, p1: 0, p2: 0.001, k3: 0 });
    expect(robot.stereo).toEqual({ left: 0, right: 1 });
  });

  it("IMU and encoders, with defaults", () => {
    expect(robot.imu).toMatchObject({ link: link("eye"), rateHz: 512, gyroNoiseDensity: 1.7e-4 });
    expect([...robot.imu!.gyroBias, ...robot.imu!.accelerometerScale]).toEqual([0, 0, 0, 1, 1, 1]);
    expect(robot.encoders).toEqual({ positionNoise: 1e-4, velocityNoise: 0, effortNoise: 0, latency: 0 });
    expect(smallArm((s) => Reflect.deleteProperty(s, "imu")).imu).toBeUndefined();
  });

  it("hands and postures in model order", () => {
    const [hand] = robot.hands;
    expect(hand).toMatchObject({ name: "gripper", catchLink: link("catch"), dofs: [4], closingTime: 0.15 });
    expect([[...hand!.open], [...hand!.closed]]).toEqual([[0], [0.9]]);
    expect([...robot.postures.get("ready")!]).toEqual([0, 0.5, -1, 0, 0]);
    expect([...robot.postures.get("drop")!]).toEqual([0.5, 0, 0, 3, 0]);
  });

  it("a joint left out of a posture stands at its limit nearest to 0", () => {
    const up = smallArm((s) => Object.assign(s.limits!.elbow!, { upper: -0.25 }));
    expect(up.postures.get("drop")![2]).toBe(-0.25);
  });

  it("hulls, and by default all pairs that are not joined directly", () => {
    expect(robot.hulls[0]).toMatchObject({ name: "carriage", link: 1, radius: 0.125 });
    expect([...robot.hulls[0]!.points]).toEqual([-0.1, 0, 0, 0.1, 0, 0]);
    const names = robot.pairs.map(([a, b]) => `${robot.hulls[a]!.name}-${robot.hulls[b]!.name}`);
    // The mouth is fixed to the hand, so it counts as the hand.
    expect(names).toEqual(["carriage-fore", "carriage-hand", "carriage-mouth", "upper-hand", "upper-mouth"]);
    const listed = smallArm((s) => Object.assign(s.collision!, { pairs: [["hand", "carriage"]] }));
    expect(listed.pairs).toEqual([[3, 0]]);
  });

  it("the rigid body of every link", () => {
    expect([...robot.rigidBody]).toEqual([0, 1, 2, 3, 4, 4, 6, 7, 8, 1]);
  });

  it("keep-out shapes with unit normals and half sizes", () => {
    const [ball, post, drum, crate, floor] = robot.keepOut.map(({ geometry }) => geometry);
    expect(ball).toEqual({ type: "sphere", center: Float64Array.of(0, 0, 0.2), radius: 0.1 });
    expect(post).toMatchObject({ type: "capsule", radius: 0.05 });
    expect(drum).toMatchObject({ type: "cylinder", to: Float64Array.of(0, 0, 0.5) });
    if (crate?.type !== "box" || floor?.type !== "half-space") throw new Error("wrong shapes");
    expect([...crate.halfSize]).toEqual([1, 0.5, 0.25]);
    expect(crate.linkFromBox[3]).toBeCloseTo(1, 14);
    expect([...floor.normal, floor.offset]).toEqual([0, 0, 1, 0.05]);
  });

  it("decelerations, which default to accelerations", () => {
    expect([...robot.maxDeceleration]).toEqual([4, 10, 20, 30, 100]);
  });

  it("shapes of each link", () => {
    expect(robot.shapes[link("hand")]!.collisions).toHaveLength(1);
    expect(robot.shapes[link("hand")]!.visuals[0]!.geometry.type).toBe("mesh");
    expect(robot.shapes).toHaveLength(robot.model.linkCount);
  });
});
