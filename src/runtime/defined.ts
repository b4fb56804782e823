/** The same object type with what may be undefined as optional. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * An object without the keys whose values are undefined: options that were not given are left to the defaults of what takes them.
 *
 * @example
 * defined({ robot: "panda", input: undefined }); // { robot: "panda" }
 */
export function defined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}
