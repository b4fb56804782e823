/** What can stand inside an element. */
export type Child = Node | string | null;

/** What an element is made with: attributes, and listeners under `on`. */
export interface ElementOptions {
  readonly class?: string;
  readonly text?: string;
  /** Attributes by name; null leaves one out. */
  readonly attributes?: Readonly<Record<string, string | number | null>>;
  readonly on?: { readonly [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void };
}

/**
 * Makes an element. Text is always text, never markup.
 * @example element("button", { class: "quiet", text: "Reset", on: { click: reset } })
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  options: ElementOptions = {},
  children: readonly Child[] = [],
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (options.class !== undefined) made.className = options.class;
  if (options.text !== undefined) made.textContent = options.text;
  setAttributes(made, options.attributes ?? {});
  for (const [type, listener] of Object.entries(options.on ?? {})) {
    made.addEventListener(type, listener as EventListener);
  }
  append(made, children);
  return made;
}

const svgNamespace = "http://www.w3.org/2000/svg";

/** The same for a drawing. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number | null>> = {},
  children: readonly Child[] = [],
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS(svgNamespace, tag);
  setAttributes(made, attributes);
  append(made, children);
  return made;
}

export function setAttributes(target: Element, attributes: Readonly<Record<string, string | number | null>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) target.removeAttribute(name);
    else target.setAttribute(name, String(value));
  }
}

/** Sets text only where it differs, so that nothing is laid out again for nothing. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

function append(target: Element, children: readonly Child[]): void {
  for (const child of children) if (child !== null) target.append(child);
}
