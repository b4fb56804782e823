/** Most spans that a motion is cut into at first. */
const MOST_PIECES = 64;
/** Room for the first spans, and for one more each time the earliest is halved: deeper than halving goes. */
const SIZE = MOST_PIECES + 64;

/** Spans of time that are still to be looked at, the earliest on top, each with how many pairs are open in it. */
export class SpanStack {
  /** Spans left. */
  size = 0;
  /** Of the span taken last: begin and end [s], and how many pairs were open. */
  readonly span = new Float64Array(2);
  open = 0;
  readonly #begin = new Float64Array(SIZE);
  readonly #end = new Float64Array(SIZE);
  readonly #open = new Int32Array(SIZE);

  /** Whether a span can be halved. */
  get hasRoom(): boolean {
    return this.size + 2 <= SIZE;
  }

  /** Begins again with a motion of `duration` in which `open` pairs are open, in spans of `longest` at most [s]. */
  fill(duration: number, open: number, longest: number): void {
    const wanted = Math.ceil(duration / longest);
    const pieces = wanted < 1 ? 1 : wanted < MOST_PIECES ? wanted : MOST_PIECES;
    this.size = 0;
    for (let k = pieces; k > 0; k--) this.#push(duration * ((k - 1) / pieces), duration * (k / pieces), open);
  }

  /** Takes the earliest span off. */
  take(): void {
    this.size--;
    this.span[0] = this.#begin[this.size]!;
    this.span[1] = this.#end[this.size]!;
    this.open = this.#open[this.size]!;
  }

  /** Puts the span taken last back in two halves. */
  pushHalves(open: number): void {
    const begin = this.span[0]!;
    const end = this.span[1]!;
    const middle = 0.5 * (begin + end);
    this.#push(middle, end, open);
    this.#push(begin, middle, open);
  }

  #push(begin: number, end: number, open: number): void {
    this.#begin[this.size] = begin;
    this.#end[this.size] = end;
    this.#open[this.size] = open;
    this.size++;
  }
}
