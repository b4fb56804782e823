/** What can be wrong with a recording that can be read all the same. */
export type ProblemKind =
  /** The file ends amid a record, or without its index: a crash, a full disk, a broken transfer. */
  | "truncated"
  /** A chunk does not decompress, or its checksum differs: its messages are missing. */
  | "damaged-chunk"
  /** The file goes on but what stands there is not MCAP: everything from there on is missing. */
  | "damaged-record"
  /** The index at the end is there but wrong: the file was gone through from its beginning instead. */
  | "damaged-index"
  /** A message is not what its schema says: it is missing. */
  | "damaged-message";

/** Something that is missing in a recording that can be read all the same. */
export interface RecordingProblem {
  readonly kind: ProblemKind;
  /** What is missing, for people. */
  readonly text: string;
  /** Place in the file [bytes]. */
  readonly offset: number;
  /** Time of the run that is concerned, if it is known [ns]. */
  readonly fromNs?: number;
  readonly toNs?: number;
}
