/** Those who want to hear of something. */
export class Listeners<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  /** Returns what ends it. */
  add(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }
}
