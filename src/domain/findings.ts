import type { Code, Remark } from "./problems.ts";
import { limitRemarks } from "./problems.ts";
import { mostRemarks } from "./shape.ts";

/**
 * What a check finds. It starts with the faults of shape, so that every rule can still run on the members whose shape
 * is right and one answer names shape faults and rule faults together.
 */
export class Findings {
  readonly #errors: Remark[];
  readonly #warnings: Remark[] = [];
  readonly #misshapen: ReadonlySet<string>;
  readonly #isIncomplete: boolean;

  constructor(shapeFaults: Remark[]) {
    this.#errors = [...shapeFaults];
    this.#isIncomplete = shapeFaults.length >= mostRemarks;
    this.#misshapen = new Set(shapeFaults.map((fault) => fault.pointer));
  }

  /** At most {@link mostRemarks}. */
  get errors(): Remark[] {
    return this.#errors.slice(0, mostRemarks);
  }

  /** As an answer lists them. */
  get warnings(): Remark[] {
    return limitRemarks(this.#warnings, "more_warnings");
  }

  /** Whether faults of shape may be missing: then no value counts as sound, and no rule is to look at any. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  error(pointer: string, code: Code, detail: string): void {
    this.#errors.push({ pointer, code, detail });
  }

  warn(pointer: string, code: Code, detail: string): void {
    this.#warnings.push({ pointer, code, detail });
  }

  /** Takes over warnings that were found elsewhere. */
  warnAll(warnings: Remark[]): void {
    // Not push(...warnings): ten thousand arguments a call, ten thousand times, is no way to treat a stack.
    for (const warning of warnings) this.#warnings.push(warning);
  }

  /** The value, or `undefined` where its shape is wrong, so that no rule looks at it. */
  sound<T>(value: T | undefined, pointer: string): T | undefined {
    return this.#misshapen.has(pointer) ? undefined : value;
  }
}
