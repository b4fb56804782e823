import { Compile } from "typebox/compile";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createChannel } from "../../src/channels/channel.js";
import { fromJson, toJson } from "../../src/channels/json.js";
import { allocatePacket, type PacketView } from "../../src/channels/packet.js";
import { recordingSchemaOf } from "../../src/channels/schema.js";
import { placeOf } from "../../src/channels/view.js";
import type { Pose } from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import type { Vec3 } from "../../src/math/vec3.js";
import type { BallPrediction } from "../../src/messages/ball-prediction.js";
import { packetTypes } from "../../src/messages/catalogue.js";
import { Circles } from "../../src/messages/circles.js";
import { Event, Severity } from "../../src/messages/event.js";
import type { HeadPose } from "../../src/messages/head-pose.js";
import { type Image, imagePacket } from "../../src/messages/image.js";
import { maxCircles, maxJoints, maxSentenceBytes } from "../../src/messages/parts.js";
import { Plan, PlanStatus } from "../../src/messages/plan.js";
import { CatchMode } from "../../src/messages/plan-request.js";
import type { RampArrays } from "../../src/motion/ramp.js";
import { planStatuses } from "../../src/planning/request/answer.js";
import { catchModes } from "../../src/planning/request/request.js";
import { fillRandomly } from "../channels/random-packet.js";

const byName = new Map(packetTypes.map((type) => [type.name, type]));

describe("the pipeline's packets", () => {
  it("are those of the design, each once", () => {
    expect([...byName.keys()].sort()).toEqual([
      "BallPrediction",
      "Circles",
      "ComponentStatus",
      "Event",
      "HandCommand",
      "HeadPose",
      "Image",
      "Imu",
      "JointCommand",
      "JointState",
      "MonitorState",
      "Plan",
      "PlanAnswer",
      "PlanHandover",
      "PlanRequest",
    ]);
    expect(byName.size).toBe(packetTypes.length);
  });

  it.each([
    ["JointState", "t"],
    ["Imu", "t"],
    ["Image", "tExposure"],
    ["Circles", "tExposure"],
  ])("%s carries when it was measured (%s) and when it arrived", (name, measured) => {
    const { fields } = byName.get(name)!;
    expect(fields[measured]?.kind).toBe("time");
    expect(fields.tArrival?.kind).toBe("time");
  });

  it.each(packetTypes.map((type) => [type.name, type] as const))(
    "%s passes a channel and a recording unchanged",
    (_, type) => {
      const random = new Random(type.name);
      const validator = Compile(JSON.parse(recordingSchemaOf(type).data));
      const channel = createChannel(type, { ringSize: 1, maxPutPorts: 1, maxGetPorts: 1, maxBorrows: 1 });
      const put = channel.openPutPort();
      const get = channel.openGetPort("every");
      const sent = put.reserve();
      fillRandomly(type, sent, random);
      const json = JSON.parse(JSON.stringify(toJson(type, sent)));
      put.publish();
      expect([...validator.Errors(json)]).toEqual([]);
      const read = allocatePacket(type);
      fromJson(type, json, read);
      const { memory, offset } = placeOf(get.tryReceive()!);
      const received = memory.u8.slice(offset, offset + type.byteLength);
      // Not toEqual: an image has half a million bytes.
      expect(Buffer.compare(received, placeOf(read).memory.u8)).toBe(0);
    },
  );

  it("give algorithms the types they work on, in place", () => {
    expectTypeOf<HeadPose["worldFromHead"]>().toEqualTypeOf<Pose>();
    expectTypeOf<BallPrediction["position"]>().toEqualTypeOf<Vec3>();
    expectTypeOf<PacketView<typeof Plan>["ramps"]>().toExtend<RampArrays>();
    expectTypeOf<PacketView<typeof Plan>["status"]>().toEqualTypeOf<PlanStatus>();
    const plan = allocatePacket(Plan);
    const ramps: RampArrays = plan.ramps;
    ramps.T[maxJoints - 1] = 2;
    expect(plan.ramps.T[maxJoints - 1]).toBe(2);
  });

  it("have room for as much as they say", () => {
    expect(allocatePacket(Circles).circles).toHaveLength(maxCircles);
    expect(allocatePacket(Circles).circles[0]?.covariance).toHaveLength(9);
    expect(allocatePacket(Plan).ramps.q0).toHaveLength(maxJoints);
    const image: Image = allocatePacket(imagePacket(320, 200));
    expect(image.pixels).toHaveLength(64_000);
    expect(imagePacket(320, 200).signature).not.toBe(imagePacket(200, 321).signature);
  });

  it("carry text in any language", () => {
    const event = allocatePacket(Event);
    event.severity = Severity.warning;
    event.text.write("Track 3 verloren: 120 ms ohne Messung — größer als erlaubt");
    expect(toJson(Event, event)).toMatchObject({
      severity: "warning",
      text: "Track 3 verloren: 120 ms ohne Messung — größer als erlaubt",
    });
    event.text.write("ß".repeat(maxSentenceBytes));
    expect(event.text.read()).toBe("ß".repeat(maxSentenceBytes / 2));
  });

  it("name modes and outcomes as planning does", () => {
    expect(Object.keys(CatchMode)).toEqual([...catchModes]);
    expect(Object.keys(PlanStatus)).toEqual([...planStatuses]);
  });
});
