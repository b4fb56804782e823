import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";
import { countWords, findings, sentencesOf } from "../../tools/docs/plain-words.js";

const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");
const problemsOf = (path: string, text: string) =>
  findings(path, text).map(({ line, problem }) => `${line} ${problem}`);

describe("the check of plain words", () => {
  it("finds a sentence of 36 words, not one of 35", () => {
    expect(findings("a.md", `First.\n\n${words(36)}.\n`)).toEqual([
      { line: 3, problem: expect.stringContaining("36 words") },
    ]);
    expect(findings("a.md", `First.\n\n${words(35)}.\n`)).toEqual([]);
  });

  it("ends no sentence at an abbreviation, a decimal or a file's name", () => {
    const text = "It has e.g. 3.5 GHz and (cf. Fig. 2) a file `main.ts`. Next one! (Third, i.e. last.)";
    expect(sentencesOf(text).map((sentence) => sentence.text.trim())).toEqual([
      "It has e.g. 3.5 GHz and (cf. Fig. 2) a file `main.ts`.",
      "Next one!",
      "(Third, i.e. last.)",
    ]);
  });

  it("counts no dashes, signs and code as words", () => {
    expect(countWords("one – two × 3, a-b")).toBe(4);
    expect(findings("a.md", `${words(35)} \`inline code\` –.`)).toEqual([]);
  });

  it("takes table cells, list items, headings and paragraphs for sentences of their own", () => {
    const half = words(20);
    expect(findings("a.md", `# ${half}\n${half}\n- ${half}\n- ${half}\n\n| ${half} | ${half} |\n|---|---|\n`)).toEqual(
      [],
    );
    expect(findings("a.md", `- ${half}\n  ${half}\n`)).toHaveLength(1);
    expect(findings("a.md", `| a | ${half} ${half} |\n`)).toHaveLength(1);
  });

  it("leaves fences out and counts links by their text", () => {
    expect(findings("a.md", `\`\`\`text\n${words(50)} lest\n\`\`\`\n`)).toEqual([]);
    expect(findings("a.md", `${words(34)} [link](lest-${"x/".repeat(40)}.md).`)).toEqual([]);
    expect(findings("a.md", `${words(34)} [two words](x.md).`)).toHaveLength(1);
  });

  it("finds archaisms with their line, across line breaks and in any case", () => {
    expect(problemsOf("a.md", "Fine.\nIt searched in\nvain.\n\nLest it stops.")).toEqual([
      expect.stringMatching(/^2 “in vain”/),
      expect.stringMatching(/^5 “Lest”/),
    ]);
    expect(findings("a.md", "Recommended and amended: the shallow, forested clock, `lest`.")).toEqual([]);
  });

  it("reads the texts of programs, not their names, comments and short literals", () => {
    const program = [
      "// nobody reads this, lest it breaks",
      'const lest = /"/.test(a) ? "lest" : "so";',
      'log("the robot stops " +',
      '  "lest it falls over");',
      "const text = `the $" + '{kind === `x` ? "lest it be so" : b} is in vain`;',
      "const help = `\nExamples:\n  one two three\n  planned anew each time`;",
      "const sheet = `a { lest: in vain }\n`;",
    ].join("\n");
    expect(problemsOf("a.ts", program)).toEqual([
      expect.stringMatching(/^4 “lest”/),
      expect.stringMatching(/^5 “in vain”/),
      expect.stringMatching(/^5 “lest”/),
      expect.stringMatching(/^9 “anew”/),
    ]);
    expect(findings("a.ts", `log("${words(20)} " + \`\${lest} ${words(16)}\`);`)).toHaveLength(1);
  });

  it("reads texts and labels of HTML", () => {
    expect(
      problemsOf("a.html", '<p>Fine</p>\n<b title="tried in vain">obey the rules</b><script>lest</script>'),
    ).toEqual([expect.stringMatching(/^2 “in vain”/), expect.stringMatching(/^2 “obey”/)]);
  });
});

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: packageRoot });
const files = listed.toString().trim().split("\n");
const pages = files.filter((file) => /^(README|CONTRIBUTING|web\/README|docs\/[^/]+)\.md$/.test(file));
const programs = files.filter((file) => /^(src\/.*\.ts|web\/(src\/.*\.ts|index\.html))$/.test(file));

const pictures = files.filter((file) => /^docs\/images\/.*\.svg$/.test(file));

const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");
const reportOf = (path: string, text: string) => {
  return findings(path, text).map(({ line, problem }) => `${path}:${line} ${problem}`);
};

describe("the words of the project", () => {
  it.each(pages)("%s is plain", (page) => {
    expect(reportOf(page, read(page))).toEqual([]);
  });

  it.each(pictures)("%s is plain", (picture) => {
    expect(reportOf(picture, read(picture))).toEqual([]);
  });

  it("the newest section of the change log is plain", () => {
    const [head = "", newest = ""] = read("CHANGELOG.md").split(/^(?=## )/m);
    expect(newest).not.toBe("");
    expect(reportOf("CHANGELOG.md", head + newest)).toEqual([]);
  });

  it("what the programs and the page print is plain", () => {
    expect(programs.length).toBeGreaterThan(300);
    expect(programs.flatMap((path) => reportOf(path, read(path)))).toEqual([]);
  });
});
