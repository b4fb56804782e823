/** Something on its way, and when it is there [ns]. */
interface Underway<T> {
  readonly item: T;
  readonly dueNs: number;
}

const NOTHING: readonly never[] = [];

/** A modelled latency: what is put in comes out when its time has come, in the order in which it was put in. */
export class DelayLine<T> {
  #underway: Underway<T>[] = [];

  put(item: T, dueNs: number): void {
    this.#underway.push({ item, dueNs });
  }

  /** All that has arrived by `nowNs`, taken out. Nothing overtakes: an item waits for those before it. */
  take(nowNs: number): readonly T[] {
    const first = this.#underway[0];
    if (first === undefined || first.dueNs > nowNs) return NOTHING;
    const waits = this.#underway.findIndex(({ dueNs }) => dueNs > nowNs);
    const arrived = waits < 0 ? this.#underway : this.#underway.slice(0, waits);
    this.#underway = waits < 0 ? [] : this.#underway.slice(waits);
    return arrived.map(({ item }) => item);
  }
}
