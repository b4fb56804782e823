import {
  CameraCalibration,
  CompressedImage,
  FrameTransforms,
  ImageAnnotations,
  JointStates,
  Log,
  PoseInFrame,
  SceneUpdate,
} from "@foxglove/schemas/jsonschema.js";
import type { TopicDescription } from "../mcap/mcap-writer.js";

/** The schemas of Foxglove's that recordings use. */
const schemas = {
  CameraCalibration,
  CompressedImage,
  FrameTransforms,
  ImageAnnotations,
  JointStates,
  Log,
  PoseInFrame,
  SceneUpdate,
} as const;

export type FoxgloveSchema = keyof typeof schemas;

/** A topic that Foxglove shows as it is. */
export function foxgloveTopic(topic: string, schema: FoxgloveSchema): TopicDescription {
  return {
    topic,
    messageEncoding: "json",
    schema: {
      name: `foxglove.${schema}`,
      encoding: "jsonschema",
      data: Buffer.from(JSON.stringify(schemas[schema])),
    },
  };
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
