import { crc32 } from "node:zlib";
import {
  type Channel,
  type ChunkIndex,
  type Footer,
  McapRecordBuilder,
  type MetadataIndex,
  Opcode,
  type Schema,
  type Statistics,
} from "@mcap/core";

/** What stands at the end of a file, so that a reader need not go through all of it. */
export interface SummaryContent {
  readonly schemas: readonly Schema[];
  readonly channels: readonly Channel[];
  readonly statistics: Statistics;
  readonly metadataIndexes: readonly MetadataIndex[];
  readonly chunkIndexes: readonly ChunkIndex[];
}

/** Opcode, length, start of the summary and of its offsets: the part of the footer that its checksum covers. */
const FOOTER_PREFIX = 1 + 8 + 8 + 8;

/** Appends summary, offsets of its groups, footer and closing magic to an empty builder; `start` is its place in the file. */
export function writeSummary(records: McapRecordBuilder, start: number, content: SummaryContent): void {
  const groups = [
    { opcode: Opcode.SCHEMA, write: () => content.schemas.map((schema) => records.writeSchema(schema)) },
    { opcode: Opcode.CHANNEL, write: () => content.channels.map((channel) => records.writeChannel(channel)) },
    { opcode: Opcode.STATISTICS, write: () => [records.writeStatistics(content.statistics)] },
    {
      opcode: Opcode.METADATA_INDEX,
      write: () => content.metadataIndexes.map((index) => records.writeMetadataIndex(index)),
    },
    { opcode: Opcode.CHUNK_INDEX, write: () => content.chunkIndexes.map((index) => records.writeChunkIndex(index)) },
  ];
  const places = groups.map(({ opcode, write }) => {
    const groupStart = records.length;
    write();
    return {
      groupOpcode: opcode,
      groupStart: BigInt(start + groupStart),
      groupLength: BigInt(records.length - groupStart),
    };
  });
  const summaryOffsetStart = start + records.length;
  for (const place of places) if (place.groupLength > 0n) records.writeSummaryOffset(place);
  const footer = { summaryStart: BigInt(start), summaryOffsetStart: BigInt(summaryOffsetStart) };
  records.writeFooter({ ...footer, summaryCrc: crc32(footerPrefix(footer), crc32(records.buffer)) });
  records.writeMagic();
}

/** The checksum at the end of the footer covers the footer's own beginning, too. */
function footerPrefix(footer: Omit<Footer, "summaryCrc">): Uint8Array {
  const builder = new McapRecordBuilder();
  builder.writeFooter({ ...footer, summaryCrc: 0 });
  return builder.buffer.subarray(0, FOOTER_PREFIX);
}
