/** A table in plain text: the first column to the left, the others to the right, two spaces between. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, k) => Math.max(title.length, ...rows.map((row) => row[k]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, k) => (k === 0 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!)))
      .join("  ")
      .trimEnd();
  return [header, ...rows].map(line).join("\n");
}
