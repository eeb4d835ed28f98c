import { givenText } from "../../../domain/blank.ts";
import { pointerTo } from "../../../domain/remarks.ts";

/**
 * A value of a parsed file, with its place for remarks. Only own members are read, so that names such as `__proto__` and
 * `constructor` have no effect. JSON-LD objects with `@value` count as their value.
 */
export class FileValue {
  readonly value: unknown;
  readonly place: string;
  readonly #places: WeakMap<object, string> | undefined;

  /** @param places places of objects, for files in which a JSON pointer would not help */
  constructor(value: unknown, place = "", places?: WeakMap<object, string>) {
    this.value = value;
    this.place = place;
    this.#places = places;
  }

  get isObject(): boolean {
    return isObject(this.value);
  }

  /** The first of the members that is given. */
  member(...names: string[]): FileValue | undefined {
    for (const name of names) {
      const member = isObject(this.value) && Object.hasOwn(this.value, name) ? this.value[name] : undefined;
      if (member !== undefined && member !== null && member !== "") return this.#at(member, name);
    }
    return undefined;
  }

  /** The entries of the first of the members that is given. A value that is not a list counts as a list of one entry. */
  entries(...names: string[]): FileValue[] {
    return this.member(...names)?.asList() ?? [];
  }

  asList(): FileValue[] {
    if (!Array.isArray(this.value)) return [this];
    return this.value
      .map((entry: unknown, index) => this.#at(entry, index))
      .filter(({ value }) => value !== null && value !== "");
  }

  /**
   * A member as text, or with no name the value itself; of a list, its first entry. Undefined if it is blank, an object or
   * not given.
   */
  text(...names: string[]): string | undefined {
    const [first] = names.length === 0 ? this.asList() : this.entries(...names);
    const value = first?.member("@value")?.value ?? first?.value;
    if (typeof value === "string") return givenText(value);
    return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  }

  #at(value: unknown, name: string | number): FileValue {
    if (this.#places === undefined) return new FileValue(value, pointerTo(this.place, name));
    const place = typeof value === "object" && value !== null ? this.#places.get(value) : undefined;
    return new FileValue(value, place ?? this.place, this.#places);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
