import type { ObjectChecks, ReportFinding } from "./additional-checks.ts";
import { codeIn, isError, type OcflCode, referenceOf } from "./codes.ts";

/** An error (E…) or a warning (W…) about an OCFL object or storage root. */
export interface Finding<Code extends string = OcflCode> {
  code: Code;
  /** The file or folder, relative to the validated folder; empty for the whole folder. */
  path: string;
  detail: string;
}

/** A finding for programs, with its severity and the rule of the specification. */
export function findingRecord({ code, path, detail }: Finding<string>): object {
  return { code, severity: isError(code) ? "error" : "warning", path, detail, reference: referenceOf(code) };
}

/** The findings of each code, errors first. */
export function findingsByCode<Code extends string>(findings: readonly Finding<Code>[]): [Code, Finding<Code>[]][] {
  const groups = Map.groupBy(findings, ({ code }) => code);
  return [...groups].sort(([one], [other]) => Number(isError(other)) - Number(isError(one)));
}

/** Maximum number of errors, and of warnings, that are listed. Further ones are counted. */
const MAX_LISTED = 10_000;
/** Longer than any path. Hostile inventories can contain texts that are a thousand times as long. */
const MAX_TEXT_LENGTH = 4_096;

/** Collects findings in limited memory, even for an object that lost a million files. */
export class Findings {
  readonly #isExempt: (code: string, path: string) => boolean;
  readonly #listed: Finding<string>[] = [];
  #errors = 0;
  #warnings = 0;

  /** @param isExempt returns true for findings that are omitted */
  constructor(isExempt: (code: string, path: string) => boolean = () => false) {
    this.#isExempt = isExempt;
  }

  /** The collection for an object with additional checks. */
  static of<Extra extends string>(checks: ObjectChecks<Extra> | undefined): Findings {
    // Only codes of this package and those of `checks` can occur.
    const findings = new Findings((code, path) => checks?.isExempt?.(code as OcflCode | Extra, path) ?? false);
    checks?.begin?.(findings.reporter());
    return findings;
  }

  add(code: OcflCode, path: string, detail: string): void {
    this.#add(code, path, detail);
  }

  /** Returns a function that adds findings, also with codes of a caller. */
  reporter<Extra extends string>(): ReportFinding<Extra> {
    return (code, path, detail) => this.#add(code, path, detail);
  }

  /** Number of errors, including those that are not listed. */
  get errors(): number {
    return this.#errors;
  }

  /**
   * Adds the findings of another collection.
   *
   * @param how.below a folder to which their paths are relative
   * @param how.specification the version of OCFL whose codes are used
   * @param how.isWanted which of them are added; all by default
   */
  merge(other: Findings, how: { below?: string; specification?: string; isWanted?(code: string): boolean } = {}): void {
    const { below = "", specification, isWanted } = how;
    for (const { code, path, detail } of other.#listed) {
      const codeHere = codeIn(specification, code);
      const parts = [below, path].filter((part) => part !== "");
      if (isWanted?.(codeHere) ?? true) this.#add(codeHere, parts.join("/"), detail);
    }
    this.#errors += Math.max(0, other.#errors - MAX_LISTED);
    if (isWanted === undefined) this.#warnings += Math.max(0, other.#warnings - MAX_LISTED);
  }

  /** @typeParam Extra the codes of the additional checks whose findings are in the collection */
  list<Extra extends string = never>(): Finding<OcflCode | Extra>[] {
    const listed = [...this.#listed] as Finding<OcflCode | Extra>[];
    const unlisted = this.#errors + this.#warnings - listed.length;
    if (unlisted === 0) return listed;
    const code = this.#errors > 0 ? "E000" : "W000";
    return [...listed, { code, path: "", detail: `${unlisted} more findings are not listed` }];
  }

  #add(code: string, path: string, detail: string): void {
    if (this.#isExempt(code, path)) return;
    const before = isError(code) ? this.#errors++ : this.#warnings++;
    if (before < MAX_LISTED) this.#listed.push({ code, path: shortened(path), detail: shortened(detail) });
  }
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;
}
