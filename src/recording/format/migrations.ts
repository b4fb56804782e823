import { RECORDING_VERSION, type RecordedItem, type RecordedTopic } from "../recording.js";
import { asInVersion1, fromVersion1 } from "./version-1.js";

/** A message of an older version, as parsed. */
export type OldMessage = Readonly<Record<string, unknown>>;

/** How messages of one version become those of the next. What is not named stays as it is. */
export interface Migration {
  readonly header?: (header: OldMessage) => OldMessage;
  /** `timeNs` is the time at which the message stands in the recording. */
  readonly items?: Readonly<Partial<Record<RecordedTopic, (item: OldMessage, timeNs: number) => OldMessage>>>;
}

/** Which version is today's, and how to get there from each that was ever released: by the version it starts from. */
export interface FormatHistory {
  readonly version: number;
  readonly migrations: ReadonlyMap<number, Migration>;
}

/** A change of what messages mean raises `RECORDING_VERSION` and adds the way from the version before. */
export const formatHistory: FormatHistory = {
  version: RECORDING_VERSION,
  migrations: new Map([[1, fromVersion1]]),
};

/** A message of `version`, or the header, step by step made into one of today's. */
export function migrate(
  message: OldMessage,
  topic: RecordedTopic | "header",
  timeNs: number,
  version: number,
  { version: today, migrations }: FormatHistory,
): OldMessage {
  let current = message;
  for (let step = version; step < today; step++) {
    const migration = migrations.get(step);
    if (topic === "header") current = migration?.header?.(current) ?? current;
    else current = migration?.items?.[topic]?.(current, timeNs) ?? current;
  }
  return current;
}

/** The message as a recording of `version` holds it after its migration: without what that version did not know. */
export function asInVersion(version: number, item: RecordedItem): RecordedItem {
  return version === 1 ? asInVersion1(item) : item;
}
