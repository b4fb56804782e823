import { readPrediction } from "../../catching/live/prediction-codec.module.js";
import { handoverOf } from "../../control/plan-codec.module.js";
import type { BallPrediction } from "../../messages/ball-prediction.js";
import { Camera } from "../../messages/camera.js";
import type { Circles } from "../../messages/circles.js";
import { type Event, Severity } from "../../messages/event.js";
import type { HeadPose } from "../../messages/head-pose.js";
import { type MonitorState, MonitorVerdict } from "../../messages/monitor-state.js";
import type { Plan } from "../../messages/plan.js";
import { type PlanAnswer, PlanSearch } from "../../messages/plan-answer.js";
import type { PlanHandover } from "../../messages/plan-handover.js";
import { rampFields } from "../../motion/joint-ramps.js";
import type { Robot } from "../../robot/robot.js";
import type {
  CirclesItem,
  EventItem,
  HandoverItem,
  HeadPoseItem,
  MonitorItem,
  MotionItem,
  PlanItem,
  PredictionsItem,
  RecordedCatch,
  RecordedRamps,
} from "../recorded-messages.js";
import { plain, recordedPrediction } from "../recorded-values.js";

/** Packets of the live channels as items of a recording. `nowNs` is when the recorder had them. */

export function circlesItem(packet: Readonly<Circles>): CirclesItem {
  const found = packet.circles.slice(0, packet.count);
  const arrivalNs = packet.tArrival.nanoseconds;
  return {
    topic: "cameras/circles",
    timeNs: Math.max(0, arrivalNs),
    camera: packet.camera === Camera.left ? "left" : "right",
    frame: packet.frame,
    exposureNs: packet.tExposure.nanoseconds,
    arrivalNs,
    circles: plain(found.flatMap(({ u, v, r }) => [u, v, r])),
    covariance: plain(found.flatMap(({ covariance }) => [...covariance])),
    score: plain(found.map(({ score }) => score)),
  };
}

export function headItem(packet: Readonly<HeadPose>, nowNs: number): HeadPoseItem {
  return {
    topic: "head",
    timeNs: nowNs,
    time: packet.t.seconds,
    worldFromHead: plain(packet.worldFromHead),
    covariance: plain(packet.covariance),
  };
}

/** A prediction a packet: live, balls come one by one. */
export function predictionsItem(packet: Readonly<BallPrediction>, nowNs: number): PredictionsItem {
  return { topic: "predictions", timeNs: nowNs, predictions: [recordedPrediction(readPrediction(packet))] };
}

/** The joints of a motion are those of its group, in the group's order; of the body, in the model's. */
export function motionItem(packet: Readonly<Plan>, robot: Robot, nowNs: number): MotionItem {
  const part = packet.group.read();
  const group = robot.model.groups.find(({ name }) => name === part);
  const moving = Array.from(packet.moves.keys()).filter((dof) => packet.moves[dof] === 1);
  const dofs = group?.dofs ?? moving;
  const ramps = rampFields.map((field) => [field, plain(dofs.map((dof) => packet.ramps[field][dof]!))] as const);
  return {
    topic: "motions",
    timeNs: nowNs,
    part,
    id: packet.id,
    tStart: packet.tStart.seconds,
    ramps: Object.fromEntries(ramps) as unknown as RecordedRamps,
    closeHandAt: packet.closesHand ? packet.tClose.seconds : null,
  };
}

/** What a planner said; `timeNs` is when the coordinator took it. */
export function planItem(packet: Readonly<PlanAnswer>): PlanItem {
  return {
    topic: "plans",
    timeNs: Math.max(0, packet.tAnswered.nanoseconds),
    arm: packet.group.read(),
    id: packet.id,
    track: packet.track,
    search: nameOf(PlanSearch, packet.search) ?? "cold",
    askedNs: packet.tAsked.nanoseconds,
    tStart: packet.tStart.seconds,
    catch: packet.found ? catchOf(packet) : null,
    reason: packet.found ? null : packet.reason.read(),
  };
}

function catchOf(packet: Readonly<PlanAnswer>): RecordedCatch {
  const entries = rampFields.map((field) => [field, plain(packet.ramps[field].subarray(0, packet.count))] as const);
  const { successProbability } = packet;
  return {
    ramps: Object.fromEntries(entries) as unknown as RecordedRamps,
    tCatch: packet.tCatch.seconds,
    arrival: packet.tArrival.seconds,
    objective: packet.objective,
    successProbability: Number.isNaN(successProbability) ? null : successProbability,
    position: plain(packet.position),
  };
}

export function handoverItem(packet: Readonly<PlanHandover>, nowNs: number): HandoverItem {
  return {
    topic: "handovers",
    timeNs: nowNs,
    part: packet.group.read(),
    id: packet.plan,
    outcome: handoverOf(packet.outcome),
  };
}

const phases = { safe: "safe", brake: "braking", fault: "stopped" } as const;

export function monitorItem(packet: Readonly<MonitorState>, robot: Robot): MonitorItem {
  const { verdict, distance, firstBody, secondBody, t } = packet;
  const name = nameOf(MonitorVerdict, verdict) ?? "fault";
  const body = (index: number): string => robot.hulls[index]?.name ?? String(index);
  return {
    topic: "monitor",
    timeNs: Math.max(0, t.nanoseconds),
    phase: phases[name],
    distance: Number.isFinite(distance) ? distance : null,
    bodies: firstBody < 0 || secondBody < 0 ? null : [body(firstBody), body(secondBody)],
    reason: verdict === MonitorVerdict.safe ? null : name,
  };
}

export function eventItem(packet: Readonly<Event>): EventItem {
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
