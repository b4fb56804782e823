import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { type Channel, createChannel } from "../../../src/transport/channels/channel.js";
import { ControlMemory, GetWord, PutWord } from "../../../src/transport/channels/control-memory.js";
import type { GetPort } from "../../../src/transport/channels/get-port.js";
import type { PutPort } from "../../../src/transport/channels/put-port.js";
import { deep } from "../../support/deep.js";
import { countSteps, Died, diesAt, interruptedAt, stepping } from "./preemption.js";
import { slotsTaken } from "./slots.js";
import { isWhole, Stamped, stamp } from "./stamped-packet.js";

const deadThread = 4711;

/** A step that does nothing, where an operation can be interrupted amid its plain reads and writes. */
const scratch = new Int32Array(new SharedArrayBuffer(4));
function pause(): void {
  Atomics.load(scratch, 0);
}

class Writer {
  readonly id: number;
  readonly port: PutPort<Stamped>;
  sent = 0;
  private hasBegun = false;

  constructor(channel: Channel<Stamped>, id: number) {
    this.id = id;
    this.port = channel.openPutPort();
  }

  send(): void {
    this.begin();
    this.finish();
  }

  begin(): void {
    stamp(this.port.reserve(), this.id, this.sent, pause);
    this.hasBegun = true;
  }

  /** Sends what was begun, if nobody else has written into it. */
  finish(): void {
    if (!this.hasBegun) return;
    expect(isWhole(this.port.reserve())).toBe(true);
    this.hasBegun = false;
    this.port.publish();
    this.sent++;
  }

  turn(): void {
    if (this.hasBegun) this.finish();
    else this.begin();
  }

  changeMind(): void {
    this.port.reserve();
    this.port.discard();
  }
}

class Reader {
  readonly port: GetPort<Stamped>;
  /** Number of the packet expected next of each writer, at least. */
  private readonly next = new Map<number, number>();
  private held: Readonly<Stamped> | null = null;

  constructor(channel: Channel<Stamped>, delivery: "every" | "newest") {
    this.port = channel.openGetPort(delivery);
  }

  /** Takes a packet and keeps it until the next turn, so that writers have time to spoil it. */
  take(): void {
    const packet = this.port.tryReceive();
    if (packet !== null) {
      expect(isWhole(packet, pause)).toBe(true);
      expect(packet.number).toBeGreaterThanOrEqual(this.next.get(packet.writer) ?? 0);
      this.next.set(packet.writer, packet.number + 1);
    }
    this.letGo();
    this.held = packet;
  }

  letGo(): void {
    if (this.held === null) return;
    expect(isWhole(this.held, pause)).toBe(true);
    this.port.release(this.held);
    this.held = null;
  }
}

interface Cast {
  readonly channel: Channel<Stamped>;
  readonly writers: readonly Writer[];
  readonly readers: readonly Reader[];
}

function cast(ringSize: number, firstSequence = 0): Cast {
  const channel = createChannel(Stamped, {
    ringSize,
    maxPutPorts: 3,
    maxGetPorts: 3,
    maxBorrows: 2,
    firstSequence,
  });
  return {
    channel,
    writers: [0, 1].map((id) => new Writer(channel, id)),
    readers: (["every", "newest"] as const).map((delivery) => new Reader(channel, delivery)),
  };
}

/** What every reader got and lost is what was published, and nobody holds a slot any more. */
function settle({ channel, writers, readers }: Cast): void {
  for (const writer of writers) writer.finish();
  const { published } = channel.statistics();
  for (const reader of readers) {
    while (reader.port.isReady) reader.take();
    reader.letGo();
    expect(reader.port.received + reader.port.lost).toBe(published);
  }
  expect(slotsTaken(channel)).toBe(0);
}

describe("an operation interrupted at any step", () => {
  it.each([1, 2, 4])("leaves all packets whole and all counts right, with a ring of %d", (ringSize) => {
    const lapping = [0, 1, ringSize, ringSize + 1, 3 * ringSize + 2];
    for (const packets of lapping) {
      for (const [name, operation] of operations()) {
        const steps = stepsOf(operation, ringSize);
        expect(steps, name).toBeGreaterThan(1);
        for (let step = 0; step < steps; step++) {
          const actors = prepared(ringSize);
          interruptedAt(
            step,
            () => operation(actors),
            () => {
              for (let k = 0; k < packets; k++) actors.writers[1]!.send();
              actors.readers[1]!.take();
              actors.writers[1]!.begin();
            },
          );
          settle(actors);
        }
      }
    }
  });

  it("never lets two writers have one slot, not even when both look for the same", () => {
    // New ports all begin their search at the same slot; the ring keeps all packets for the readers to see.
    const writer = cast(4).writers[0]!;
    const steps = countSteps(() => writer.send());
    for (let step = 0; step < steps; step++) {
      for (const packets of [0, 1, 2]) {
        const actors = cast(4);
        interruptedAt(
          step,
          () => actors.writers[0]!.send(),
          () => {
            for (let k = 0; k < packets; k++) actors.writers[1]!.send();
            actors.writers[1]!.begin();
          },
        );
        settle(actors);
      }
    }
  });

  it("is right in random nested interruptions, also where sequence numbers wrap", () => {
    const random = new Random("interleaving");
    const trials = deep(300, 10_000);
    for (let trial = 0; trial < trials; trial++) {
      const actors = cast(1 << random.integer(3), random.integer(2) === 0 ? 0 : 2 ** 32 - 20);
      const actions = [
        () => actors.writers[0]!.turn(),
        () => actors.writers[1]!.turn(),
        () => actors.readers[0]!.take(),
        () => actors.readers[1]!.take(),
      ];
      const busy = new Set<number>();
      const act = (): void => {
        const index = random.integer(actions.length);
        if (busy.has(index)) return;
        busy.add(index);
        stepping(actions[index]!, () => {
          if (random.integer(8) === 0) act();
        });
        busy.delete(index);
      };
      for (let turn = 0; turn < 20; turn++) act();
      settle(actors);
    }
  });
});

describe("an operation that dies at any step", () => {
  it.each([1, 4])("leaves a channel that works, and after reclaiming one as new, with a ring of %d", (ringSize) => {
    for (const [name, operation, victim] of operations()) {
      const steps = stepsOf(operation, ringSize);
      for (let step = 0; step < steps; step++) {
        const actors = prepared(ringSize);
        expect(
          diesAt(step, () => operation(actors)),
          `${name}, step ${step}`,
        ).toBe(true);
        const survivors = {
          channel: actors.channel,
          writers: actors.writers.slice(1),
          readers: actors.readers.slice(1),
        };
        survive(survivors, ringSize);
        bury(actors, victim);
        expect(actors.channel.reclaimThread(deadThread)).toBe(1);
        expect(actors.channel.reclaimThread(deadThread)).toBe(0);
        survive(survivors, ringSize);
        asNew(survivors, victim);
      }
    }
  });

  it("has either sent its packet to all or to nobody", async () => {
    const steps = stepsOf(({ writers }) => writers[0]!.send(), 4);
    const outcomes = new Set<number>();
    for (let step = 0; step < steps; step++) {
      const actors = cast(4);
      const sleeper = actors.readers[0]!.port;
      const waiting = sleeper.receiveAsync();
      expect(diesAt(step, () => actors.writers[0]!.send())).toBe(true);
      // Nobody but the reader itself has looked at the channel since.
      const seen = actors.readers[1]!.port.tryReceive() === null ? 0 : 1;
      expect(actors.channel.statistics().published).toBe(seen);
      outcomes.add(seen);
      bury(actors, "writer");
      actors.channel.reclaimThread(deadThread);
      if (seen === 0) sleeper.close();
      // Woken by the reclaiming, since the dead writer cannot have done it; otherwise this would wait for ever.
      expect((await waiting) === null).toBe(seen === 0);
    }
    expect(outcomes).toEqual(new Set([0, 1]));
  });

  it("frees what a thread had when the one that reclaims it dies too", () => {
    const reclaim = ({ channel }: Cast): void => void channel.reclaimThread(deadThread);
    const example = prepared(2);
    bury(example, "reader");
    const steps = countSteps(() => reclaim(example));
    for (let step = 0; step < steps; step++) {
      const actors = prepared(2);
      actors.readers[0]!.take();
      bury(actors, "reader");
      expect(diesAt(step, () => reclaim(actors))).toBe(true);
      // Ports it had taken over carry its own name now; here that is this thread's, so it is changed to a dead one's.
      const { memory, owner } = ownerOf(actors, "reader");
      if (memory.words[owner] !== 0) memory.words[owner] = deadThread + 1;
      actors.channel.reclaimThread(deadThread);
      asNew({ ...actors, readers: actors.readers.slice(1) }, "reader");
    }
  });
});

type Victim = "writer" | "reader";

/** What a victim may be doing; all of them begin with two packets waiting and one held by each reader. */
function operations(): [string, (actors: Cast) => void, Victim][] {
  return [
    ["send", ({ writers }) => writers[0]!.send(), "writer"],
    ["discard", ({ writers }) => writers[0]!.changeMind(), "writer"],
    ["take", ({ readers }) => readers[0]!.take(), "reader"],
    ["release", ({ readers }) => readers[0]!.letGo(), "reader"],
  ];
}

function stepsOf(operation: (actors: Cast) => void, ringSize: number): number {
  const actors = prepared(ringSize);
  return countSteps(() => operation(actors));
}

function prepared(ringSize: number): Cast {
  const actors = cast(ringSize);
  actors.writers[1]!.send();
  for (const reader of actors.readers) reader.take();
  actors.writers[0]!.send();
  actors.writers[1]!.send();
  return actors;
}

/** The others go round the ring several times and see whole packets, in order. */
function survive({ writers, readers }: Cast, ringSize: number): void {
  for (let k = 0; k < 3 * ringSize + 3; k++) {
    for (const writer of writers) writer.send();
    for (const reader of readers) reader.take();
  }
}

/** Signs the victim's port with the name of a thread that is no more. */
function bury(actors: Cast, victim: Victim): void {
  const { memory, owner } = ownerOf(actors, victim);
  memory.words[owner] = deadThread + 1;
}

function ownerOf({ channel, writers, readers }: Cast, victim: Victim): { memory: ControlMemory; owner: number } {
  const memory = new ControlMemory(channel.handle.sizes, channel.handle.memory);
  const owner =
    victim === "writer"
      ? memory.putRecord(writers[0]!.port.index) + PutWord.owner
      : memory.getRecord(readers[0]!.port.index) + GetWord.owner;
  return { memory, owner };
}

/** All ports can be had, all slots be used. */
function asNew({ channel, writers, readers }: Cast, victim: Victim): void {
  for (const reader of readers) reader.letGo();
  // The writer or reader that was not the victim still has its port and may hold a packet.
  const { maxPutPorts, maxGetPorts } = channel.handle.sizes;
  const statistics = channel.statistics();
  for (let port = statistics.putPorts.length; port < maxPutPorts; port++) channel.openPutPort();
  for (let port = statistics.getPorts.length; port < maxGetPorts; port++) channel.openGetPort("every");
  expect(slotsTaken(channel)).toBe(victim === "writer" ? 1 : 0);
  for (const writer of writers) writer.send();
}

describe("the stage itself", () => {
  it("interrupts and kills where it is told to", () => {
    const channel = createChannel(Stamped);
    const writer = new Writer(channel, 0);
    const reader = channel.openGetPort("every");
    expect(diesAt(0, () => writer.send())).toBe(true);
    expect(reader.tryReceive()).toBeNull();
    expect(() =>
      stepping(
        () => writer.send(),
        () => {
          throw new Died();
        },
      ),
    ).toThrowError(Died);
    expect(diesAt(1000, () => writer.send())).toBe(false);
    expect(reader.tryReceive()).not.toBeNull();
  });
});
