import type { ByteRange } from "../../export/contents.ts";

/** More than anybody needs; who asks for more has the whole file (RFC 9110, section 14.2: a server may ignore Range). */
const MOST = 100;
const RANGES = /^bytes=([\d, \t-]+)$/i;

/**
 * The ranges of a `Range` header (RFC 9110, section 14.1.2) that a file of this length has, in the order asked for; such as
 * overlap or touch are one. Undefined where the header is to be ignored: another unit, not of the form, or too many. None
 * when the file has nothing of what was asked for. Libraries at hand refuse a suffix that is longer than the file.
 */
export function rangesOf(header: string, bytes: number): ByteRange[] | undefined {
  const [, set] = RANGES.exec(header) ?? [];
  if (set === undefined) return undefined;
  const specs = set.split(",").map((spec) => spec.trim());
  const wanted = specs.filter((spec) => spec !== "");
  if (wanted.length === 0 || wanted.length > MOST) return undefined;
  const ranges: ByteRange[] = [];
  for (const spec of wanted) {
    const [, first, last] = /^(\d{0,16})-(\d{0,16})$/.exec(spec) ?? [];
    if (first === undefined || last === undefined || first + last === "") return undefined;
    const range = first === "" ? suffix(Number(last), bytes) : { from: Number(first), to: endOf(last, bytes) };
    if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
    if (range.from < range.to) ranges.push(range);
  }
  return merged(ranges);
}

function suffix(length: number, bytes: number): ByteRange {
  return { from: Math.max(0, bytes - length), to: bytes };
}

function endOf(last: string, bytes: number): number {
  return last === "" ? bytes : Math.min(Number(last) + 1, bytes);
}

function merged(ranges: ByteRange[]): ByteRange[] {
  const kept: ByteRange[] = [];
  for (const range of ranges) {
    let { from, to } = range;
    // One that joins others takes the place of the first of them.
    let at = kept.length;
    for (let n = kept.length - 1; n >= 0; n--) {
      const other = kept[n] as ByteRange;
      if (other.from > to || from > other.to) continue;
      from = Math.min(from, other.from);
      to = Math.max(to, other.to);
      kept.splice(n, 1);
      at = n;
    }
    kept.splice(at, 0, { from, to });
  }
  return kept;
}
