import { choice, f64, flag, text, u32 } from "../transport/channels/field.js";
import { group, list, meaning, optional, records, several } from "../transport/message.js";
import type { JsonField } from "../transport/message-json.js";
import { seconds } from "./fields.js";
import { name } from "./parts.js";
import { ComponentStatus, Event, MAX_PORTS } from "./report.js";

/** What a page shows of the system itself: its graph, its nodes, its log. Parts of the messages in `page.ts`. */

/** Room for the nodes, edges and messages of a graph, for the fields of a message, and for an index of each of its lists. */
const MAX_NODES = 64;
const MAX_EDGES = 256;
const MAX_MESSAGES = 64;
const MAX_NUMBERS = 128;
const MAX_INDICES = 4;
/** Names of fields and descriptions are longer than other names [bytes]. */
const fieldName = text(128);
const description = text(512);

/** Lines of the log that a page gets when it connects, the newest. */
export const MAX_LINES = 500;

const port = { name, message: meaning(name, "what it takes or puts") };

export const graphNodes = records(
  {
    name,
    kind: name,
    thread: meaning(name, "where it runs in real time; nodes of one thread stop and start together"),
    control: meaning(
      choice({ never: 0, waiting: 1, always: 2 }),
      "whether its thread may be stopped by hand: never, while the robot waits, at any time",
    ),
    in: records(port, MAX_PORTS),
    out: records(port, MAX_PORTS),
  },
  MAX_NODES,
);

export const graphEdges = records(
  {
    from: meaning(fieldName, "out-port, as `tracker.predictions`"),
    to: meaning(fieldName, "in-port"),
    message: name,
    latency: meaning(seconds, "modelled, in lock-step alone [s]"),
    policy: choice({ every: 0, newest: 1 }),
    wakes: meaning(flag, "whether its messages step the node at once in real time"),
  },
  MAX_EDGES,
);

export const graphMessages = records(
  {
    name,
    description,
    fields: meaning(
      records(
        {
          path: meaning(fieldName, "as `balls[].position[]`: an index is needed for each pair of brackets"),
          counts: meaning(several(MAX_INDICES), "room for the values of each index"),
          description,
        },
        MAX_NUMBERS,
      ),
      "fields that are numbers, and so can be plotted",
    ),
  },
  MAX_MESSAGES,
);

const input = {
  port: name,
  from: meaning(fieldName, "out-port that is joined to it"),
  state: meaning(
    choice({ flowing: 0, silent: 1, missing: 2 }),
    "messages have come; none has been published yet; the source does not run",
  ),
  waiting: meaning(u32, "messages that wait"),
};
const output = { port: name, rate: meaning(optional(f64), "messages a second; null if unknown"), count: u32 };

export const component = group({
  name,
  health: ComponentStatus.fields.health,
  rate: meaning(optional(f64), "cycles a second; null if unknown"),
  load: meaning(optional(f64), "share of its time that it spends in steps, 0 to 1; null if unknown"),
  cpu: meaning(optional(f64), "share of a core of its thread, 0 to 1; null if unknown"),
  queue: ComponentStatus.fields.behind,
  lost: ComponentStatus.fields.lost,
  meanMs: meaning(optional(f64), "time of a cycle, mean [ms]; null if unknown"),
  maxMs: meaning(optional(f64), "the same, longest [ms]"),
  age: meaning(optional(f64), "time since it reported last [s]; null if it does not report"),
  restarts: meaning(u32, "how often another thread took the place of its thread"),
  inputs: meaning(records(input, MAX_PORTS), "its in-ports, an edge each"),
  outputs: meaning(records(output, MAX_PORTS), "its out-ports"),
  text: ComponentStatus.fields.detail,
});
/** How one node, thread or process fares. */
export type ComponentState = JsonField<typeof component>;

export const logLines = list(
  group({
    time: meaning(seconds, "on the run's clock [s]"),
    severity: Event.fields.severity,
    source: meaning(name, "node it comes from; `run` and `service` beside them"),
    code: Event.fields.code,
    text: Event.fields.text,
  }),
  MAX_LINES,
);
/** One line of the log. */
export type LogLine = JsonField<typeof logLines>[number];

/** Fields that are sampled at a time, and samples of each in one message. */
const MAX_SERIES = 32;
const MAX_VALUES = 128;

export const fieldSeries = records(
  {
    field: meaning(fieldName, "as `tracker.predictions.balls[0].lastSeen`"),
    times: meaning(several(MAX_VALUES), "of the messages [s]"),
    values: meaning(list(optional(f64), MAX_VALUES), "null where the message has no such number"),
  },
  MAX_SERIES,
);
