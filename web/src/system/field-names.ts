import type { GraphMessage } from "../../../src/messages/page.js";
import { maxJoints } from "../../../src/messages/parts.js";

type MessageEntry = GraphMessage["messages"][number];
export type PlottableField = MessageEntry["fields"][number];

/** An out-port whose messages can be plotted. */
export interface Topic {
  /** As `tracker.predictions`. */
  readonly port: string;
  readonly message: MessageEntry;
}

/** The out-ports of a graph, in its order; those without numbers are left out. */
export function topicsOf({ nodes, messages }: GraphMessage): Topic[] {
  const byName = new Map(messages.map((message) => [message.name, message]));
  return nodes.flatMap(({ name, out }) =>
    out.flatMap((port) => {
      const message = byName.get(port.message);
      return message === undefined || message.fields.length === 0 ? [] : [{ port: `${name}.${port.name}`, message }];
    }),
  );
}

/**
 * The name under which a number is asked for.
 * @example fieldName("tracker.predictions", "balls[].position[]", [0, 2]) // "tracker.predictions.balls[0].position[2]"
 */
export function fieldName(port: string, path: string, indices: readonly number[]): string {
  let next = 0;
  return `${port}.${path.replaceAll("[]", () => `[${indices[next++] ?? 0}]`)}`;
}

/** Whether an index counts joints. */
export function isJointIndex(count: number): boolean {
  return count === maxJoints;
}

/** The unit in a description, as `rad/s`; "" if there is none. */
export function unitOf(description: string): string {
  return /\[([^\]]+)\]/.exec(description)?.[1] ?? "";
}
