/**
 * What a button box sends: one line of ASCII, `stop` or `beat <number>`, with the token behind it if one is configured. Layout and
 * an example are in docs/live.md.
 */
export type StopDatagram = { readonly kind: "stop" } | { readonly kind: "beat"; readonly number: number } | null;

/** Longest datagram that is read [B]. */
const MAX_BYTES = 1024;

/** Reads a datagram; null: it is none of ours, or its token is wrong. */
export function readStopDatagram(bytes: Uint8Array, isToken: ((candidate: string) => boolean) | null): StopDatagram {
  if (bytes.length > MAX_BYTES) return null;
  const words = Buffer.from(bytes).toString("latin1").trim().split(/\s+/);
  const isBeat = words[0] === "beat";
  const expected = isBeat ? 2 : 1;
  if (words.length !== expected + (isToken === null ? 0 : 1)) return null;
  if (isToken !== null && !isToken(words[expected]!)) return null;
  if (words[0] === "stop") return { kind: "stop" };
  if (!isBeat || !/^\d{1,15}$/.test(words[1]!)) return null;
  return { kind: "beat", number: Number(words[1]) };
}

/**
 * Whether the heartbeats of a button box come in time. Watched from the first one on, or from when the run is ready. A number that
 * repeats is no sign of life: a network may send a datagram again, and a box that hangs may, too.
 */
export class HeartbeatWatch {
  readonly #periodMs: number;
  #lastMs = Number.NaN;
  #number = Number.NaN;

  /** @param periodMs Longest time between two heartbeats [ms]; 0: none are expected. */
  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  beat(number: number, nowMs: number): void {
    if (number === this.#number) return;
    this.#number = number;
    this.#lastMs = nowMs;
  }

  /** From now on heartbeats are expected, even if none has come yet. */
  begin(nowMs: number): void {
    if (Number.isNaN(this.#lastMs)) this.#lastMs = nowMs;
  }

  isMissing(nowMs: number): boolean {
    return this.#periodMs > 0 && nowMs - this.#lastMs > this.#periodMs;
  }
}
