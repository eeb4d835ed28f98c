/** Words of their own, although one letter makes a known name of them. */
const OTHER_WORDS = new Set(["county", "licensee", "licensor", "addressee", "objects"]);

/** Names of fewer letters are too close to other words for a letter to be exchanged in them. */
const SHORT = 5;
/** Names of at least so many letters may differ by two. */
const LONG = 7;

/**
 * The known name that was probably meant by one that is not known: the same in another case or with other separators
 * (`embargo_date`), or with a spelling mistake (an optimal string alignment distance of 1, of long names 2). Undefined
 * when the name is known, is close to none, has a digit, or is a known name with something behind it (`descriptionDe`),
 * which says something else.
 */
export function nearMiss(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const sent = bare(name);
  const same = known.find((one) => bare(one) === sent);
  if (same !== undefined) return same;
  if (OTHER_WORDS.has(sent) || /\d/.test(sent)) return undefined;
  return known.find((one) => !isCompound(name, one) && isMisspelt(sent, bare(one)));
}

/** The name without case and separators. */
export function bare(name: string): string {
  return name.length > 100 ? name : name.toLowerCase().replaceAll(/[_\-. ]/g, "");
}

function isCompound(name: string, known: string): boolean {
  return /^[A-Z_\-. :]/.test(name.slice(known.length)) && name.toLowerCase().startsWith(known.toLowerCase());
}

function isMisspelt(sent: string, known: string): boolean {
  if (Math.abs(sent.length - known.length) > 2) return false;
  const distance = distanceOf(sent, known);
  if (distance === 1) return known.length >= SHORT || sent.length !== known.length || isTransposed(sent, known);
  return distance === 2 && known.length >= LONG && sent[0] === known[0];
}

function isTransposed(sent: string, known: string): boolean {
  return [...sent].sort().join("") === [...known].sort().join("");
}

/** Optimal string alignment distance: insertions, deletions, exchanges, and transpositions of neighbours count one each. */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      line.push(least);
    }
    before = last;
    last = line;
  }
  return last[other.length] ?? 0;
}
