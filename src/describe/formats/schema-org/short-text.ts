/** How far before the limit a text is cut at a space. Languages without spaces are cut between characters. */
const LONGEST_WORD = 100;

/** A text of at most `most` UTF-16 characters. A longer one is cut at the end of a word, and ends with an ellipsis. */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, most);
  const space = start.slice(-LONGEST_WORD).search(/\s\S*$/);
  const end = space === -1 ? most - 1 : Math.max(0, most - LONGEST_WORD) + space;
  // Half of a character cannot be shown.
  return `${start
    .slice(0, end)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()}…`;
}
