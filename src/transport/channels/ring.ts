import { type ControlMemory, GetWord, SlotWord } from "./control-memory.js";

/** Returned instead of a slot when there is none to be had. */
export const noSlot = -1;

/**
 * The lock-free heart of a channel: which packet lies in which slot, and who may touch it. Every method can stop for
 * ever at any instruction, because its thread was terminated, and the others go on; nothing is ever locked.
 *
 * Entry `n mod ringSize` of the ring names the slot of packet n and carries the upper bits of n. A packet is published
 * by one compare-and-exchange of its entry, which at the same instant evicts the packet ringSize before it; the put-head
 * is moved on afterwards, by whoever comes first (`head`), so a writer that dies in between holds nobody up.
 *
 * A slot is in one of three hands, or free:
 * - the ring's, while its entry names it;
 * - a writer's, while its claim word names the put-port (set by compare-and-exchange, so by one writer only);
 * - readers', while a borrow word of a get-port names it.
 * A reader writes its borrow word first and then looks whether the entry still stands (a hazard pointer, Michael 2004).
 * If it does, whoever evicts the packet afterwards and wants the slot sees the borrow word; if not, the reader lets go
 * without having read. A writer takes only slots that are claimed by itself, not in the ring, not borrowed.
 *
 * There are ringSize + maxGetPorts·maxBorrows + maxPutPorts slots, the three hands together hold at most one less while
 * a writer looks for one, hence there always is one, whatever the readers do. A look at all slots is no snapshot, so the
 * search may have to go round again; but only because another thread got further meanwhile.
 *
 * All words are Int32 and sequence numbers wrap at 2³². An entry tells packets apart modulo
 * ringSize·2^(32 − slot bits), which is 2²⁰ or more, 2³⁰ for usual sizes: the only assumption is that a thread is not
 * suspended between two neighbouring instructions for exactly a multiple of that many packets.
 */
export class Ring {
  private readonly memory: ControlMemory;
  private readonly words: Int32Array;
  private readonly ringMask: number;
  private readonly ringBits: number;
  private readonly slotBits: number;
  private readonly slotMask: number;

  constructor(memory: ControlMemory) {
    this.memory = memory;
    this.words = memory.words;
    this.ringMask = memory.sizes.ringSize - 1;
    this.ringBits = 31 - Math.clz32(memory.sizes.ringSize);
    this.slotBits = 32 - Math.clz32(memory.sizes.slotCount - 1);
    this.slotMask = (1 << this.slotBits) - 1;
  }

  /** Before any other thread knows the channel: fills the ring with slots that look like packets of long ago. */
  initialize(): void {
    const { ringSize, firstSequence } = this.memory.sizes;
    for (let slot = 0; slot < ringSize; slot++) {
      const sequence = (firstSequence - ringSize + slot) | 0;
      Atomics.store(this.words, this.entryWord(sequence), this.entry(slot, sequence));
      Atomics.store(this.words, this.memory.slotRecord(slot) + SlotWord.sequence, sequence);
    }
    Atomics.store(this.words, this.memory.head, firstSequence | 0);
  }

  /** Sequence number the next packet will get. Finishes the publication of a writer that is late in, or dead. */
  head(): number {
    for (;;) {
      const head = Atomics.load(this.words, this.memory.head);
      if (!this.isPublished(Atomics.load(this.words, this.entryWord(head)), head)) return head;
      this.advance(head);
    }
  }

  /** As `head`, sooner, but too low by one while a writer is late. Never too high. */
  glanceAtHead(): number {
    return Atomics.load(this.words, this.memory.head);
  }

  /** A free slot, claimed for the put-port. The search begins at `hint`. */
  claim(port: number, hint: number): number {
    const { slotCount } = this.memory.sizes;
    let slot = hint;
    for (let tries = 0; ; tries++) {
      // After one round on a guess, no more guessing: plain reads need not ever see what others write.
      if ((tries >= slotCount || this.looksFree(slot)) && this.tryClaim(slot, port)) return slot;
      slot = slot + 1 === slotCount ? 0 : slot + 1;
    }
  }

  private tryClaim(slot: number, port: number): boolean {
    const claimWord = this.memory.slotRecord(slot) + SlotWord.claim;
    if (Atomics.compareExchange(this.words, claimWord, 0, port + 1) !== 0) return false;
    if (!this.isInUse(slot)) return true;
    Atomics.store(this.words, claimWord, 0);
    return false;
  }

  /** Ends a claim: the slot has been published, or is not wanted any more. */
  unclaim(slot: number): void {
    Atomics.store(this.words, this.memory.slotRecord(slot) + SlotWord.claim, 0);
  }

  /**
   * Puts a claimed slot, filled, into the ring; `unclaim` is to follow. Returns the slot that was evicted, which is likely
   * to be free next.
   */
  publish(slot: number): number {
    const sequenceWord = this.memory.slotRecord(slot) + SlotWord.sequence;
    for (;;) {
      const head = Atomics.load(this.words, this.memory.head);
      const word = this.entryWord(head);
      const oldest = Atomics.load(this.words, word);
      if (this.isPublished(oldest, head)) this.advance(head);
      if (!this.isPublished(oldest, (head - this.ringMask - 1) | 0)) continue;
      this.words[sequenceWord] = head;
      if (Atomics.compareExchange(this.words, word, oldest, this.entry(slot, head)) !== oldest) continue;
      this.advance(head);
      return oldest & this.slotMask;
    }
  }

  /** Marks packet `sequence` as held in `borrowWord` and returns its slot, or `noSlot` if it has been evicted. */
  borrow(sequence: number, borrowWord: number): number {
    const word = this.entryWord(sequence);
    const entry = Atomics.load(this.words, word);
    if (!this.isPublished(entry, sequence)) return noSlot;
    const slot = entry & this.slotMask;
    Atomics.store(this.words, borrowWord, slot + 1);
    if (Atomics.load(this.words, word) === entry) return slot;
    Atomics.store(this.words, borrowWord, 0);
    return noSlot;
  }

  giveBack(borrowWord: number): void {
    Atomics.store(this.words, borrowWord, 0);
  }

  /** Moves the put-head past a packet that is in the ring; nothing happens if somebody else has done so. */
  private advance(head: number): void {
    Atomics.compareExchange(this.words, this.memory.head, head, (head + 1) | 0);
  }

  /** A guess, by plain reads: they take a twentieth of the time of `Atomics.load`, which Node 20 does not inline. */
  private looksFree(slot: number): boolean {
    const record = this.memory.slotRecord(slot);
    if (this.words[record + SlotWord.claim] !== 0) return false;
    const sequence = this.words[record + SlotWord.sequence]!;
    return this.words[this.entryWord(sequence)] !== this.entry(slot, sequence);
  }

  /** Whether the ring or a reader has a slot that the caller has claimed, so that it cannot enter the ring meanwhile. */
  private isInUse(slot: number): boolean {
    // A plain read: only those who have claimed the slot write this word, and the claim orders them.
    const sequence = this.words[this.memory.slotRecord(slot) + SlotWord.sequence]!;
    if (Atomics.load(this.words, this.entryWord(sequence)) === this.entry(slot, sequence)) return true;
    const { maxGetPorts, maxBorrows } = this.memory.sizes;
    for (let port = 0; port < maxGetPorts; port++) {
      const first = this.memory.getRecord(port) + GetWord.borrows;
      for (let borrow = 0; borrow < maxBorrows; borrow++) {
        if (Atomics.load(this.words, first + borrow) === slot + 1) return true;
      }
    }
    return false;
  }

  private entryWord(sequence: number): number {
    return this.memory.ring + (sequence & this.ringMask);
  }

  private entry(slot: number, sequence: number): number {
    return ((sequence >>> this.ringBits) << this.slotBits) | slot;
  }

  private isPublished(entry: number, sequence: number): boolean {
    return (entry ^ this.entry(0, sequence)) >>> this.slotBits === 0;
  }
}
