import { findingRecord, findingsByCode, isError } from "../../../../packages/ocfl/src/index.ts";
import type { Finding } from "../../../archive/validation/check-object.ts";
import { type Advice, advice, codes } from "../../../archive/validation/codes.ts";
import { several } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { join, type Shown, show, styled } from "../../terminal/text.ts";

/** Maximum number of findings per code in the text output. `--json` has all. */
const SHOWN = 10;
const HANG = 6;

/** Prints findings: as JSON lines, or as text by code with advice. */
export function sayFindings(findings: readonly Finding[], output: Output): void {
  for (const finding of findings) output.data(findingRecord(finding));
  const byCode = findingsByCode(findings);
  for (const [code, group] of byCode) {
    output.say(show`${painted(code)}  ${words(codes[code].means)} (${group.length})`, { hang: HANG });
    for (const { path, detail } of group.slice(0, SHOWN)) {
      output.say(show`      ${path || "."}: ${withShortDigests(detail)}`, { hang: HANG + 2 });
    }
    const hidden = group.length - SHOWN;
    if (hidden > 0) output.say(show`      … and ${hidden} more; --json lists all`);
  }
  sayAdvice(new Set(byCode.map(([code]) => code)), output);
}

/** Cuts digests, which are complete with `--json`, to their beginning. */
function withShortDigests(detail: string): string {
  return detail.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{20,}\b/g, "$1…");
}

function sayAdvice(found: ReadonlySet<Finding["code"]>, output: Output): void {
  if (found.size === 0) return;
  output.say(show``);
  output.say(styled("bold", "What to do"));
  const byAdvice = Map.groupBy(found, (code): Advice => codes[code].advice);
  for (const [what, these] of byAdvice) output.say(show`${join(these)}: ${advice[what]}`, { hang: HANG });
  output.say(show`docs/validation.md explains each code.`);
  output.say(show``);
}

/** Returns the numbers of errors and warnings as text. */
export function tally(findings: readonly Finding[]): string {
  const errors = findings.filter(({ code }) => isError(code)).length;
  return `${several(errors, "error")}, ${several(findings.length - errors, "warning")}`;
}

function painted(code: Finding["code"]): Shown {
  return styled(isError(code) ? "red" : "yellow", code);
}

/** Removes the backticks of Markdown. */
function words(means: string): string {
  return means.replaceAll("`", "");
}
