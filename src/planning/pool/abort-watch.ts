/**
 * Hears of signals on behalf of many: one listener a signal, however many of a batch share it (Node warns of a leak
 * beyond ten).
 */
export class AbortWatch<T> {
  readonly #onAbort: (member: T) => void;
  readonly #watched = new Map<AbortSignal, { readonly members: Set<T>; readonly listener: () => void }>();

  constructor(onAbort: (member: T) => void) {
    this.#onAbort = onAbort;
  }

  add(signal: AbortSignal, member: T): void {
    const known = this.#watched.get(signal);
    if (known !== undefined) {
      known.members.add(member);
      return;
    }
    const members = new Set([member]);
    const listener = () => this.#abort(signal);
    this.#watched.set(signal, { members, listener });
    signal.addEventListener("abort", listener);
  }

  remove(signal: AbortSignal, member: T): void {
    const watched = this.#watched.get(signal);
    if (watched === undefined) return;
    watched.members.delete(member);
    if (watched.members.size > 0) return;
    this.#watched.delete(signal);
    signal.removeEventListener("abort", watched.listener);
  }

  #abort(signal: AbortSignal): void {
    for (const member of [...(this.#watched.get(signal)?.members ?? [])]) this.#onAbort(member);
  }
}
