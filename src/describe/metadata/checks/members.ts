import { knownTerm } from "../../../../packages/rules/src/index.ts";
import { givenText } from "../../../domain/blank.ts";
import type { Findings } from "../../../domain/findings.ts";
import { pointerTo } from "../../../domain/remarks.ts";
import { isObject, unknownNames, withoutUndefined } from "../../../domain/shape.ts";
import { type SchemaName, suggestMember } from "../synonyms.ts";
import { canonicalUrl } from "../values/identifier.ts";
import { canonicalLanguage } from "../values/language.ts";
import { languageByOtherName, similarTerm } from "../values/suggestions.ts";

/** The members of one object of the metadata, read without those that violate the schema. */
export class Members<T extends object> {
  readonly #value: T;
  readonly pointer: string;
  readonly findings: Findings;

  constructor(value: T, pointer: string, findings: Findings) {
    this.#value = value;
    this.pointer = pointer;
    this.findings = findings;
  }

  at(name: keyof T & string): string {
    return pointerTo(this.pointer, name);
  }

  /** The value of a member; undefined if it violates the schema. */
  value<K extends keyof T & string>(name: K): T[K] | undefined {
    return this.findings.sound(this.#value[name], this.at(name));
  }

  /** A text without white space at its ends; undefined if it is blank. */
  text(name: keyof T & string): string | undefined {
    const value = this.value(name);
    return typeof value === "string" ? givenText(value) : undefined;
  }

  /** A text that must be given. */
  required(name: keyof T & string): string | undefined {
    const text = this.text(name);
    const isSound = this.findings.sound(true, this.at(name)) === true;
    if (text === undefined && isSound) this.findings.error(this.at(name), "required", `“${name}” is missing or empty.`);
    return text;
  }

  /** A term of a list in its canonical spelling. Other values are errors. */
  term<U extends string>(name: keyof T & string, terms: readonly U[]): U | undefined {
    const text = this.text(name);
    const known = text === undefined ? undefined : knownTerm(terms, text);
    if (text !== undefined && known === undefined) {
      const similar = similarTerm(terms, text);
      const question = similar === undefined ? "" : `Did you mean “${similar}”? `;
      this.findings.error(this.at(name), "term_unknown", `${question}The value must be one of ${terms.join(", ")}.`);
    }
    return known;
  }

  /** The canonical BCP 47 tag of a language. Other values are errors. */
  language(name: keyof T & string): string | undefined {
    const text = this.text(name);
    const language = text === undefined ? undefined : canonicalLanguage(text);
    if (text !== undefined && language === undefined) {
      const code = languageByOtherName(text);
      const question = code === undefined ? "" : ` Did you mean “${code}”?`;
      const detail = `The language is not a BCP 47 tag, an ISO 639 code or the English name of a language.${question}`;
      this.findings.error(this.at(name), "language_unknown", detail);
    }
    return language;
  }

  /** A web address in canonical form. Other values are errors. */
  address(name: keyof T & string): string | undefined {
    const text = this.text(name);
    const address = text === undefined ? undefined : canonicalUrl(text);
    if (text !== undefined && address === undefined) {
      const detail = "The value is not a web address that begins with https:// or http:// and contains no password.";
      this.findings.error(this.at(name), "address_invalid", detail);
    }
    return address;
  }

  /**
   * The results of a check of every object in a list, without those that are undefined; undefined if there are none, so
   * that an empty list counts as not given.
   */
  list<K extends keyof T & string, R>(name: K, check: (entry: Members<Entry<T[K]>>) => R | undefined): R[] | undefined {
    const value = this.value(name);
    if (!Array.isArray(value)) return undefined;
    const found = value.flatMap((entry: unknown, index) => {
      if (!isObject(entry)) return [];
      const pointer = pointerTo(this.at(name), index);
      const result = check(new Members<Entry<T[K]>>(entry as Entry<T[K]>, pointer, this.findings));
      return result === undefined ? [] : [result];
    });
    return found.length === 0 ? undefined : found;
  }

  /** The result of a check of an object; undefined if there is none. */
  object<K extends keyof T & string, R>(name: K, check: (value: Members<NonNullable<T[K]> & object>) => R) {
    const value = this.value(name);
    if (!isObject(value)) return undefined;
    return check(new Members(value as NonNullable<T[K]> & object, this.at(name), this.findings));
  }

  /**
   * Reports members that are not in the schema: an error if the name is probably misspelt, because it would be lost
   * unnoticed, and a warning otherwise.
   */
  checkUnknown(schema: { properties: object; title?: string }): void {
    for (const name of unknownNames(schema, this.#value)) {
      const pointer = pointerTo(this.pointer, name);
      const meant = suggestMember(schema.title as SchemaName, name, !this.findings.comparesSpelling());
      const question = meant === undefined ? "" : ` Did you mean “${meant.name}”?`;
      if (meant?.isMistake) {
        this.findings.error(pointer, "misspelt_member", `This field is not known.${question}`);
      } else this.findings.warn(pointer, "unknown_member", `This field is not known and has no effect.${question}`);
    }
  }
}

/** Reads one member in its normalised form; undefined if it is absent or wrong. */
type Rule<T extends object, Value> = (members: Members<T>, name: keyof T & string) => Value | undefined;

/** The rules of the members that are not plain texts. */
export type Rules<T extends object, N> = {
  [Name in keyof N & keyof T as string extends NonNullable<N[Name]> ? never : Name]-?: Rule<T, N[Name]>;
} & { [Name in keyof N & keyof T]?: Rule<T, N[Name]> };

/**
 * A check of an object of the metadata, which normalises it: its unknown members, and then each known one in the order of
 * the schema, by its rule or as a text. The result is complete if nothing was reported as an error.
 */
export function checkOf<T extends object, N extends object>(
  schema: { properties: object; title?: string },
  rules: Rules<T, N>,
): (members: Members<T>) => N {
  const ruleOf = rules as Partial<Record<string, Rule<T, unknown>>>;
  return (members) => {
    members.checkUnknown(schema);
    const names = Object.keys(schema.properties) as (keyof T & string)[];
    const values = names.map((name) => [name, (ruleOf[name] ?? plainText)(members, name)]);
    return withoutUndefined<Record<string, unknown>>(Object.fromEntries(values)) as N;
  };
}

function plainText<T extends object>(members: Members<T>, name: keyof T & string): string | undefined {
  return members.text(name);
}

/** The rules of members of one kind. */
export const required = <T extends object>(members: Members<T>, name: keyof T & string) => members.required(name);
export const language = <T extends object>(members: Members<T>, name: keyof T & string) => members.language(name);
export const address = <T extends object>(members: Members<T>, name: keyof T & string) => members.address(name);
/** @param absent what counts if the member is absent or wrong */
export function term<U extends string>(terms: readonly U[], absent?: U) {
  return <T extends object>(members: Members<T>, name: keyof T & string) => members.term(name, terms) ?? absent;
}
/** A term without which the object is wrong. */
export function requiredTerm<U extends string>(terms: readonly U[]) {
  return <T extends object>(members: Members<T>, name: keyof T & string) =>
    members.required(name) === undefined ? undefined : members.term(name, terms);
}

type Entry<L> = NonNullable<L> extends readonly (infer E)[] ? E & object : never;
