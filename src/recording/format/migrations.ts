import { RECORDING_VERSION, type RecordedTopic } from "../recorded-messages.js";

/** A message of an older version, as parsed. */
type OldMessage = Readonly<Record<string, unknown>>;

/** How messages of one version become those of the next. What is not named stays as it is. */
export interface Migration {
  readonly header?: (header: OldMessage) => OldMessage;
  readonly items?: Readonly<Partial<Record<RecordedTopic, (item: OldMessage) => OldMessage>>>;
}

/** Migrations by the version they start from: each leads to the one after it. */
export type MigrationTable = ReadonlyMap<number, Migration>;

/** Of every version that was ever released. */
export const migrations: MigrationTable = new Map<number, Migration>();

/** A message of `version`, or the header, step by step made into one of today's. */
export function migrate(
  message: OldMessage,
  topic: RecordedTopic | "header",
  version: number,
  table: MigrationTable = migrations,
): OldMessage {
  let current = message;
  for (let step = version; step < RECORDING_VERSION; step++) {
    const migration = table.get(step);
    const change = topic === "header" ? migration?.header : migration?.items?.[topic];
    if (change !== undefined) current = change(current);
  }
  return current;
}
