import type { Output } from "./output.ts";
import { type Column, table } from "./table.ts";
import { show } from "./text.ts";

const AT_ONCE = 1_000;

/** Files, a JSON line each or as a table; they go out as they come, since there can be a million. */
export async function sayPages<T>(
  output: Output,
  files: AsyncIterable<T>,
  columns: readonly Column<T>[],
): Promise<void> {
  let page: T[] = [];
  let seen = 0;
  const flush = () => {
    const lines = table(columns, page, output.columns);
    for (const line of seen === 0 ? lines : lines.slice(1)) output.say(line);
    seen += page.length;
    page = [];
  };
  output.say(show``);
  for await (const file of files) {
    output.data(file);
    if (!output.json) page.push(file);
    if (page.length >= AT_ONCE) flush();
  }
  if (page.length > 0) flush();
  if (seen === 0) output.say(show`There are no such files`);
}
