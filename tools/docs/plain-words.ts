import { archaisms } from "./archaisms.js";
import { htmlProse, markdownProse, type ProseBlock } from "./prose.js";
import { literalProse } from "./string-literals.js";

/** Something in a text that is not plain present-day English. */
export interface Finding {
  readonly line: number;
  readonly problem: string;
}

export const MOST_WORDS = 35;

/** Dots of these end no sentence. */
const ABBREVIATION =
  /(?:^|[\s(“"'])(?:e\.g|i\.e|cf|vs|approx|resp|incl|excl|max|min|fig|figs|eq|eqs|no|sec|ch|p|pp|dr|prof|al|ca|viz)\.$/i;
const SENTENCE_END = /[.!?][\p{Pe}\p{Pf}"'*_]*(?=\s|$)/gu;

export function proseOf(path: string, content: string): ProseBlock[] {
  if (path.endsWith(".md")) return markdownProse(content);
  if (path.endsWith(".html") || path.endsWith(".svg")) return htmlProse(content);
  return literalProse(content);
}

/** Sentences that are too long, and archaic words, of the file at `path` with this content. */
export function findings(path: string, content: string): Finding[] {
  return proseOf(path, content)
    .flatMap((block) => [...longSentences(block), ...archaicWords(block)])
    .sort((a, b) => a.line - b.line);
}

function longSentences(block: ProseBlock): Finding[] {
  return sentencesOf(block.text).flatMap(({ text, start }) => {
    const words = countWords(text);
    if (words <= MOST_WORDS) return [];
    const line = block.lineAt(start + text.length - text.trimStart().length);
    return [{ line, problem: `${words} words: ${beginningOf(text)}` }];
  });
}

function archaicWords(block: ProseBlock): Finding[] {
  return archaisms.flatMap(({ pattern, instead }) =>
    Array.from(block.text.matchAll(pattern), (match) => {
      return { line: block.lineAt(match.index), problem: `“${match[0].replace(/\s+/g, " ")}”: write ${instead}` };
    }),
  );
}

export interface Sentence {
  readonly text: string;
  /** Offset in the text it was taken from. */
  readonly start: number;
}

export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  for (const match of text.matchAll(SENTENCE_END)) {
    if (ABBREVIATION.test(text.slice(Math.max(0, match.index - 12), match.index + 1))) continue;
    const end = match.index + match[0].length;
    sentences.push({ text: text.slice(start, end), start });
    start = end;
  }
  if (text.slice(start).trim() !== "") sentences.push({ text: text.slice(start), start });
  return sentences;
}

/** Words have a letter or a digit: dashes, signs and inline code are none. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function beginningOf(text: string): string {
  return `${text.replaceAll("\uFFFC", "").trim().split(/\s+/).slice(0, 10).join(" ")} …`;
}
