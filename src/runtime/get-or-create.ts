/** A map, weak or not. */
interface Keyed<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/**
 * What a map has under `key`; if it has nothing there, what `create` makes, which it keeps.
 *
 * @example
 * const lists = new Map<string, number[]>();
 * getOrCreate(lists, "even", () => []).push(2);
 */
export function getOrCreate<Key, Value>(map: Keyed<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = create();
  map.set(key, made);
  return made;
}
