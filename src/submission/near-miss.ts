/** Words of their own, although one letter makes a known name of them. */
const OTHER_WORDS = new Set(["county", "licensee", "licensor", "addressee", "objects", "orchid", "tile"]);

/** Names of fewer letters are too close to other words for an exchanged letter to be a spelling mistake. */
const SHORT = 6;
/** Minimum letters of a name in which two letters may be exchanged for each other (`lisence`). */
const LONG = 7;
/** Minimum letters of a name in which two letters may be missing or doubled. */
const LONGER = 8;
/** Maximum mistakes in a name. */
const MOST_MISTAKES = 2;
/** Minimum letters of a single word in which any two mistakes are accepted. */
const LONGEST = 10;

/**
 * The known name that was probably meant by an unknown one: the same name in another case or with other separators
 * (`embargo_date`), or with a spelling mistake (an optimal string alignment distance of 1, in long names of 2). Undefined
 * when the name is known, is close to none, has a digit, or is a known name or its singular with an addition
 * (`descriptionDe`, `subjectId`, `licensed`), which is another word.
 */
export function nearMiss(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const sent = bare(name);
  const same = known.find((one) => bareKnown(one) === sent);
  if (same !== undefined) return same;
  if (OTHER_WORDS.has(sent) || /\d/.test(sent)) return undefined;
  return known.find(
    (one) => isOfSimilarLength(sent, one) && !isExtended(sent, bareKnown(one)) && isMisspelt(sent, one),
  );
}

/** The name without case and separators. */
export function bare(name: string): string {
  return name.length > 100 ? name : name.toLowerCase().replaceAll(/[_\-. ]/g, "");
}

const bares = new Map<string, string>();

/** The same for a known name, remembered: a request can have 200,000 names to compare. */
function bareKnown(name: string): string {
  const known = bares.get(name) ?? bare(name);
  bares.set(name, known);
  return known;
}

function isOfSimilarLength(sent: string, known: string): boolean {
  return Math.abs(sent.length - bareKnown(known).length) <= MOST_MISTAKES;
}

/** Whether the name is the known one or its singular with an addition; a plural or a doubled letter is none. */
function isExtended(sent: string, known: string): boolean {
  if (sent.startsWith(known)) {
    const addition = sent.slice(known.length);
    return addition !== "s" && addition !== known.at(-1);
  }
  const singular = singularOf(known);
  return singular !== known && sent.startsWith(singular) && sent.length >= singular.length + 2;
}

function singularOf(known: string): string {
  return known.replace(/(?<!s)s$/, "");
}

function isMisspelt(sent: string, name: string): boolean {
  const known = bareKnown(name);
  const distance = distanceOf(sent, known);
  if (distance > MOST_MISTAKES) return false;
  if (distance === 1) return known.length >= SHORT || sent.length !== known.length || isTransposed(sent, known);
  if (distanceOf(sent, singularOf(known)) <= 1) return known.length >= SHORT;
  if (distance !== 2 || sent[0] !== known[0]) return false;
  if (known.length >= LONGEST && name === known) return true;
  if (known.length >= LONGER && (isPartOf(sent, known) || isPartOf(known, sent))) return true;
  return known.length >= LONG && isTransposed(sent, known);
}

function isTransposed(sent: string, known: string): boolean {
  return [...sent].sort().join("") === [...known].sort().join("");
}

/** Whether all letters of `one` are in `other`, in this order. */
function isPartOf(one: string, other: string): boolean {
  let found = 0;
  for (const letter of other) if (letter === one[found]) found += 1;
  return found === one.length;
}

/**
 * Optimal string alignment distance: insertions, deletions, exchanges, and transpositions of neighbours count one each.
 * More than {@link MOST_MISTAKES} is any greater number.
 */
function distanceOf(one: string, other: string): number {
  const width = other.length + 1;
  const cells = table.length < (one.length + 1) * width ? new Uint8Array((one.length + 1) * width) : table;
  for (let column = 0; column < width; column++) cells[column] = column;
  for (let row = 1; row <= one.length; row++) {
    const at = row * width;
    cells[at] = row;
    let least = row;
    for (let column = 1; column < width; column++) {
      const above = at - width + column;
      const isSame = one.charCodeAt(row - 1) === other.charCodeAt(column - 1);
      let cell = Math.min(
        (cells[above] ?? 0) + 1,
        (cells[at + column - 1] ?? 0) + 1,
        (cells[above - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) cell = Math.min(cell, (cells[above - width - 2] ?? 0) + 1);
      cells[at + column] = cell;
      least = Math.min(least, cell);
    }
    // Later rows have no smaller numbers, except one by a transposition.
    if (least > MOST_MISTAKES + 1) return least;
  }
  return cells[one.length * width + other.length] ?? 0;
}

/** Of names of usual length; used again by each comparison. */
const table = new Uint8Array(1_024);
