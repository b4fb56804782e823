import { attachAnyChannel, type ChannelHandle } from "../../channels/channel.js";
import type { GetPort } from "../../channels/get-port.js";
import { toJson } from "../../channels/json.js";
import type { PacketType } from "../../channels/packet.js";
import { recordingSchemaOf } from "../../channels/schema.js";
import type { BallPrediction } from "../../messages/ball-prediction.js";
import type { Circles } from "../../messages/circles.js";
import type { Event } from "../../messages/event.js";
import type { HeadPose } from "../../messages/head-pose.js";
import type { Imu } from "../../messages/imu.js";
import type { JointCommand } from "../../messages/joint-command.js";
import type { JointState } from "../../messages/joint-state.js";
import type { MonitorState } from "../../messages/monitor-state.js";
import type { Plan } from "../../messages/plan.js";
import type { PlanAnswer } from "../../messages/plan-answer.js";
import type { PlanHandover } from "../../messages/plan-handover.js";
import type { Robot } from "../../robot/robot.js";
import type { TopicDescription } from "../mcap/mcap-writer.js";
import type { JointItems } from "./joint-items.js";
import {
  circlesItem,
  eventItem,
  handoverItem,
  headItem,
  monitorItem,
  motionItem,
  planItem,
  predictionsItem,
} from "./packet-items.module.js";
import type { PrioritisedWriter } from "./prioritised-writer.js";

/** A channel to be recorded. */
export interface TapRequest {
  /** Its name in the account of losses, and the topic of packets that are no items. */
  readonly name: string;
  readonly channel: ChannelHandle;
}

/** Where what is heard goes to. */
export interface TapContext {
  readonly writer: PrioritisedWriter;
  readonly joints: JointItems;
  /** null: packets are recorded as they are. */
  readonly robot: Robot | null;
}

type Take = (packet: object, nowNs: number) => void;

/** Time between two items of the monitor while nothing changes [ns]. */
const MONITOR_NS = 40_000_000;

/** Listens to a channel without ever holding it up: what is overwritten before it is heard is counted as lost. */
export class ChannelTap {
  readonly #name: string;
  readonly #port: GetPort<object>;
  readonly #context: TapContext;
  readonly #take: Take;
  #lost = 0;

  constructor({ name, channel: handle }: TapRequest, context: TapContext) {
    const channel = attachAnyChannel(handle);
    this.#name = name;
    this.#port = channel.openGetPort("every");
    this.#context = context;
    this.#take = takerOf(channel.type, name, context);
  }

  /** Takes all that has come. */
  drain(nowNs: number): void {
    for (let packet = this.#port.tryReceive(); packet !== null; packet = this.#port.tryReceive()) {
      try {
        this.#take(packet, nowNs);
      } finally {
        this.#port.release(packet);
      }
    }
    this.#context.writer.lose(this.#name, this.#port.lost - this.#lost);
    this.#lost = this.#port.lost;
  }

  close(): void {
    this.#port.close();
  }
}

/** What to do with packets of a type. */
function takerOf(type: PacketType, name: string, context: TapContext): Take {
  const { writer, joints, robot } = context;
  if (robot === null) return packetTaker(type, name, writer);
  switch (type.name) {
    case "Circles":
      return (packet) => writer.write(circlesItem(packet as Circles));
    case "HeadPose":
      return (packet, nowNs) => writer.write(headItem(packet as HeadPose, nowNs));
    case "BallPrediction":
      return (packet, nowNs) => writer.write(predictionsItem(packet as BallPrediction, nowNs));
    case "Plan":
      return (packet, nowNs) => writer.write(motionItem(packet as Plan, robot, nowNs));
    case "PlanAnswer":
      return (packet) => writer.write(planItem(packet as PlanAnswer));
    case "PlanHandover":
      return (packet, nowNs) => writer.write(handoverItem(packet as PlanHandover, nowNs));
    case "MonitorState":
      return monitorTaker(writer, robot);
    case "Event":
      return (packet) => writer.write(eventItem(packet as Event));
    case "Imu":
      return (packet) => joints.imu(packet as Imu);
    case "JointCommand":
      return (packet) => joints.command(packet as JointCommand);
    case "JointState":
      return (packet) => {
        const item = joints.state(packet as JointState);
        if (item !== null) writer.write(item);
      };
    default:
      return packetTaker(type, name, writer);
  }
}

/** The monitor speaks at every tick: what it says is written when it changes its mind, and now and then. */
function monitorTaker(writer: PrioritisedWriter, robot: Robot): Take {
  let lastNs = Number.NEGATIVE_INFINITY;
  let verdict = -1;
  return (packet) => {
    const state = packet as MonitorState;
    const timeNs = state.t.nanoseconds;
    if (state.verdict === verdict && timeNs - lastNs < MONITOR_NS) return;
    verdict = state.verdict;
    lastNs = timeNs;
    writer.write(monitorItem(state, robot));
  };
}

/** Packets of any type, described by themselves. */
function packetTaker(type: PacketType, name: string, writer: PrioritisedWriter): Take {
  const { data, ...schema } = recordingSchemaOf(type);
  const topic: TopicDescription = {
    topic: `/channels/${name}`,
    messageEncoding: "json",
    schema: { ...schema, data: Buffer.from(data) },
    metadata: new Map([["version", String(type.version)]]),
  };
  return (packet, nowNs) => writer.writePacket(topic, nowNs, JSON.stringify(toJson(type, packet)));
}
