import { type Code, codeIn, isError } from "./codes.ts";

/** One thing that is wrong (E…) or doubtful (W…) about an OCFL object or storage root. */
export interface Finding {
  code: Code;
  /** The file or folder, relative to what was checked; empty for the whole of it. */
  path: string;
  detail: string;
}

/** Errors and warnings named one by one, of each kind; what comes after is counted. */
const NAMED = 10_000;
/** Longer than any path; what a hostile inventory quotes may be a thousand times as long. */
const LONGEST = 4_096;

/** Collects findings in bounded memory: an object that lost a million files stays reportable. */
export class Findings {
  readonly #isExcused: (code: Code, path: string) => boolean;
  readonly #named: Finding[] = [];
  #errors = 0;
  #warnings = 0;

  /** @param isExcused tells findings that are known to be none */
  constructor(isExcused: (code: Code, path: string) => boolean = () => false) {
    this.#isExcused = isExcused;
  }

  add(code: Code, path: string, detail: string): void {
    if (this.#isExcused(code, path)) return;
    const before = isError(code) ? this.#errors++ : this.#warnings++;
    if (before < NAMED) this.#named.push({ code, path: brief(path), detail: brief(detail) });
  }

  /** How many errors there are, unnamed ones too. */
  get errors(): number {
    return this.#errors;
  }

  /**
   * Takes over what another collection has: in the words of OCFL 1.0 where those are the rules, without its warnings
   * where they say nothing new, and with paths below a folder.
   */
  take(other: Findings, how: { below?: string; specification?: string; isWanted?(code: Code): boolean } = {}): void {
    const { below = "", specification, isWanted } = how;
    for (const { code, path, detail } of other.#named) {
      const here = codeIn(specification, code);
      const parts = [below, path].filter((part) => part !== "");
      if (isWanted?.(here) ?? true) this.add(here, parts.join("/"), detail);
    }
    this.#errors += Math.max(0, other.#errors - NAMED);
    if (isWanted === undefined) this.#warnings += Math.max(0, other.#warnings - NAMED);
  }

  list(): Finding[] {
    const unnamed = this.#errors + this.#warnings - this.#named.length;
    if (unnamed === 0) return [...this.#named];
    const code = this.#errors > 0 ? "E000" : "W000";
    return [...this.#named, { code, path: "", detail: `${unnamed} more findings are not named` }];
  }
}

function brief(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
