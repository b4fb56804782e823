/** Base64 in Node and in browsers alike. */

/** Bytes that are turned into characters at a time: a call takes only so many arguments. */
const BLOCK = 0x2000;

export function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let k = 0; k < bytes.length; k += BLOCK) text += String.fromCharCode(...bytes.subarray(k, k + BLOCK));
  return btoa(text);
}

/** null for a text that is not base64. */
export function bytesOf(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
