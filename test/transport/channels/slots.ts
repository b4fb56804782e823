import type { Channel } from "../../../src/transport/channels/channel.js";
import { ControlMemory, GetWord, SlotWord } from "../../../src/transport/channels/control-memory.js";

/** How many slots writers have reserved and readers hold, read from the channel's memory. */
export function slotsTaken<V extends object>({ handle }: Channel<V>): number {
  const memory = new ControlMemory(handle.sizes, handle.memory);
  let taken = 0;
  for (let slot = 0; slot < handle.sizes.slotCount; slot++) {
    if (memory.words[memory.slotRecord(slot) + SlotWord.claim] !== 0) taken++;
  }
  for (let port = 0; port < handle.sizes.maxGetPorts; port++) {
    const first = memory.getRecord(port) + GetWord.borrows;
    taken += memory.words.subarray(first, first + handle.sizes.maxBorrows).filter((word) => word !== 0).length;
  }
  return taken;
}
