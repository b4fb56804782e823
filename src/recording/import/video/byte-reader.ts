/** Reads a stream of chunks by lines and by counts of bytes. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next `count` bytes, valid until the next call; null at the stream's end, also where fewer are left. */
  async bytes(count: number): Promise<Buffer | null> {
    while (this.#rest.length - this.#at < count) {
      if (!(await this.#more(count))) return null;
    }
    this.#at += count;
    return this.#rest.subarray(this.#at - count, this.#at);
  }

  /** The text up to the next line feed, of at most `longest` bytes; null where there is none. */
  async line(longest: number): Promise<string | null> {
    for (;;) {
      const end = this.#rest.indexOf(0x0a, this.#at);
      if (end >= 0 && end - this.#at <= longest) {
        const text = this.#rest.toString("latin1", this.#at, end);
        this.#at = end + 1;
        return text;
      }
      if (this.#rest.length - this.#at > longest || !(await this.#more(0))) return null;
    }
  }

  /** Ends the stream. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Reads until `count` bytes are there, at least one chunk. */
  async #more(count: number): Promise<boolean> {
    const parts: Uint8Array[] = [this.#rest.subarray(this.#at)];
    let length = parts[0]!.length;
    do {
      const { done, value } = await this.#chunks.next();
      if (done === true) {
        this.#rest = Buffer.concat(parts);
        this.#at = 0;
        return parts.length > 1;
      }
      parts.push(value);
      length += value.length;
    } while (length < count);
    this.#rest = Buffer.concat(parts);
    this.#at = 0;
    return true;
  }
}
