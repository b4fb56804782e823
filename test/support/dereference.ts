/** An OpenAPI document with each named schema in the places of the references to it. */
export function dereferenced<D extends object>(document: D): D {
  const { components } = document as { readonly components?: { readonly schemas?: Record<string, unknown> } };
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== "object" || value === null) return value;
    const reference = (value as { readonly $ref?: unknown }).$ref;
    if (typeof reference === "string") return inline(components?.schemas?.[reference.split("/").at(-1) ?? ""]);
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, inline(entry)]));
  };
  return inline(document) as D;
}
