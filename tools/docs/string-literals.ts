import { blockAt, type ProseBlock } from "./prose.js";

/** A literal and the place behind it. */
interface Literal {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Literals of fewer words are names, keys and labels. */
const FEWEST_WORDS = 3;
/** A line break that `\n` puts into a string: the program's own line does not end. */
const ESCAPED_BREAK = "\f";
/** A line break of the program between two literals: the text itself goes on. */
const JOINT = "\v";

/**
 * The string and template literals of a TypeScript program that hold at least three words. Literals joined by `+` count
 * as one; what a template inserts counts as one word. An indented or empty line within a text begins a new block, a tag
 * of HTML does as well. Style sheets and shaders are no prose.
 */
export function literalProse(program: string): ProseBlock[] {
  return joined(literalsOf(program), program)
    .filter(({ text }) => !/[;{}][ \t]*(\n|$)/.test(text))
    .flatMap(({ text, start }) => paragraphsOf(text, program.slice(0, start).split("\n").length))
    .filter(({ text }) => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length >= FEWEST_WORDS);
}

function paragraphsOf(text: string, line: number): ProseBlock[] {
  const blocks: ProseBlock[] = [];
  let start = 0;
  for (const match of [...text.matchAll(/[\n\f](?=\s|$)|<\/?[a-z][^<>]*>/g), null]) {
    const before = text.slice(0, start).split(/[\n\v]/).length - 1;
    blocks.push(blockAt(text.slice(start, match?.index), line + before));
    if (match !== null) start = match.index + match[0].length;
  }
  return blocks;
}

function joined(literals: readonly Literal[], program: string): Literal[] {
  const result: Literal[] = [];
  for (const literal of literals) {
    const last = result.at(-1);
    const between = last === undefined ? "" : program.slice(last.end, literal.start);
    if (last !== undefined && /^\s*\+\s*$/.test(between)) {
      const text = last.text + between.replace(/[^\n]/g, "").replaceAll("\n", JOINT) + literal.text;
      result[result.length - 1] = { text, start: last.start, end: literal.end };
    } else result.push(literal);
  }
  return result;
}

const TOKEN = /\/\/[^\n]*|\/\*.*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`/gs;
/** A slash behind one of these begins a regular expression, not a division. */
const REGULAR_EXPRESSION =
  /(?<=[=(,:;!&|?{}[\n>]\s*|\breturn\s+)\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g;

function literalsOf(program: string): Literal[] {
  const found: Literal[] = [];
  const expressions = new Map(
    Array.from(program.matchAll(REGULAR_EXPRESSION), (match) => [match.index, match[0].length]),
  );
  let at = 0;
  while (at < program.length) {
    const next = nextToken(program, at, expressions);
    if (next === null) break;
    at = next.end;
    if (next.kind === "template") {
      const template = readTemplate(program, next.start);
      found.push(template.literal, ...template.inner);
      at = template.literal.end;
    } else if (next.kind === "string") {
      found.push({ text: unescaped(program.slice(next.start + 1, next.end - 1)), start: next.start, end: next.end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

interface Token {
  readonly kind: "skip" | "string" | "template";
  readonly start: number;
  readonly end: number;
}

function nextToken(program: string, from: number, expressions: ReadonlyMap<number, number>): Token | null {
  TOKEN.lastIndex = from;
  const match = TOKEN.exec(program);
  const bound = match?.index ?? program.length;
  for (let i = from; i <= bound; i++) {
    const length = expressions.get(i);
    if (length !== undefined) return { kind: "skip", start: i, end: i + length };
  }
  if (match === null) return null;
  const first = match[0][0];
  const kind = first === "`" ? "template" : first === "/" ? "skip" : "string";
  return { kind, start: match.index, end: match.index + match[0].length };
}

/** The template that begins at `start`, and the literals within the expressions it inserts. */
function readTemplate(program: string, start: number): { literal: Literal; inner: Literal[] } {
  let text = "";
  const inner: Literal[] = [];
  let at = start + 1;
  while (at < program.length && program[at] !== "`") {
    if (program[at] === "\\") {
      text += unescaped(program.slice(at, at + 2));
      at += 2;
    } else if (program.startsWith("${", at)) {
      const end = endOfInsertion(program, at + 2);
      const expression = program.slice(at + 2, end);
      inner.push(
        ...literalsOf(expression).map((part) => ({ ...part, start: part.start + at + 2, end: part.end + at + 2 })),
      );
      text += `x${expression.replace(/[^\n]/g, "")}`;
      at = end + 1;
    } else text += program[at++];
  }
  return { literal: { text, start, end: at + 1 }, inner };
}

function endOfInsertion(program: string, from: number): number {
  let depth = 0;
  for (let at = from; at < program.length; at++) {
    const character = program[at];
    if (character === "`") at = readTemplate(program, at).literal.end - 1;
    else if (character === '"') at = closingQuote(program, at);
    else if (character === "{") depth++;
    else if (character === "}" && depth-- === 0) return at;
  }
  return program.length;
}

function closingQuote(program: string, from: number): number {
  let at = from + 1;
  while (at < program.length && program[at] !== '"') at += program[at] === "\\" ? 2 : 1;
  return at;
}

function unescaped(text: string): string {
  return text.replace(/\\n/g, ESCAPED_BREAK).replace(/\\(.)/gs, "$1");
}
