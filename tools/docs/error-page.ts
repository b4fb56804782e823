import { type ErrorEntry, errorCatalogue } from "../../src/runtime/error-catalogue.js";

const opening = `# Errors

<!-- Written by \`npm run docs\` from src/runtime/error-catalogue.ts; edit that. -->

Every error a user can meet has a code. The command line prints the code, where it happened, what was expected and what
was found, and what to do. The HTTP service answers with a problem document (RFC 9457) whose \`code\` is the one below and
whose \`type\` leads to its row.

| code | meaning | what to do | HTTP status |
|---|---|---|---|
`;

/** The page `docs/errors.md`: a row for each code, with the code as its anchor. */
export function renderErrorDocs(): string {
  const rows = (Object.entries(errorCatalogue) as [string, ErrorEntry][])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([code, { meaning, remedy, httpStatus }]) =>
        `| <a id="${code}"></a>\`${code}\` | ${escapeCell(meaning)} | ${escapeCell(remedy)} | ${httpStatus} |`,
    );
  return `${opening}${rows.join("\n")}\n`;
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");
}
