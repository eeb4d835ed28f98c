import { givenText } from "../../../domain/blank.ts";
import { pointerTo } from "../../../domain/remarks.ts";
import { isObject } from "../../../domain/shape.ts";

/** What the values of a file share. */
interface Shared {
  /** Places of objects, for files in which a JSON pointer would not help. */
  places?: WeakMap<object, string>;
  /** The entities of linked data, by their id. */
  entities?: ReadonlyMap<string, FileValue>;
}

/**
 * A value of a parsed file, with its place for remarks. Only own members are read, so that names such as `__proto__` and
 * `constructor` have no effect. JSON-LD objects with `@value` count as their value.
 */
export class FileValue {
  readonly value: unknown;
  readonly place: string;
  readonly #shared: Shared;

  constructor(value: unknown, place = "", shared: Shared = {}) {
    this.value = value;
    this.place = place;
    this.#shared = shared;
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

  /** The entries, with the entities to which they refer in their place. */
  linked(...names: string[]): FileValue[] {
    return this.entries(...names).map((entry) => {
      const id = entry.id ?? entry.text();
      return (id === undefined ? undefined : this.#shared.entities?.get(id)) ?? entry;
    });
  }

  /** The identifier of an entity of linked data; CodeMeta 3 writes `id`. */
  get id(): string | undefined {
    return this.text("@id", "id");
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

  /** Members as texts, by their names. */
  texts<Name extends string>(...names: Name[]): Record<Name, string | undefined> {
    return Object.fromEntries(names.map((name) => [name, this.text(name)])) as Record<Name, string | undefined>;
  }

  #at(value: unknown, name: string | number): FileValue {
    const { places } = this.#shared;
    if (places === undefined) return new FileValue(value, pointerTo(this.place, name), this.#shared);
    const place = typeof value === "object" && value !== null ? places.get(value) : undefined;
    return new FileValue(value, place ?? this.place, this.#shared);
  }
}
