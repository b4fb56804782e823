/** A piece of running text with the line on which each of its characters stands. */
export interface ProseBlock {
  readonly text: string;
  /** Line of the character at `offset` of `text`, counted from 1. */
  lineAt(offset: number): number;
}

/** Stands for inline code: a character that belongs to no word. */
const CODE = "\uFFFC";

export function blockAt(text: string, firstLine: number): ProseBlock {
  return { text, lineAt: (offset) => firstLine + text.slice(0, offset).split(/[\n\v]/).length - 1 };
}

/** The paragraphs, headings, list items and table cells of a Markdown page. Code is left out, of a link its text stays. */
export function markdownProse(markdown: string): ProseBlock[] {
  const blocks: ProseBlock[] = [];
  let paragraph: string[] = [];
  let start = 1;
  const flush = () => {
    if (paragraph.length > 0) blocks.push(blockAt(plainInline(paragraph.join("\n")), start));
    paragraph = [];
  };
  const begin = (text: string, line: number) => {
    flush();
    start = line;
    paragraph = [text];
  };
  withoutFences(markdown).forEach((raw, index) => {
    const line = index + 1;
    const text = raw.replace(/^(\s*>)+ ?/, "");
    if (/^\s*\|/.test(text)) {
      flush();
      blocks.push(...tableCells(text).map((cell) => blockAt(plainInline(cell), line)));
    } else if (/^\s*(#+ |[-*+] |\d+\. )/.test(text)) {
      begin(text.replace(/^\s*(#+|[-*+]|\d+\.) /, ""), line);
      if (/^\s*#/.test(text)) flush();
    } else if (text.trim() === "") flush();
    else if (paragraph.length === 0) begin(text, line);
    else paragraph.push(text);
  });
  flush();
  return blocks;
}

/** The lines of a page; those of fenced code and of HTML comments are empty. */
function withoutFences(markdown: string): string[] {
  const keepLines = (block: string) => block.replace(/[^\n]/g, "");
  return markdown
    .replace(/^([ \t]*)(```|~~~).*?^[ \t]*\2[ \t]*$/gms, keepLines)
    .replace(/<!--.*?-->/gs, keepLines)
    .split("\n");
}

function tableCells(row: string): string[] {
  if (/^[\s|:-]+$/.test(row)) return [];
  return row.split(/(?<!\\)\|/).filter((cell) => cell.trim() !== "");
}

/** Blanks out what is no prose, and keeps the length, so that offsets still lead to their lines. */
function plainInline(text: string): string {
  const blank = (part: string) => part.replace(/[^\n]/g, " ");
  return text
    .replace(/(`+)(?!`).*?(?<!`)\1(?!`)/gs, (code) => code.replace(/[^\n]/g, CODE))
    .replace(/(!?\[)([^\]]*)(\]\([^)]*\))/g, (_all, open: string, label: string, target: string) => {
      return blank(open) + label + blank(target);
    })
    .replace(/<[a-z/][^>]*>/gi, blank)
    .replace(/https?:\/\/\S+/g, (url) => CODE.repeat(url.length));
}

/** The texts between the tags of an HTML page, and those of the attributes that a reader sees or hears. */
export function htmlProse(html: string): ProseBlock[] {
  const blocks: ProseBlock[] = [];
  const page = html.replace(/<!--.*?-->|<(script|style)\b.*?<\/\1>/gs, (part) => part.replace(/[^\n]/g, " "));
  const texts = />([^<]+)<|\b(?:title|aria-label|alt|placeholder|content)="([^"]*)"/g;
  for (const match of page.matchAll(texts)) {
    const text = match[1] ?? match[2] ?? "";
    if (text.trim() === "") continue;
    const line = page.slice(0, match.index + match[0].indexOf(text)).split("\n").length;
    blocks.push(blockAt(text, line));
  }
  return blocks;
}
