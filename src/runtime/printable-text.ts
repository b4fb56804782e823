/** Codes of colours begin with it. */
const ESCAPE = String.fromCharCode(27);

/**
 * Control characters, but for the end of a line, tabulator and the codes of colours. Texts of files and requests reach terminals:
 * with the others they could move the cursor, write over what stands there, or set the title of the window.
 */
const CONTROL = new RegExp(`${ESCAPE}\\[[0-9;]{0,20}m|[^\\P{Cc}\\n\\t]|\\p{Bidi_Control}`, "gu");

/** A text with its control characters made visible: U+001B as `\x1b`. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, (found) => (found.length > 1 ? found : escaped(found.charCodeAt(0))));
}

function escaped(code: number): string {
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
}
