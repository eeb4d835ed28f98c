/** How often at most subscribers are told. */
const UPDATE_MS = 250;

/** A value that changes very often, and that subscribers see a few times a second. */
export class Throttled<Value> {
  readonly #look: () => Value;
  readonly #listeners = new Set<() => void>();
  #value: Value;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param look returns the value of this moment */
  constructor(look: () => Value) {
    this.#look = look;
    this.#value = look();
  }

  /** The value that subscribers have seen last. */
  get value(): Value {
    return this.#value;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tells subscribers soon, or at once. */
  change(isUrgent: boolean): void {
    if (isUrgent) this.#tell();
    else this.#timer ??= setTimeout(() => this.#tell(), UPDATE_MS);
  }

  /** Tells nothing more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#value = this.#look();
    for (const listener of this.#listeners) listener();
  }
}
