/** A Markdown table. Columns are padded, as Biome formats Markdown. */
export function table(head: string[], rows: string[][]): string {
  const cells = [head, ...rows].map((row) =>
    row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("<data>", "`<data>`")),
  );
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [first = "", ...others] = cells.map(line);
  return [first, line(widths.map((width) => "-".repeat(width))), ...others].join("\n");
}

/** The first line of a generated page. */
export const generated = (from: string) => `<!-- Written by docs/generate.ts from ${from}. Do not edit. -->`;
