import type { PacketType } from "../channels/packet.js";
import { BallPrediction } from "./ball-prediction.js";
import { Circles } from "./circles.js";
import { ComponentStatus } from "./component-status.js";
import { Event } from "./event.js";
import { HandCommand } from "./hand-command.js";
import { HeadPose } from "./head-pose.js";
import { imagePacket } from "./image.js";
import { Imu } from "./imu.js";
import { JointCommand } from "./joint-command.js";
import { JointState } from "./joint-state.js";
import { MonitorState } from "./monitor-state.js";
import { Plan } from "./plan.js";
import { PlanAnswer } from "./plan-answer.js";
import { PlanHandover } from "./plan-handover.js";
import { PlanRequest } from "./plan-request.js";

/** Every kind of packet of the pipeline, for documents and for checks; images in the default size of the cameras. */
export const packetTypes: readonly PacketType[] = [
  JointState,
  Imu,
  imagePacket(800, 600),
  Circles,
  HeadPose,
  BallPrediction,
  PlanRequest,
  PlanAnswer,
  Plan,
  PlanHandover,
  JointCommand,
  HandCommand,
  MonitorState,
  ComponentStatus,
  Event,
];
