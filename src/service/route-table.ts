/**
 * Which methods a path answers: what Fastify's router cannot tell, and what makes the difference between "there is
 * nothing here" (404) and "not with this method" (405).
 */
export class RouteTable {
  readonly #routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();

  /** `url` as Fastify takes it: segments may be `:name`, the last one `*`. */
  add(url: string, methods: readonly string[]): void {
    const route = this.#routes.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const method of methods) route.methods.add(method.toUpperCase());
    this.#routes.set(url, route);
  }

  methodsOf(path: string): string[] {
    const matching = [...this.#routes.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
  }
}

function patternOf(url: string): RegExp {
  const segments = url.split("/").map((segment) => {
    if (segment.startsWith(":")) return "[^/]+";
    return segment === "*" ? ".*" : segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${segments.join("/")}$`);
}
