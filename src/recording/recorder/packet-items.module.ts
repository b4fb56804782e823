import { readPrediction } from "../../catching/live/prediction-codec.module.js";
import type { ThrowResult } from "../../catching/run-summary.js";
import { handoverOf } from "../../control/plan-codec.module.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { BallPrediction } from "../../messages/ball-prediction.js";
import { Camera } from "../../messages/camera.js";
import type { Circles } from "../../messages/circles.js";
import { type Event, Severity } from "../../messages/event.js";
import type { HeadPose } from "../../messages/head-pose.js";
import { type MonitorState, MonitorVerdict } from "../../messages/monitor-state.js";
import type { Plan } from "../../messages/plan.js";
import { type PlanAnswer, PlanSearch } from "../../messages/plan-answer.js";
import type { PlanHandover } from "../../messages/plan-handover.js";
import { JointRamps, rampFields } from "../../motion/joint-ramps.js";
import type { Robot } from "../../robot/robot.js";
import type { ItemOf } from "../recording.js";
import { outcomeOf } from "../throw-outcome.js";

/**
 * The adapter from packets of the old real-time channels to messages of a recording; `nowNs` is when the recorder had them. Goes,
 * with `joint-items.ts`, `channel-tap.module.ts` and `live-recorder.module.ts`, as soon as `RecorderNode` records runs in real time.
 */

const numbers = (values: Iterable<number>): Float64Array => Float64Array.from(values);

export function circlesItem(packet: Readonly<Circles>): ItemOf<"cameras/circles"> {
  const found = packet.circles.slice(0, packet.count);
  const arrivalNs = packet.tArrival.nanoseconds;
  return {
    topic: "cameras/circles",
    timeNs: Math.max(0, arrivalNs),
    camera: packet.camera === Camera.left ? "left" : "right",
    frame: packet.frame,
    exposureNs: packet.tExposure.nanoseconds,
    arrivalNs,
    u: numbers(found.map(({ u }) => u)),
    v: numbers(found.map(({ v }) => v)),
    r: numbers(found.map(({ r }) => r)),
    covariance: numbers(found.flatMap(({ covariance }) => [...covariance])),
    score: numbers(found.map(({ score }) => score)),
  };
}

export function headItem(packet: Readonly<HeadPose>, nowNs: number): ItemOf<"head"> {
  return {
    topic: "head",
    timeNs: nowNs,
    time: packet.t.seconds,
    worldFromHead: pose.copy(packet.worldFromHead, pose.create()),
    twist: packet.twist.slice(),
    covariance: packet.covariance.slice(),
  };
}

/** A prediction a packet: live, balls come one by one. */
export function predictionsItem(packet: Readonly<BallPrediction>, nowNs: number): ItemOf<"predictions"> {
  return { topic: "predictions", timeNs: nowNs, balls: [readPrediction(packet)] };
}

/** The joints of a motion are those of its group, in the group's order; of the body, in the model's. */
export function motionItem(packet: Readonly<Plan>, robot: Robot, nowNs: number): ItemOf<"motions"> {
  const part = packet.group.read();
  const group = robot.model.groups.find(({ name }) => name === part);
  const moving = Array.from(packet.moves.keys()).filter((dof) => packet.moves[dof] === 1);
  const dofs = group?.dofs ?? moving;
  const ramps = new JointRamps(dofs.length);
  for (const field of rampFields) for (const [k, dof] of dofs.entries()) ramps[field][k] = packet.ramps[field][dof]!;
  ramps.restoreEnds();
  return {
    topic: "motions",
    timeNs: nowNs,
    part,
    id: packet.id,
    tStart: packet.tStart.seconds,
    ramps,
    closeHandAt: packet.closesHand ? packet.tClose.seconds : null,
    track: packet.track,
    tCatch: null,
    objective: null,
    isInjected: false,
  };
}

/** What a planner said; `timeNs` is when the coordinator took it. */
export function planItem(packet: Readonly<PlanAnswer>): ItemOf<"plans"> {
  return {
    topic: "plans",
    timeNs: Math.max(0, packet.tAnswered.nanoseconds),
    arm: packet.group.read(),
    id: packet.id,
    track: packet.track,
    search: nameOf(PlanSearch, packet.search) ?? "cold",
    tSeen: Number.NaN,
    askedNs: packet.tAsked.nanoseconds,
    answeredNs: packet.tAnswered.nanoseconds,
    tStart: packet.tStart.seconds,
    plan: packet.found ? planIn(packet) : null,
    position: packet.found ? vec3.copy(packet.position, vec3.create()) : null,
    approach: null,
    reason: packet.found ? null : packet.reason.read(),
  };
}

function planIn(packet: Readonly<PlanAnswer>): ItemOf<"plans">["plan"] {
  const ramps = new JointRamps(packet.count);
  for (const field of rampFields) ramps[field].set(packet.ramps[field].subarray(0, packet.count));
  ramps.restoreEnds();
  const { successProbability } = packet;
  return {
    id: packet.id,
    tStart: packet.tStart.seconds,
    ramps,
    tCatch: packet.tCatch.seconds,
    arrival: packet.tArrival.seconds,
    objective: packet.objective,
    shortfall: 0,
    successProbability: Number.isNaN(successProbability) ? null : successProbability,
    unknowns: new Float64Array(0),
    warmStart: new Float64Array(0),
  };
}

export function handoverItem(packet: Readonly<PlanHandover>, nowNs: number): ItemOf<"handovers"> {
  return {
    topic: "handovers",
    timeNs: nowNs,
    part: packet.group.read(),
    id: packet.plan,
    outcome: handoverOf(packet.outcome),
  };
}

const phases = { safe: "safe", brake: "braking", fault: "stopped" } as const;

export function monitorItem(packet: Readonly<MonitorState>, robot: Robot): ItemOf<"monitor"> {
  const { verdict, distance, firstBody, secondBody, t } = packet;
  const name = nameOf(MonitorVerdict, verdict) ?? "fault";
  const body = (index: number): string => robot.hulls[index]?.name ?? String(index);
  return {
    topic: "monitor",
    timeNs: Math.max(0, t.nanoseconds),
    phase: phases[name],
    distance: Number.isFinite(distance) ? distance : null,
    bodies: firstBody < 0 || secondBody < 0 ? null : { a: body(firstBody), b: body(secondBody) },
    reason: verdict === MonitorVerdict.safe ? null : name,
  };
}

export function eventItem(packet: Readonly<Event>): ItemOf<"events"> {
  return {
    topic: "events",
    timeNs: Math.max(0, packet.t.nanoseconds),
    severity: nameOf(Severity, packet.severity) ?? "info",
    source: packet.source.read(),
    code: packet.code.read(),
    track: packet.track,
    text: packet.text.read(),
  };
}

function nameOf<Name extends string>(choices: Readonly<Record<Name, number>>, value: number): Name | undefined {
  return (Object.keys(choices) as Name[]).find((name) => choices[name] === value);
}

/** What became of a throw. */
export function resultItem(result: ThrowResult, timeNs: number): ItemOf<"results"> {
  return { topic: "results", timeNs, ...outcomeOf(result) };
}
