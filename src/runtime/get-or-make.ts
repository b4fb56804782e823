/** Where values are kept by their keys: a `Map`, or a `WeakMap`. */
interface Store<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/**
 * The value of a key, made and kept when it is asked for first. Values are never undefined.
 *
 * @example
 * const robot = getOrMake(robots, name, () => loadRobot(name));
 */
export function getOrMake<Key, Value>(store: Store<Key, Value>, key: Key, make: () => Value): Value {
  const known = store.get(key);
  if (known !== undefined) return known;
  const made = make();
  store.set(key, made);
  return made;
}
