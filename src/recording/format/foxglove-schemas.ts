import * as foxglove from "@foxglove/schemas/jsonschema.js";
import type { TopicDescription } from "../mcap/mcap-writer.js";

const schemas = { ...foxglove };

/** A topic that Foxglove shows as it is. */
export function foxgloveTopic(topic: string, schema: keyof typeof schemas): TopicDescription {
  return { topic, name: `foxglove.${schema}`, schema: schemas[schema] };
}

/** The time of a Foxglove message. */
export interface FoxgloveTime {
  readonly sec: number;
  readonly nsec: number;
}

const NANOSECONDS = 1e9;

/** Run clock [ns] to Foxglove's time; there is none before zero. */
export function foxgloveTime(timeNs: number): FoxgloveTime {
  const whole = Math.max(0, Math.round(timeNs));
  const sec = Math.floor(whole / NANOSECONDS);
  return { sec, nsec: whole - sec * NANOSECONDS };
}
