/** Longest text that is collected [characters]. */
const LONGEST_SCRIPT = 1 << 20;
const MESSAGE = 20;
const ERROR = 6;

/** Cuts what clients write to the primary interface into scripts: single lines, and programs from `def` to `end`. */
export class ScriptReader {
  #rest = "";
  #program: string[] | null = null;
  #length = 0;

  /** The scripts that are whole now. */
  take(bytes: Uint8Array): string[] {
    const lines = (this.#rest + Buffer.from(bytes).toString("latin1")).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, LONGEST_SCRIPT);
    return lines.flatMap((line) => this.#takeLine(line));
  }

  #takeLine(line: string): string[] {
    if (this.#program === null) {
      if (!/^(def|sec) /.test(line)) return line.trim() === "" ? [] : [line];
      this.#program = [];
      this.#length = 0;
    }
    this.#length += line.length + 1;
    this.#program.push(line);
    const isOver = line.trimEnd() === "end";
    if (!isOver && this.#length <= LONGEST_SCRIPT) return [];
    const text = this.#program.join("\n");
    this.#program = null;
    return isOver ? [text] : [];
  }
}

/** The package by which the primary interface reports an error; `time` is the controller's [s]. */
export function errorPackage(time: number, code: number, argument: number, level: number, text: string): Uint8Array {
  const words = Buffer.from(text, "latin1");
  const bytes = Buffer.alloc(5 + 10 + 20 + words.length);
  bytes.writeInt32BE(bytes.length, 0);
  bytes.writeInt8(MESSAGE, 4);
  bytes.writeBigUInt64BE(BigInt(Math.round(1e6 * time)), 5);
  bytes.writeInt8(0, 13);
  bytes.writeInt8(ERROR, 14);
  bytes.writeInt32BE(code, 15);
  bytes.writeInt32BE(argument, 19);
  bytes.writeInt32BE(level, 23);
  bytes.writeUInt32BE(0, 27);
  bytes.writeUInt32BE(0, 31);
  bytes.set(words, 35);
  return bytes;
}
