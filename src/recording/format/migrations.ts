import { RECORDING_VERSION, type RecordedTopic } from "../recorded-messages.js";

/** A message of an older version, as parsed. */
export type OldMessage = Readonly<Record<string, unknown>>;

/** How messages of one version become those of the next. What is not named stays as it is. */
export interface Migration {
  readonly header?: (header: OldMessage) => OldMessage;
  readonly items?: Readonly<Partial<Record<RecordedTopic, (item: OldMessage) => OldMessage>>>;
}

/** Which version is today's, and how to get there from each that was ever released: by the version it starts from. */
export interface FormatHistory {
  readonly version: number;
  readonly migrations: ReadonlyMap<number, Migration>;
}

/** So far there has been one version. Whoever makes another adds the way to it here. */
export const formatHistory: FormatHistory = { version: RECORDING_VERSION, migrations: new Map() };

/** A message of `version`, or the header, step by step made into one of today's. */
export function migrate(
  message: OldMessage,
  topic: RecordedTopic | "header",
  version: number,
  { version: today, migrations }: FormatHistory,
): OldMessage {
  let current = message;
  for (let step = version; step < today; step++) {
    const migration = migrations.get(step);
    const change = topic === "header" ? migration?.header : migration?.items?.[topic];
    if (change !== undefined) current = change(current);
  }
  return current;
}
