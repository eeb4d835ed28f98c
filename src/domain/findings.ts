import type { Code, Remark } from "./problems.ts";
import { limitRemarks } from "./problems.ts";
import { mostRemarks } from "./remarks.ts";

/** Unknown names whose spelling a check compares with known ones. Honest requests have fewer. */
const MOST_COMPARED_NAMES = 20_000;

/**
 * Collects errors and warnings of a check. It starts with the schema violations. Rules then run on all members that match
 * the schema, so that one answer contains both kinds of errors.
 */
export class Findings {
  readonly #errors: Remark[];
  readonly #warnings: Remark[] = [];
  readonly #misshapen: ReadonlySet<string>;
  readonly #isIncomplete: boolean;
  #comparisons = 0;

  constructor(shapeFaults: Remark[]) {
    this.#errors = [...shapeFaults];
    this.#isIncomplete = shapeFaults.length >= mostRemarks;
    this.#misshapen = new Set(shapeFaults.map((fault) => fault.pointer));
  }

  /** At most {@link mostRemarks}. */
  get errors(): Remark[] {
    return this.#errors.slice(0, mostRemarks);
  }

  /** Limited to the number that an answer lists. */
  get warnings(): Remark[] {
    return limitRemarks(this.#warnings, "more_warnings");
  }

  /** Whether schema violations may be missing from the list. Then no value counts as sound, and no rule must run. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  /** Whether the spelling of another unknown name may be compared with known ones. Bounds the work for a hostile request. */
  comparesSpelling(): boolean {
    this.#comparisons += 1;
    return this.#comparisons <= MOST_COMPARED_NAMES;
  }

  error(pointer: string, code: Code, detail: string): void {
    this.#errors.push({ pointer, code, detail });
  }

  warn(pointer: string, code: Code, detail: string): void {
    this.#warnings.push({ pointer, code, detail });
  }

  /** Adds warnings of another check. */
  warnAll(warnings: Remark[]): void {
    // push(...warnings) could overflow the stack, because each warning becomes an argument.
    for (const warning of warnings) this.#warnings.push(warning);
  }

  /** The value, or `undefined` if it violates the schema, so that no rule runs on it. */
  sound<T>(value: T | undefined, pointer: string): T | undefined {
    return this.#misshapen.has(pointer) ? undefined : value;
  }
}
