import { Compile } from "typebox/compile";
import type { CameraSide } from "../../messages/sensing.js";
import type { MessageType } from "../../transport/message.js";
import { jsonSchemaOf, toJson } from "../../transport/message-json.js";
import type { TopicDescription } from "../mcap/mcap-writer.js";
import {
  RECORDING_VERSION,
  type RecordedItem,
  type RecordedTopic,
  type RecordingHeader,
  recordedMessages,
  recordedTopics,
} from "../recording.js";
import { reviveNumbers, toExactJson } from "./exact-json.js";
import { foxgloveTopic } from "./foxglove-schemas.js";
import { headerSchema } from "./header-schema.js";
import { decodeImage, encodeImage } from "./image-codec.js";
import { HEADER_CHANNEL, itemFromJson, PREFIX, VERSION_KEY } from "./item-json.js";
import { type FormatHistory, migrate, type OldMessage } from "./migrations.js";

const imageChannels: Readonly<Record<CameraSide, string>> = {
  left: "/cameras/left/image",
  right: "/cameras/right/image",
};

/** Topics whose messages are their JSON; images are messages of Foxglove's. */
const jsonTopics = recordedTopics.filter((topic) => topic !== "cameras/images");

/** The topic of the file that an item goes to. */
export function channelOf(item: RecordedItem): string {
  return item.topic === "cameras/images" ? imageChannels[item.camera] : PREFIX + item.topic;
}

/** Every topic of a recording that holds items, and the header's. */
export function itemTopics(): TopicDescription[] {
  return [
    ownTopic(HEADER_CHANNEL, "header", { title: "header", version: RECORDING_VERSION, ...headerSchema }),
    ...jsonTopics.map((topic) => {
      const type: MessageType = recordedMessages[topic];
      return ownTopic(PREFIX + topic, type.name, jsonSchemaOf(type));
    }),
    ...Object.values(imageChannels).map((topic) => ({
      ...foxgloveTopic(topic, "CompressedImage"),
      metadata: versionMetadata,
    })),
  ];
}

const versionMetadata = new Map([[VERSION_KEY, String(RECORDING_VERSION)]]);

function ownTopic(topic: string, name: string, schema: object): TopicDescription {
  return { topic, name: `flycatcher.${name}`, schema, metadata: versionMetadata };
}

export function encodeHeader(header: RecordingHeader): Uint8Array {
  return Buffer.from(toExactJson({ ...header, formatVersion: RECORDING_VERSION }));
}

/** What of an item is in its message: all that is described; topic and time are the message's own. */
export function encodeItem(item: RecordedItem, cameraFrame: (camera: CameraSide) => string): Uint8Array {
  if (item.topic === "cameras/images") return encodeImage(item, cameraFrame(item.camera));
  return Buffer.from(JSON.stringify(toJson<object>(recordedMessages[item.topic], item)));
}

const headerValidator = Compile(headerSchema);

/** Throws with the reason if the message is not a header. */
export function decodeHeader(data: Uint8Array, version: number, history: FormatHistory): RecordingHeader {
  const current = migrate(parse(data), "header", 0, version, history);
  if (!headerValidator.Check(current)) {
    const [first] = headerValidator.Errors(current);
    throw new RangeError(`header${first?.instancePath ?? ""}: ${first?.message ?? "not as its schema says"}`);
  }
  const header = current as unknown as RecordingHeader;
  const run = reviveNumbers(header.run) as { tracker: OpenOptions } | null;
  const tracker = reviveNumbers(header.tracker) as OpenOptions | undefined;
  for (const options of [run?.tracker, tracker]) {
    // The tracker has vectors for what JSON has arrays for.
    if (Array.isArray(options?.gravity)) options.gravity = Float64Array.from(options.gravity);
  }
  const revived = { ball: reviveNumbers(header.ball), run } as Pick<RecordingHeader, "ball" | "run">;
  const told = tracker === undefined ? {} : ({ tracker } as Pick<RecordingHeader, "tracker">);
  return { ...header, ...revived, ...told, formatVersion: history.version };
}

/** Options of the tracker as JSON has them. */
interface OpenOptions {
  gravity?: unknown;
}

/** Makes items of a channel's messages. */
export interface ItemDecoder {
  readonly topic: RecordedTopic;
  /** Throws with the reason. */
  decode(data: Uint8Array, timeNs: number): RecordedItem;
}

/** The decoder for a channel's messages; null for channels that hold no items. */
export function itemDecoder(channel: string, version: number, history: FormatHistory): ItemDecoder | null {
  const camera = (["left", "right"] as const).find((side) => imageChannels[side] === channel);
  if (camera !== undefined) {
    const topic = "cameras/images";
    const decode = (data: Uint8Array, timeNs: number) =>
      decodeImage(migrate({ camera, ...parse(data) }, topic, timeNs, version, history), timeNs);
    return { topic, decode };
  }
  const topic = jsonTopics.find((name) => PREFIX + name === channel);
  if (topic === undefined) return null;
  return { topic, decode: (data, timeNs) => itemFromJson(topic, parse(data), timeNs, version, history) };
}

function parse(data: Uint8Array): OldMessage {
  return JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8")) as OldMessage;
}
