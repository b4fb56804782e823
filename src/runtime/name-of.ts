/**
 * The name of a value in an enumeration written as an object of numbers; undefined for a number that it does not have.
 *
 * @example
 * const Colour = { red: 0, green: 1 } as const;
 * nameOf(Colour, 1); // "green"
 */
export function nameOf<Name extends string>(
  enumeration: Readonly<Record<Name, number>>,
  value: number,
): Name | undefined {
  return (Object.keys(enumeration) as Name[]).find((name) => enumeration[name] === value);
}
