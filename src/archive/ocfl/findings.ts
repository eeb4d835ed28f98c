/** One thing that is wrong (E…) or doubtful (W…) about an OCFL object or storage root. */
export interface Finding {
  /** The code of the OCFL 1.1 validation codes that fits best. */
  code: string;
  /** The file or folder, relative to what was checked; empty for the whole of it. */
  path: string;
  detail: string;
}

/** Findings named one by one; what comes after is counted. An object that lost a million files stays reportable. */
const NAMED = 10_000;

/** Collects findings in bounded memory. */
export class Findings {
  readonly #isExcused: (code: string, path: string) => boolean;
  readonly #named: Finding[] = [];
  #unnamed = 0;
  #errors = 0;

  /** @param isExcused tells findings that are known to be none */
  constructor(isExcused: (code: string, path: string) => boolean = () => false) {
    this.#isExcused = isExcused;
  }

  add(code: string, path: string, detail: string): void {
    if (this.#isExcused(code, path)) return;
    if (code.startsWith("E")) this.#errors += 1;
    if (this.#named.length < NAMED) this.#named.push({ code, path, detail });
    else this.#unnamed += 1;
  }

  /** How many errors (not warnings) there are, unnamed ones too. */
  get errors(): number {
    return this.#errors;
  }

  list(): Finding[] {
    if (this.#unnamed === 0) return [...this.#named];
    const code = this.#errors > 0 ? "E000" : "W000";
    return [...this.#named, { code, path: "", detail: `${this.#unnamed} more findings are not named` }];
  }
}
