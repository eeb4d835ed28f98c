/** The entries of a text: separated by ` | ` or by line breaks, of which the indentation does not count. */
export function listed(text: TemplateStringsArray): string[] {
  return text
    .join("")
    .trim()
    .split(/ \| |\n\s*/);
}

/** The rows of a table: {@link listed} entries, each with its cells separated by ` → `. */
export function rows<Row extends string[] = [given: string, expected: string]>(text: TemplateStringsArray): Row[] {
  return listed(text).map((row) => row.split(" → ") as Row);
}
