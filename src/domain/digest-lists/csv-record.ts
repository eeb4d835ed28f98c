/** The separators of tables, most usual first. */
const SEPARATORS = [",", ";", "\t"];

/** The separator of a table, from its header: the one that occurs most often. */
export function separatorOf(header: string): string {
  const count = (separator: string) => header.split(separator).length;
  return SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/**
 * The cells of a record (RFC 4180). Lines of a record with a line break in a quoted cell are to be joined before.
 * @returns undefined if a quoted cell does not end, so that the record can continue in the next line
 */
export function cellsOf(record: string, separator: string): string[] | undefined {
  const cells: string[] = [];
  for (let at = 0; ; ) {
    if (record[at] !== '"') {
      const end = record.indexOf(separator, at);
      cells.push(record.slice(at, end < 0 ? undefined : end).trim());
      if (end < 0) return cells;
      at = end + 1;
      continue;
    }
    const quoted = /"((?:[^"]|"")*)"(?!")/y;
    quoted.lastIndex = at;
    const cell = quoted.exec(record)?.[1];
    if (cell === undefined) return undefined;
    cells.push(cell.replaceAll('""', '"'));
    const end = record.indexOf(separator, quoted.lastIndex);
    if (end < 0) return cells;
    at = end + 1;
  }
}
