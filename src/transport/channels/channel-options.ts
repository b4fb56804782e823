import { FlycatcherError } from "../../runtime/errors.js";
import { type ChannelSizes, memoryBytesOf } from "./control-memory.js";
import type { PacketType } from "./packet.js";
import type { SyncTableHandle } from "./sync-table.js";

/** How to size a channel. */
export interface ChannelOptions {
  /** Packets kept for readers that lag behind; a power of two. The default is 16. */
  readonly ringSize?: number;
  /** The default is 4. */
  readonly maxPutPorts?: number;
  /** The default is 8. */
  readonly maxGetPorts?: number;
  /** Packets a get-port may hold at the same time. The default is 2: the last one, and the one before. */
  readonly maxBorrows?: number;
  /** The table of the sync groups its ports may join; without one they can join none. */
  readonly syncTable?: SyncTableHandle;
  /** Sequence number of the first packet; other than 0 only to try what happens when it wraps at 2³². */
  readonly firstSequence?: number;
}

const defaults = { ringSize: 16, maxPutPorts: 4, maxGetPorts: 8, maxBorrows: 2, firstSequence: 0 } as const;
/** Slot numbers share 32 bits with what tells packets apart; 12 bits for them leave enough for both. */
const maxSlots = 4096;
/** Offsets into the memory are handled as 32-bit numbers. */
const maxBytes = 2 ** 32 - 1;

export function channelSizes(type: PacketType, options: ChannelOptions): ChannelSizes {
  const { ringSize, maxPutPorts, maxGetPorts, maxBorrows, firstSequence } = { ...defaults, ...options };
  if (!(Number.isInteger(Math.log2(ringSize)) && ringSize >= 1)) throw refused("ringSize", "a power of two", ringSize);
  checkCount("maxPutPorts", maxPutPorts);
  checkCount("maxGetPorts", maxGetPorts);
  checkCount("maxBorrows", maxBorrows);
  if (firstSequence >>> 0 !== firstSequence) {
    throw refused("firstSequence", "a whole number from 0 to 2³² − 1", firstSequence);
  }
  const slotCount = ringSize + maxGetPorts * maxBorrows + maxPutPorts;
  if (slotCount > maxSlots) throw refused("", `at most ${maxSlots} slots in all`, slotCount);
  const packetBytes = type.byteLength;
  const maxGroups = options.syncTable?.maxGroups ?? 0;
  const sizes = { ringSize, maxPutPorts, maxGetPorts, maxBorrows, slotCount, packetBytes, maxGroups, firstSequence };
  const bytes = memoryBytesOf(sizes);
  if (bytes > maxBytes) throw refused("", `at most ${maxBytes} bytes in all`, bytes);
  return sizes;
}

function checkCount(option: string, value: number): void {
  if (!(Number.isInteger(value) && value >= 1)) throw refused(option, "a whole number of at least 1", value);
}

function refused(option: string, expected: string, found: number): FlycatcherError {
  return new FlycatcherError("FLY_CHANNEL_OPTIONS", "a channel cannot have these sizes", {
    path: `/${option}`,
    expected,
    found: String(found),
  });
}
