import { fromJson } from "../../transport/message-json.js";
import { type RecordedItem, type RecordedTopic, recordedMessages } from "../recording.js";
import { type FormatHistory, formatHistory, migrate, type OldMessage } from "./migrations.js";

/** Topics of messages that only Flycatcher reads begin so in a file; what follows is the topic. */
export const PREFIX = "/flycatcher/";
export const HEADER_CHANNEL = `${PREFIX}header`;

/** Metadata of a channel that holds the version of its messages. */
export const VERSION_KEY = "version";

/** Version of the messages of a channel; 0 if it says none. */
export function versionOf(metadata: ReadonlyMap<string, string>): number {
  return Number(metadata.get(VERSION_KEY) ?? 0);
}

/** The message of a topic from its JSON, of any version; refused as `fromJson` does. For browsers, too. */
export function itemFromJson(
  topic: RecordedTopic,
  json: OldMessage,
  timeNs: number,
  version: number,
  history: FormatHistory = formatHistory,
): RecordedItem {
  const current = migrate(json, topic, timeNs, version, history);
  return { topic, timeNs, ...fromJson<object>(recordedMessages[topic], current) } as RecordedItem;
}
