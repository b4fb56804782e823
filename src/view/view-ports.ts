import type { Graph } from "../transport/graph.js";
import { type InPort, nothingIn, type Policy } from "../transport/port.js";
import type { ViewPorts } from "./view.js";

/** A run whose out-ports can be tapped. */
export interface TappedRun {
  readonly graph: Graph;
  tap<M extends object>(from: string, policy?: Policy): InPort<M>;
}

/** Taps all that a page shows of a run; of nodes that the graph does not have there is nothing to take. */
export function viewPorts(run: TappedRun, images: "tapped" | "left out" = "left out"): ViewPorts {
  const names = new Set(run.graph.nodes.map(({ name }) => name));
  const tap = <M extends object>(from: string, policy?: Policy): InPort<M> =>
    names.has(from.slice(0, from.indexOf("."))) ? run.tap<M>(from, policy) : nothingIn;
  const sides = ["left", "right"] as const;
  const hasDetectors = names.has("detector-left");
  const world = names.has("world") ? "world" : "robot";
  const predictor = names.has("tracker") ? "tracker" : "perception";
  return {
    predictions: tap(`${predictor}.predictions`),
    motions: tap("catching.motions"),
    handovers: tap("control.handovers"),
    circles: sides.map((side) => tap(hasDetectors ? `detector-${side}.circles` : `camera-${side}.circles`)),
    images: images === "tapped" ? sides.map((side) => tap(`camera-${side}.images`)) : [],
    states: tap("catching.states", "newest"),
    control: tap("control.control", "newest"),
    monitor: tap("control.monitor", "newest"),
    commands: tap("control.commands", "newest"),
    joints: tap("robot.state", "newest"),
    world: tap(`${world}.world`, "newest"),
    flights: tap(`${world}.flights`),
    events: ["tracker", "head-pose", "control", "catching", world].map((node) => tap(`${node}.events`)),
  };
}
