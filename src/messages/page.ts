import { choice, f64, u8, u32 } from "../transport/channels/field.js";
import {
  group,
  list,
  type MessageFields,
  type MessageType,
  meaning,
  message,
  records,
  row,
} from "../transport/message.js";
import { type JsonObject, type JsonOf, plainJsonSchemaOf, toPlainJson } from "../transport/message-json.js";
import { ControlState, MonitorState } from "./control.js";
import { jointNumbers, seconds } from "./fields.js";
import { maxCircles, name } from "./parts.js";
import { Handover, Motion } from "./planning.js";
import { ball } from "./prediction.js";
import { ArmStates, Event } from "./report.js";
import { Circles } from "./sensing.js";
import { runSummary, sessionFacts, sessionSettings } from "./session.js";
import { component, fieldSeries, graphEdges, graphMessages, graphNodes, logLines } from "./system.js";
import { ThrowOutcome, TrueFlight } from "./world.js";

/**
 * What a live run publishes to pages, as plain JSON over a WebSocket (docs/streams.md). Each is distinguished by its `type`; all
 * times are seconds on the run's clock.
 */

/** Version of all of them; a page must know it. */
const PROTOCOL = 1;
/** Throws that a hello carries at most, the newest. */
export const MAX_THROWS_SENT = 100;
/** Room for the points of a predicted path, the pairs of bodies and the components of a run. */
const MAX_PATH = 64;
const MAX_PAIRS = 16;
const MAX_COMPONENTS = 64;

const time = meaning(seconds, "when the message was created [s]");

/** Describes a message whose first field is its `type`, a choice of one name, so that TypeScript tells the messages apart. */
function pageMessage<const N extends string, const S extends MessageFields>(type: N, description: string, fields: S) {
  const title = `${type.charAt(0).toUpperCase()}${type.slice(1)}Message`;
  return message(title, PROTOCOL, description, { type: choice({ [type]: 0 } as { readonly [K in N]: 0 }), ...fields });
}

const result = meaning(group(ThrowOutcome.fields), "times count from the ball's release");

const pages = {
  hello: pageMessage("hello", "First on every connection, and again when settings change.", {
    protocol: meaning(u8, "version of all messages to pages: 1"),
    software: name,
    facts: meaning(sessionFacts, "what does not change during a run"),
    settings: meaning(sessionSettings, "what can be changed during a run"),
    throws: meaning(list(result, MAX_THROWS_SENT), "throws of this run so far, the newest last"),
    summary: meaning(runSummary, "the figures of all throws"),
  }),

  start: pageMessage("start", "How far the start of the run has come; the last has the share 1.", {
    time,
    share: meaning(f64, "of the warm-up that is done, from 0 to 1"),
    parts: meaning(list(name, MAX_COMPONENTS), "what is being warmed up"),
  }),

  state: pageMessage("state", "What the robot is doing: when something changes, and a few times per second.", {
    time,
    activity: meaning(
      choice({ starting: 0, waiting: 1, busy: 2, stopped: 3, fault: 4 }),
      "waiting for balls; busy with some; stopped by the safety monitor or the operator; fault: needs a reset",
    ),
    monitor: group({
      phase: ControlState.fields.phase,
      reason: meaning(name, "why the safety monitor brakes; empty if it does not"),
    }),
    arms: ArmStates.fields.arms,
  }),

  prediction: pageMessage("prediction", "The predicted flight of a ball.", {
    time,
    track: ball.track,
    confirmed: ball.confirmed,
    tExposure: ball.lastSeen,
    path: meaning(
      list(row(5), MAX_PATH),
      "points of its path: time [s], x, y, z [m], and a bound of the standard deviation in any direction [m]",
    ),
  }),

  circles: pageMessage("circles", "What a camera's detector found.", {
    time,
    camera: Circles.fields.camera,
    tExposure: meaning(seconds, "middle of the exposure [s]"),
    width: meaning(u32, "of the image that the circles are in [px]"),
    height: meaning(u32, "the same [px]"),
    circles: meaning(list(row(4), maxCircles), "centre and radius [px], and score from 0 to 1"),
  }),

  plan: pageMessage(
    "plan",
    "A motion sent to control. Ramps as in docs/motion.md: ab until tb, a until t1, nothing until t2, −a until T.",
    {
      time,
      id: Motion.fields.id,
      part: Motion.fields.part,
      track: meaning(Motion.fields.track, "ball it is for; −1: none, a return motion"),
      tStart: Motion.fields.tStart,
      tCatch: meaning(Motion.fields.tCatch, "for a ball: when the hand closes [s]"),
      joints: meaning(jointNumbers, "joints that move, by their place in joint vectors"),
      ramps: Motion.fields.ramps,
      objective: meaning(
        Motion.fields.objective,
        "of a catch; null for a ball means that there is no catch, and the hand moves as near to one as possible",
      ),
    },
  ),

  handover: pageMessage("handover", "What control did with a plan.", {
    time,
    plan: Handover.fields.id,
    part: Handover.fields.part,
    outcome: Handover.fields.outcome,
  }),

  safety: pageMessage("safety", "Distances between the robot's bodies, about ten times per second.", {
    time,
    braking: MonitorState.fields.distance,
    pairs: meaning(
      records({ a: name, b: name, distance: meaning(f64, "[m]") }, MAX_PAIRS),
      "nearest pairs of bodies as they stand, nearest first",
    ),
  }),

  components: pageMessage("components", "Status of the parts of the pipeline, once per second.", {
    time,
    components: list(component, MAX_COMPONENTS),
  }),

  event: pageMessage("event", "An event for the operator, and why it happened.", {
    time,
    severity: Event.fields.severity,
    source: Event.fields.source,
    code: Event.fields.code,
    text: Event.fields.text,
  }),

  graph: pageMessage("graph", "The graph that runs: second on every connection. It does not change during a run.", {
    nodes: meaning(graphNodes, "in the order in which lock-step steps them"),
    edges: graphEdges,
    messages: meaning(graphMessages, "those that the out-ports put"),
  }),

  log: pageMessage("log", "The newest lines of the log, on every connection; later ones are `event` messages.", {
    lines: logLines,
  }),

  samples: pageMessage("samples", "Values of the fields that the client plots, at most 50 a second each.", {
    time,
    series: fieldSeries,
  }),

  ball: pageMessage("ball", "A ball has left the thrower's hand.", { time, ball: TrueFlight.fields.ball }),

  throw: pageMessage("throw", "The outcome of a throw, and the figures of all so far.", {
    time,
    result,
    summary: runSummary,
  }),
};

type PageMessages = { readonly [T in keyof typeof pages]: JsonOf<(typeof pages)[T]> };

/** Any of them, as a page reads it: `type` says which. */
export type PageMessage = PageMessages[keyof PageMessages];
/** First on every connection, and again when settings change. */
export type HelloMessage = PageMessages["hello"];
/** How far the start of the run has come. */
export type StartMessage = PageMessages["start"];
/** What the robot is about, with the state machines of its arms. */
export type StateMessage = PageMessages["state"];
/** Where a ball is believed to fly; `path` is empty if its state is none of a ball. */
export type PredictionMessage = PageMessages["prediction"];
/** What a camera's detector found in one image; images without circles are not published. */
export type CirclesMessage = PageMessages["circles"];
/** A motion sent to control: a catch, a replan or a way back. */
export type PlanMessage = PageMessages["plan"];
/** What control did with a plan, by the plan's number and part. */
export type HandoverMessage = PageMessages["handover"];
/** How near the robot is to itself. */
export type SafetyMessage = PageMessages["safety"];
/** How the nodes fare, or in lock-step the threads. */
export type ComponentsMessage = PageMessages["components"];
/** Something a person can follow. */
export type EventMessage = PageMessages["event"];
/** The graph that runs: nodes, edges, messages with their fields. */
export type GraphMessage = PageMessages["graph"];
/** The newest lines of the log. */
export type LogMessage = PageMessages["log"];
/** Values of fields over time. */
export type SamplesMessage = PageMessages["samples"];

/** The descriptions of all messages to pages, by their `type`. */
export const pageMessages: Readonly<Record<PageMessage["type"], MessageType>> = pages;

/**
 * A message as it is sent: the fields that are described, and no others.
 * @example
 * socket.send(JSON.stringify(pageJson({ type: "ball", time: 1.2, ball: 3 })));
 */
export function pageJson(message: PageMessage): JsonObject {
  return toPlainJson(pageMessages[message.type], message);
}

/** The JSON schemas of all messages to pages, by their `type`. */
export function pageSchemas(): Readonly<Record<PageMessage["type"], JsonObject>> {
  const entries = Object.entries(pageMessages).map(([type, description]) => [type, plainJsonSchemaOf(description)]);
  return Object.fromEntries(entries) as Record<PageMessage["type"], JsonObject>;
}
