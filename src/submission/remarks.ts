import type { Remark } from "./problems.ts";

/** No answer lists more faults, or more warnings, than this. */
export const mostListed = 1_000;
/** Characters of a pointer: names of members come from the request and can have millions. */
const longestPointer = 500;

/**
 * The remarks as an answer lists them: the first {@link mostListed}, then one that says how many there are besides.
 * A pointer of more than 500 characters is cut and ends with “…”.
 */
export function listed(remarks: readonly Remark[], more: "more_errors" | "more_warnings"): Remark[] {
  const shown = remarks.slice(0, mostListed).map((remark) => ({ ...remark, pointer: cut(remark.pointer) }));
  const left = remarks.length - shown.length;
  if (left === 0) return shown;
  const what = more === "more_errors" ? "faults" : "warnings";
  const detail = `At least ${left.toLocaleString("en")} more ${what} were found; they are not listed.`;
  return [...shown, { pointer: "", code: more, detail }];
}

function cut(pointer: string): string {
  return pointer.length <= longestPointer ? pointer : `${pointer.slice(0, longestPointer)}…`;
}
