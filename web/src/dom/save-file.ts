import { element } from "./element.js";

/** Puts a file into the downloads. */
export function saveFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  element("a", { attributes: { href, download: name } }).click();
  URL.revokeObjectURL(href);
}
