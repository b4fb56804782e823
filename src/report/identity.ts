import { asInVersion } from "../recording/format/migrations.js";
import {
  itemsOf,
  RECORDING_VERSION,
  type RecordedItem,
  type RecordedTopic,
  recordedMessages,
} from "../recording/recording.js";
import { areSame } from "../transport/message-compare.js";

/** What a replay makes anew, and can be compared with what was recorded, bit by bit. */
export const comparedTopics = ["predictions", "plans", "motions", "handovers", "states"] as const;

/** Whether a replay of an unchanged run gave what the run had given. */
export interface Identity {
  /** Of each topic: items there were, and items that differ. */
  readonly topics: Readonly<Record<(typeof comparedTopics)[number], { readonly recorded: number; different: number }>>;
  readonly isIdentical: boolean;
  /** The first item that differs [s], and of which topic; null if none does. */
  readonly first: { readonly time: number; readonly topic: RecordedTopic } | null;
}

/**
 * Compares message by message, in the order of the recording, numbers bit by bit (0 and −0 alike): what comes after the
 * recording's last message does not count, as it may end in the middle of something. Of a recording of an older version all that
 * this version held is compared.
 */
export function compareOutputs(
  recorded: readonly RecordedItem[],
  made: readonly RecordedItem[],
  untilNs: number,
  writtenVersion = RECORDING_VERSION,
): Identity {
  let first: Identity["first"] = null;
  const entries = comparedTopics.map((topic) => {
    const before = itemsOf<RecordedTopic>(recorded, topic).filter(({ timeNs }) => timeNs <= untilNs);
    const after = itemsOf<RecordedTopic>(made, topic)
      .filter(({ timeNs }) => timeNs <= untilNs)
      .map((item) => asInVersion(writtenVersion, item));
    let different = 0;
    for (let k = 0; k < Math.max(before.length, after.length); k++) {
      if (isSame(before[k], after[k])) continue;
      different++;
      const time = Math.min(before[k]?.timeNs ?? Infinity, after[k]?.timeNs ?? Infinity) / 1e9;
      if (first === null || time < first.time) first = { time, topic };
    }
    return [topic, { recorded: before.length, different }] as const;
  });
  return {
    topics: Object.fromEntries(entries) as Identity["topics"],
    isIdentical: first === null,
    first,
  };
}

function isSame(a: RecordedItem | undefined, b: RecordedItem | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.topic === b.topic && a.timeNs === b.timeNs && areSame<object>(recordedMessages[a.topic], a, b);
}
