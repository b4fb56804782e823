import { isDeepStrictEqual } from "node:util";
import type { RecordedItem, RecordedTopic } from "../recording/recorded-messages.js";

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
 * Compares item by item, in the order of the recording, numbers bit by bit (0 and −0 alike): what comes after the
 * recording's last item does not count, as it may end in the middle of something.
 */
export function compareOutputs(
  recorded: readonly RecordedItem[],
  made: readonly RecordedItem[],
  untilNs: number,
): Identity {
  let first: Identity["first"] = null;
  const entries = comparedTopics.map((topic) => {
    const before = recorded.filter((item) => item.topic === topic && item.timeNs <= untilNs);
    const after = made.filter((item) => item.topic === topic && item.timeNs <= untilNs);
    let different = 0;
    for (let k = 0; k < Math.max(before.length, after.length); k++) {
      if (isDeepStrictEqual(before[k], after[k])) continue;
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
