import { type Channel, MCAP_MAGIC, Opcode } from "@mcap/core";
import { FlycatcherError } from "../../runtime/errors.js";
import type { ByteSource } from "./byte-source.js";
import { chunkRecords, MAX_CHUNK_BYTES, messageTime, openChunk, RECORD_PREFIX } from "./chunk-content.js";
import { type ChunkPlace, type McapIndex, parseRecord } from "./mcap-index.js";
import type { ReadBudget } from "./read-budget.js";
import type { ProblemKind, RecordingProblem } from "./recording-problem.js";

/**
 * Makes the index of a file that has none: goes from record to record until the file ends or makes no sense any more. Chunks
 * that are damaged are left out; everything complete before the end is kept.
 */
export async function scanFile(source: ByteSource, budget: ReadBudget): Promise<McapIndex> {
  const scan = new FileScan(source, budget);
  await scan.run();
  return scan;
}

class FileScan implements McapIndex {
  readonly chunks: ChunkPlace[] = [];
  readonly channels = new Map<number, Channel>();
  readonly metadata = new Map<string, ReadonlyMap<string, string>>();
  readonly problems: RecordingProblem[] = [];
  readonly #source: ByteSource;
  readonly #budget: ReadBudget;
  #offset = MCAP_MAGIC.length;

  constructor(source: ByteSource, budget: ReadBudget) {
    this.#source = source;
    this.#budget = budget;
  }

  async run(): Promise<void> {
    const { byteLength } = this.#source;
    while (this.#offset < byteLength) {
      const left = byteLength - this.#offset;
      if (left < RECORD_PREFIX) return this.#stop("truncated", "the file ends in the middle of a record");
      const prefix = Buffer.from(await this.#source.read(BigInt(this.#offset), BigInt(RECORD_PREFIX)));
      const opcode = prefix.readUInt8(0);
      const length = RECORD_PREFIX + Number(prefix.readBigUInt64LE(1));
      if (opcode === Opcode.DATA_END || opcode === Opcode.FOOTER) return;
      if (!isPlausible(opcode, length)) return this.#stop("damaged-record", "what follows is not MCAP");
      if (length > left) {
        return this.#stop("truncated", `the file ends ${left} bytes into a record of ${length} bytes`);
      }
      await this.#take(opcode, length);
      this.#offset += length;
    }
    this.#stop("truncated", "the file ends without its index");
  }

  async #take(opcode: number, length: number): Promise<void> {
    if (!keptOpcodes.has(opcode)) return;
    const record = await this.#source.read(BigInt(this.#offset), BigInt(length));
    try {
      if (opcode === Opcode.CHUNK) this.#takeChunk(record);
      else this.#takeRecord(record);
    } catch (error) {
      if (error instanceof FlycatcherError) throw error;
      const why = (error as Error).message;
      if (opcode === Opcode.CHUNK) this.#stop("damaged-chunk", `a chunk of ${length} bytes is lost: ${why}`);
      else this.#stop("damaged-record", `a record of ${length} bytes is lost: ${why}`);
    }
  }

  #takeChunk(record: Uint8Array): void {
    const content = openChunk(record, this.#budget);
    // The times in the chunk's own header are under no checksum.
    let startNs = Number.POSITIVE_INFINITY;
    let endNs = Number.NEGATIVE_INFINITY;
    for (const place of chunkRecords(content)) {
      if (place.opcode === Opcode.MESSAGE) {
        const timeNs = messageTime(content, place);
        startNs = Math.min(startNs, timeNs);
        endNs = Math.max(endNs, timeNs);
      } else if (keptOpcodes.has(place.opcode)) this.#takeRecord(content.subarray(place.start, place.end));
    }
    this.chunks.push({ offset: this.#offset, length: record.length, startNs, endNs });
  }

  #takeRecord(bytes: Uint8Array): void {
    this.#budget.takeRecord();
    const record = parseRecord(bytes);
    if (record.type === "Channel") this.channels.set(record.id, record);
    if (record.type === "Metadata") this.metadata.set(record.name, record.metadata);
  }

  #stop(kind: ProblemKind, text: string): void {
    this.problems.push({ kind, text: `${text} (byte ${this.#offset})`, offset: this.#offset });
  }
}

/** Records that say what is in the file; the others point to them. */
const keptOpcodes: ReadonlySet<number> = new Set([Opcode.CHANNEL, Opcode.CHUNK, Opcode.METADATA]);

/** Opcodes from 0x80 on are for private records, which readers pass over; the rest between is reserved. */
function isPlausible(opcode: number, length: number): boolean {
  const isKnown = (opcode >= Opcode.MIN && opcode <= Opcode.MAX) || opcode >= 0x80;
  return isKnown && (opcode !== Opcode.CHUNK || length <= MAX_CHUNK_BYTES);
}
