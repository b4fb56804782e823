import { type Channel, type ChannelHandle, createChannel } from "../../channels/channel.js";
import type { PacketType } from "../../channels/packet.js";
import { createSyncTable } from "../../channels/sync-table.js";
import { BallPrediction } from "../../messages/ball-prediction.js";
import { Circles } from "../../messages/circles.js";
import { ComponentStatus } from "../../messages/component-status.js";
import { Event } from "../../messages/event.js";
import { HeadPose } from "../../messages/head-pose.js";
import { Imu } from "../../messages/imu.js";
import { MonitorState } from "../../messages/monitor-state.js";
import { Plan } from "../../messages/plan.js";
import { PlanAnswer } from "../../messages/plan-answer.js";
import { PlanHandover } from "../../messages/plan-handover.js";
import { TrueWorld } from "./true-world.module.js";

/** Parts that tell how they fare: control, coordinator, eyes, world, and a planner an arm. */
const MOST_PARTS = 16;

/** The channels of a live run but those of the robot, which its driver makes. */
export class LiveChannels {
  readonly syncTable = createSyncTable();
  readonly world = this.#create(TrueWorld, 256);
  readonly imu = this.#create(Imu, 128);
  readonly circlesLeft = this.#create(Circles, 8);
  readonly circlesRight = this.#create(Circles, 8);
  /** The head at each exposure, and as often as it is asked for. */
  readonly poses = this.#create(HeadPose, 16);
  readonly head = this.#create(HeadPose, 16);
  readonly predictions = this.#create(BallPrediction, 32);
  /** What the planners say, whether it is carried out or not. */
  readonly answers = this.#create(PlanAnswer, 16);
  readonly plans = this.#create(Plan, 16);
  readonly handovers = this.#create(PlanHandover, 16);
  readonly monitor = this.#create(MonitorState, 16);
  readonly status = this.#create(ComponentStatus, 32, MOST_PARTS);
  readonly events = this.#create(Event, 64);

  #create<V extends object>(type: PacketType<V>, ringSize: number, maxPutPorts = 8): Channel<V> {
    return createChannel(type, { ringSize, syncTable: this.syncTable, maxPutPorts, maxGetPorts: 12 });
  }

  get handles(): LiveHandles {
    const entries = liveChannelNames.map((name) => [name, this[name].handle] as const);
    return Object.fromEntries(entries) as unknown as LiveHandles;
  }

  /** Gives back what a thread that has ended held. */
  reclaim(threadId: number): void {
    for (const name of liveChannelNames) this[name].reclaimThread(threadId);
  }
}

export const liveChannelNames = [
  "world",
  "imu",
  "circlesLeft",
  "circlesRight",
  "poses",
  "head",
  "predictions",
  "answers",
  "plans",
  "handovers",
  "monitor",
  "status",
  "events",
] as const;

/** The channels as plain data, for workers. */
export type LiveHandles = Readonly<Record<(typeof liveChannelNames)[number], ChannelHandle>>;
