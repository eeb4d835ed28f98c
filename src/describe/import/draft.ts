import { catalogue, type Remark } from "../../domain/problems.ts";
import { checkMetadata } from "../metadata/check.ts";
import type { Metadata } from "../metadata/schema.ts";
import { entryKey, merged } from "./entries.ts";
import type { Imported, ImportRemark } from "./imported.ts";
import { isList, lengthLimit, mostOf } from "./limits.ts";
import { isPlaceholder } from "./placeholders.ts";
import type { FileValue } from "./reading/file-value.ts";
import { cutAtWord } from "./reading/text.ts";

/** Limits of all values together. They are below those of `checkMetadata`: 4 MiB and 200,000 values. */
const MAX_BYTES = 3 * 2 ** 20;
const MAX_VALUES = 150_000;
const MAX_REMARKS = 100;

type ListMember = {
  [K in keyof Metadata]-?: NonNullable<Metadata[K]> extends readonly unknown[] ? K : never;
}[keyof Metadata];
type SingleMember = Exclude<keyof Metadata, ListMember>;
type TextMember = { [K in SingleMember]: NonNullable<Metadata[K]> extends string ? K : never }[SingleMember];

/** Where the file states a value: a place, or what has one. */
type At = string | { readonly place: string } | undefined;

/** A value in which each member can be undefined, which means “not given”. */
type Loose<T> = T extends readonly (infer E)[]
  ? Loose<E>[]
  : T extends object
    ? { [K in keyof T]?: Loose<T[K]> }
    : T | undefined;

/** A member, or an entry of a member that is a list. */
interface Item {
  member: keyof Metadata;
  value: unknown;
  place: string;
  /** Why the value, or a part of it, is not used. */
  problem?: string;
  isDropped?: true;
}

/** Collects the values that a parser finds, and the remarks. */
export class Draft {
  readonly #items: Item[] = [];
  readonly #remarks: ImportRemark[] = [];
  /** Entries by what identifies them, because each is used only once. */
  readonly #known = new Map<string, Item>();
  readonly #counts = new Map<string, number>();
  #bytes = 0;
  #values = 0;
  #isFull = false;

  /** Sets a member that is not a list, unless it is already set. Undefined has no effect. */
  set<K extends SingleMember>(member: K, at: At, value: Loose<Metadata[K]> | undefined): void {
    if (!this.has(member)) this.#append(member, value, placeOf(at));
  }

  /** Sets a member to the text of a value of the file, as {@link Draft.set}. */
  setText(member: TextMember, found: FileValue | undefined): void {
    this.set(member, found, found?.text());
  }

  /** Adds an entry to a list. Undefined, and an entry that is already in the list, have no effect. */
  add<K extends ListMember>(member: K, at: At, entry: Loose<NonNullable<Metadata[K]>[number]> | undefined): void {
    this.#append(member, entry, placeOf(at));
  }

  /** Appends a paragraph to a text, or sets it. */
  extend(member: "acknowledgements", place: string, paragraph: string): void {
    const item = this.#items.find((one) => one.member === member);
    if (item === undefined) this.set(member, place, paragraph);
    else if (!String(item.value).includes(paragraph)) {
      item.value = this.#shortened(member, `${item.value}\n${paragraph}`, place);
    }
  }

  /** The value that was found for a member that is not a list. */
  stated(member: SingleMember): unknown {
    return this.#items.find((one) => one.member === member)?.value;
  }

  /** Whether a value was found for the member. */
  has(member: keyof Metadata): boolean {
    return this.#counts.has(member);
  }

  /** Whether another entry of a list, or a remark that there are too many, can have an effect. */
  isOpen(member: ListMember): boolean {
    return !this.#isFull && (this.#counts.get(member) ?? 0) <= mostOf(member);
  }

  remark(at: At, message: string): void {
    if (this.#remarks.length < MAX_REMARKS) this.#remarks.push({ place: placeOf(at), message });
  }

  /** The values that `checkMetadata` accepts, with a remark about each value that it does not accept. */
  finish(): Imported {
    let values = this.#collect();
    // A value that is removed can make its entry incomplete, which the next check reports.
    for (let errors = errorsOf(values); errors.length > 0; errors = errorsOf(values)) {
      this.#remove(errors);
      values = this.#collect();
    }
    for (const { member, problem, isDropped, place } of this.#items) {
      const what = isDropped && isList(member) ? "entry" : "value";
      if (problem !== undefined) this.remark(place, `${problem} The ${what} is not used.`);
    }
    return { values, remarks: this.#remarks };
  }

  #append(member: keyof Metadata, stated: unknown, place: string): void {
    // Further values cost no time. A file can refer to one large value very often.
    if (this.#isFull || (this.#counts.get(member) ?? 0) > mostOf(member)) return;
    const value = withoutAbsent(this.#usable(member, TITLES.has(member) ? inOneLine(stated) : stated, place));
    if (value === undefined) return;
    const json = JSON.stringify(value);
    const key = entryKey(member, value);
    const known = this.#known.get(key);
    const together = known && merged(known.value, value);
    if (known !== undefined && together !== undefined) {
      known.value = together;
      return;
    }
    const count = (this.#counts.get(member) ?? 0) + 1;
    const maxItems = mostOf(member);
    this.#bytes += Buffer.byteLength(json);
    this.#values += valuesIn(value);
    this.#counts.set(member, count);
    if (count > maxItems) {
      if (count === maxItems + 1)
        this.remark(place, `Only ${maxItems.toLocaleString("en")} values of “${member}” are used.`);
      return;
    }
    if (this.#bytes > MAX_BYTES || this.#values > MAX_VALUES) {
      this.remark(place, "The file has too many or too long values. The others are not used.");
      this.#isFull = true;
      return;
    }
    const item = { member, value, place };
    if (known === undefined) this.#known.set(key, item);
    this.#items.push(item);
  }

  /** The value without placeholders, and with long texts cut, both with remarks. */
  #usable(member: keyof Metadata, stated: unknown, place: string, name: string = member): unknown {
    if (typeof stated === "string") {
      if (!isPlaceholder(member, name, stated)) return this.#shortened(member, stated, place, name);
      this.remark(place, "The text only holds the place of a value. It is not used.");
      return undefined;
    }
    if (typeof stated !== "object" || stated === null) return stated;
    if (Array.isArray(stated)) return stated.map((entry) => this.#usable(member, entry, place, name));
    const members = Object.entries(stated);
    return Object.fromEntries(members.map(([inner, value]) => [inner, this.#usable(member, value, place, inner)]));
  }

  #shortened(member: keyof Metadata, text: string, place: string, name: string = member): string {
    const limit = lengthLimit(member, name);
    if (limit === undefined || text.length <= limit) return text;
    this.remark(place, `The text is longer than ${limit.toLocaleString("en")} characters and is cut.`);
    return cutAtWord(text, limit);
  }

  #collect(): Partial<Metadata> {
    return Object.fromEntries(
      [...this.#groups()].map(([member, items]) => {
        const values = items.map(({ value }) => value);
        return [member, isList(member) ? values : values[0]];
      }),
    );
  }

  #groups(): Map<keyof Metadata, Item[]> {
    return Map.groupBy(
      this.#items.filter(({ isDropped }) => !isDropped),
      ({ member }) => member,
    );
  }

  #remove(errors: Remark[]): void {
    const groups = this.#groups();
    for (const { pointer, code } of errors) {
      const [member = "", ...path] = pointer.split("/").slice(1);
      const items = groups.get(member as keyof Metadata) ?? [];
      const item = items[isList(member) ? Number(path.shift()) : 0];
      if (item === undefined) throw new Error(`A check refused a value that was not read: ${code}.`);
      item.problem ??= `“${path.at(-1) ?? member}”: ${catalogue[code].title}.`;
      if (!removed(item.value, path)) item.isDropped = true;
    }
  }
}

/** Members with titles, which some formats write in several lines. */
const TITLES: ReadonlySet<keyof Metadata> = new Set(["title", "titles"]);

function inOneLine(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\s+/g, " ");
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inOneLine(member)]));
}

function placeOf(at: At): string {
  return typeof at === "string" ? at : (at?.place ?? "");
}

/** Errors of the values alone: whether title and creators are complete depends on the other files and the submitter. */
function errorsOf(values: Partial<Metadata>): Remark[] {
  const whole = { title: "Title", authors: [{ role: "Creator", lastName: "Carberry" }], ...values };
  return checkMetadata(whole, { base: "" }).errors.filter(({ code }) => code !== "creator_required");
}

/**
 * Removes the member at a path or, if it is missing or an entry of a list, the object that contains it. Returns whether
 * something of the value is left.
 */
function removed(value: unknown, path: readonly string[]): boolean {
  if (path.length === 0) return false;
  const around = path.slice(0, -1);
  const name = path.at(-1) ?? "";
  const object = around.reduce<unknown>((outer, step) => (outer as Record<string, unknown> | undefined)?.[step], value);
  // An earlier error removed the object.
  if (typeof object !== "object" || object === null) return true;
  if (Array.isArray(object) || !Object.hasOwn(object, name)) return removed(value, around);
  delete (object as Record<string, unknown>)[name];
  return true;
}

/** A copy without members that are undefined, and without empty objects and lists. */
function withoutAbsent(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const entries = value.map(withoutAbsent).filter((entry) => entry !== undefined);
    return entries.length === 0 ? undefined : entries;
  }
  const members = Object.entries(value)
    .map(([name, member]) => [name, withoutAbsent(member)])
    .filter(([, member]) => member !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + valuesIn(member), 1);
}
