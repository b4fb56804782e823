import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import type { TopicDescription } from "../mcap/mcap-writer.js";
import { type CameraSide, RECORDING_VERSION, type RecordedItem, type RecordingHeader } from "../recorded-messages.js";
import { mayHoldTextualNumbers, reviveNumbers, toExactJson } from "./exact-json.js";
import { foxgloveTopic } from "./foxglove-schemas.js";
import { headerSchema } from "./header-schema.js";
import { decodeImage, encodeImage } from "./image-codec.js";
import { itemSchemas } from "./item-schemas.js";
import { type FormatHistory, migrate } from "./migrations.js";

/** Topics of messages that only Flycatcher reads begin so; what follows is the item's topic. */
const PREFIX = "/flycatcher/";
export const HEADER_CHANNEL = `${PREFIX}header`;
const imageChannels: Readonly<Record<CameraSide, string>> = {
  left: "/cameras/left/image",
  right: "/cameras/right/image",
};

type PlainTopic = keyof typeof itemSchemas;
const plainTopics = Object.keys(itemSchemas) as PlainTopic[];

/** Metadata of a channel that holds the version of its messages. */
const VERSION_KEY = "version";

/** The topic of the file that an item goes to. */
export function channelOf(item: RecordedItem): string {
  return item.topic === "cameras/images" ? imageChannels[item.camera] : PREFIX + item.topic;
}

/** Every topic of a recording that holds items, and the header's. */
export function itemTopics(): TopicDescription[] {
  return [
    ownTopic(HEADER_CHANNEL, "header", headerSchema),
    ...plainTopics.map((topic) => ownTopic(PREFIX + topic, topic, itemSchemas[topic])),
    ...Object.values(imageChannels).map((topic) => ({
      ...foxgloveTopic(topic, "CompressedImage"),
      metadata: versionMetadata,
    })),
  ];
}

const versionMetadata = new Map([[VERSION_KEY, String(RECORDING_VERSION)]]);

function ownTopic(topic: string, name: string, schema: TSchema): TopicDescription {
  const data = JSON.stringify({ title: name, version: RECORDING_VERSION, ...schema });
  return {
    topic,
    messageEncoding: "json",
    schema: { name: `flycatcher.${name}`, encoding: "jsonschema", data: Buffer.from(data) },
    metadata: versionMetadata,
  };
}

/** Version of the messages of a channel; 0 if it says none. */
export function versionOf(metadata: ReadonlyMap<string, string>): number {
  return Number(metadata.get(VERSION_KEY) ?? 0);
}

export function encodeHeader(header: RecordingHeader): Uint8Array {
  return Buffer.from(toExactJson(header));
}

/** What of an item is in its message: all but topic and time, which are the message's own. */
export function encodeItem(item: RecordedItem, cameraFrame: (camera: CameraSide) => string): Uint8Array {
  if (item.topic === "cameras/images") return encodeImage(item, cameraFrame(item.camera));
  const { topic: _, timeNs: __, ...body } = item;
  return Buffer.from(toExactJson(body));
}

/** Throws with the reason if the message is not a header. */
export function decodeHeader(data: Uint8Array, version: number, history: FormatHistory): RecordingHeader {
  const header = decode("header", headerSchema, data, version, history);
  const { run } = header as unknown as { run: { tracker: { gravity?: unknown } } | null };
  // The tracker has vectors for what JSON has arrays for.
  if (Array.isArray(run?.tracker.gravity)) run.tracker.gravity = Float64Array.from(run.tracker.gravity);
  return { ...header, formatVersion: history.version } as unknown as RecordingHeader;
}

/** Makes items of a channel's messages. */
export type ItemDecoder = (data: Uint8Array, timeNs: number) => RecordedItem;

/** The decoder for a channel's messages, which throws with the reason; null for channels that hold no items. */
export function itemDecoder(channel: string, version: number, history: FormatHistory): ItemDecoder | null {
  const camera = (["left", "right"] as const).find((side) => imageChannels[side] === channel);
  if (camera !== undefined) {
    return (data, timeNs) => decodeImage(migrate(parse(data).json, "cameras/images", version, history), camera, timeNs);
  }
  const topic = plainTopics.find((name) => PREFIX + name === channel);
  if (topic === undefined) return null;
  const schema = itemSchemas[topic];
  return (data, timeNs) =>
    ({ topic, timeNs, ...decode(topic, schema, data, version, history) }) as unknown as RecordedItem;
}

type Json = Readonly<Record<string, unknown>>;

function decode(
  topic: PlainTopic | "header",
  schema: TSchema,
  data: Uint8Array,
  version: number,
  history: FormatHistory,
): Json {
  const { text, json } = parse(data);
  const current = migrate(json, topic, version, history);
  const validator = validatorOf(schema);
  if (!validator.Check(current)) {
    const [first] = validator.Errors(current);
    throw new RangeError(`${topic}${first?.instancePath ?? ""}: ${first?.message ?? "not as its schema says"}`);
  }
  return (mayHoldTextualNumbers(text) ? reviveNumbers(schema, current) : current) as Json;
}

function parse(data: Uint8Array): { readonly text: string; readonly json: Json } {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8");
  return { text, json: JSON.parse(text) as Json };
}

const validators = new Map<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const validator = Compile(schema);
  validators.set(schema, validator);
  return validator;
}
