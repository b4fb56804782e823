import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { FlycatcherError } from "../../runtime/errors.js";

/** Bytes of an authentication code: the first half of HMAC-SHA256. */
export const TAG_SIZE = 16;
/** Shortest key [characters]. */
const LEAST_LENGTH = 16;

/**
 * A key that both ends of the protocol share. Each frame ends with the first 16 bytes of its HMAC-SHA256: only a sender that has
 * the key can make one, and none fits another frame. Session and sequence number are in the frame, so that a copy is stale.
 */
export class FrameKey {
  readonly #key: KeyObject;

  /** Any text of at least 16 characters; its UTF-8 bytes are the key. */
  constructor(text: string) {
    if (!(text.length >= LEAST_LENGTH)) {
      const found = `${text.length} characters`;
      const expected = `at least ${LEAST_LENGTH} characters`;
      throw new FlycatcherError("FLY_ROBOT_KEY", "the key of the robot's protocol is too short", { expected, found });
    }
    this.#key = createSecretKey(text, "utf8");
  }

  /** Writes the code of bytes[0 … length − 1] behind them. */
  sign(bytes: Uint8Array, length: number): void {
    bytes.set(this.#tag(bytes, length), length);
  }

  /** Whether the code of bytes[0 … length − 1] follows them. */
  hasSigned(bytes: Uint8Array, length: number): boolean {
    const found = bytes.subarray(length, length + TAG_SIZE);
    return found.length === TAG_SIZE && timingSafeEqual(found, this.#tag(bytes, length));
  }

  #tag(bytes: Uint8Array, length: number): Uint8Array {
    return createHmac("sha256", this.#key).update(bytes.subarray(0, length)).digest().subarray(0, TAG_SIZE);
  }
}
