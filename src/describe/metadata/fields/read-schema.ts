import { RE2JS } from "re2js";
import { pointerTo } from "../../../domain/remarks.ts";
import { isObject, withoutUndefined } from "../../../domain/shape.ts";
import type { Choice, Field, FieldGroup, FieldTexts, FieldValue, Translations } from "./field.ts";
import { repeatedMember } from "./repeated-member.ts";
import { contradictionIn } from "./satisfiable.ts";

/** Maximum size of a schema file, in bytes. It is archived with every dataset that has values for it. */
export const MOST_SCHEMA_BYTES = 64 * 2 ** 10;

const MOST_FIELDS = 500;
const DEEPEST = 5;
const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const LANGUAGE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;
/** Limits of values for which the schema states none. */
const DEFAULTS = { maxLength: 10_000, maxItems: 1_000 };
const LONGEST_PATTERN = 500;

/** A schema that cannot be used. `pointer` is the place in the file (RFC 6901); empty for the whole file. */
export class InvalidFieldSchema extends Error {
  readonly pointer: string;

  constructor(pointer: string, detail: string) {
    super(detail);
    this.name = "InvalidFieldSchema";
    this.pointer = pointer;
  }
}

function refuse(pointer: string, detail: string): never {
  throw new InvalidFieldSchema(pointer, detail);
}

type Schema = Record<string, unknown>;

/** A schema, its place in the file, and what its place requires. */
interface Place {
  schema: Schema;
  pointer: string;
  depth: number;
}

const ANNOTATIONS = ["title", "description", "x-titles", "x-descriptions", "$comment", "examples", "type"];
const KEYWORDS: Record<FieldValue["type"], readonly string[]> = {
  text: ["enum", "oneOf", "format", "minLength", "maxLength", "pattern"],
  number: ["enum", "oneOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "x-unit"],
  integer: ["enum", "oneOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "x-unit"],
  boolean: [],
  list: ["items", "minItems", "maxItems", "uniqueItems"],
  group: ["properties", "required", "additionalProperties"],
};
const TYPES: Record<string, FieldValue["type"]> = {
  string: "text",
  number: "number",
  integer: "integer",
  boolean: "boolean",
  array: "list",
  object: "group",
};

/**
 * Reads a group of fields from the text of a schema file: a subset of JSON Schema 2020-12 (docs/how-to/own-fields.md). What
 * is not in the subset is refused instead of ignored, because a rule that is silently not applied would be believed.
 *
 * @param name of the group
 * @throws InvalidFieldSchema with the place in the file
 */
export function readFieldSchema(name: string, text: string): FieldGroup {
  const root = { schema: parsed(text), pointer: "", depth: 1 };
  return new Reader(root.schema).group(name, root, text);
}

function parsed(text: string): Schema {
  if (Buffer.byteLength(text) > MOST_SCHEMA_BYTES) {
    refuse("", `The file has more than ${MOST_SCHEMA_BYTES / 2 ** 10} KiB.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    refuse("", `The file is not JSON: ${error.message}.`);
  }
  const repeated = repeatedMember(text);
  if (repeated !== undefined) refuse(repeated, "The file has two values of this name.");
  return objectAt(value, "");
}

class Reader {
  readonly #definitions: Schema;
  #fields = 0;

  constructor(root: Schema) {
    this.#definitions = root.$defs === undefined ? {} : objectAt(root.$defs, "/$defs");
  }

  group(name: string, root: Place, text: string): FieldGroup {
    const { schema } = root;
    const dialect = schema.$schema;
    if (dialect !== undefined && !(typeof dialect === "string" && DIALECT.test(dialect))) {
      refuse("/$schema", "Only JSON Schema 2020-12 is supported.");
    }
    const { fields = [], type } = this.#value(root, ["$schema", "$id", "$defs", "x-required"]);
    if (type !== "group") refuse("/type", "The type of the whole schema must be “object”.");
    if (fields.length === 0) refuse("/properties", "The schema has no fields.");
    return { name, ...textsOf(root, name), required: flag(root, "x-required"), fields, schema: text };
  }

  /** @param further keywords that are allowed here besides those of the type */
  #value(place: Place, further: readonly string[]): FieldValue {
    const { schema, pointer, depth } = place;
    if (depth > DEEPEST) refuse(pointer, `Groups and lists are nested more than ${DEEPEST} deep.`);
    const type = typeof schema.type === "string" && Object.hasOwn(TYPES, schema.type) ? TYPES[schema.type] : undefined;
    if (type === undefined) {
      refuse(pointerTo(pointer, "type"), `The type must be one of ${Object.keys(TYPES).join(", ")}.`);
    }
    const known = [...ANNOTATIONS, ...KEYWORDS[type], ...further];
    const unknown = Object.keys(schema).find((keyword) => !known.includes(keyword));
    if (unknown !== undefined) {
      const detail = `“${unknown}” is not supported for the type “${schema.type}”.`;
      refuse(pointerTo(pointer, unknown), detail);
    }
    const value = this.#limits(type, place);
    if (type === "list") return possible({ ...value, items: this.#items(place) }, place);
    if (type === "group") return { ...value, fields: this.#members(place) };
    return possible(value, place);
  }

  #limits(type: FieldValue["type"], place: Place): FieldValue {
    if (type === "text") {
      const choices = choicesOf(place, "string");
      const lengths = interval(place, "minLength", "maxLength");
      const limits = { ...(choices === undefined && { maxLength: DEFAULTS.maxLength }), ...lengths };
      const others = { choices, pattern: patternOf(place), format: formatOf(place) };
      return { type, ...limits, ...withoutUndefined<Pick<FieldValue, keyof typeof others>>(others) };
    }
    if (type === "number" || type === "integer") {
      const choices = choicesOf(place, "number");
      const others = { choices, unit: textAt(place, "x-unit") };
      const limits = numbersAt(place, "exclusiveMinimum", "exclusiveMaximum", "minimum", "maximum");
      return { type, ...limits, ...withoutUndefined<Pick<FieldValue, keyof typeof others>>(others) };
    }
    if (type === "list") {
      const uniqueItems = flag(place, "uniqueItems");
      const limits = interval(place, "minItems", "maxItems");
      return { type, maxItems: DEFAULTS.maxItems, ...limits, ...(uniqueItems && { uniqueItems }) };
    }
    return { type };
  }

  #items(place: Place): FieldValue {
    const pointer = pointerTo(place.pointer, "items");
    if (place.schema.items === undefined) refuse(pointer, "A list needs “items”.");
    return this.#value(this.#resolved(place.schema.items, pointer, place.depth + 1), []);
  }

  #members(place: Place): Field[] {
    const { schema, pointer, depth } = place;
    if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
      const at = pointerTo(pointer, "additionalProperties");
      refuse(at, "Only “false” is supported: other fields are always refused.");
    }
    const properties = objectAt(schema.properties ?? {}, pointerTo(pointer, "properties"));
    const required = requiredOf(place, properties);
    return Object.entries(properties).map(([name, sent]) => {
      const at = pointerTo(pointer, "properties", name);
      this.#fields += 1;
      if (this.#fields > MOST_FIELDS) refuse(at, `The schema has more than ${MOST_FIELDS} fields.`);
      // Every object of JavaScript seems to have a member “constructor”, and some clients would show it.
      if (!FIELD_NAME.test(name) || name in {}) {
        const detail =
          "A field’s name must begin with a letter and have at most 64 letters, digits, “_” and “-”; “constructor” and similar names are reserved.";
        refuse(at, detail);
      }
      const member = this.#resolved(sent, at, depth + 1);
      const value = this.#value(member, ["x-variable"]);
      const variable = flag(member, "x-variable");
      if (variable && value.type !== "text" && value.items?.type !== "text") {
        refuse(pointerTo(at, "x-variable"), "Only texts and lists of texts name variables.");
      }
      return { name, ...textsOf(member, name), required: required.includes(name), variable, ...value };
    });
  }

  /** A schema, or the definition that it refers to. Texts beside the reference replace those of the definition. */
  #resolved(sent: unknown, pointer: string, depth: number, seen: readonly string[] = []): Place {
    const schema = objectAt(sent, pointer);
    const reference = schema.$ref;
    if (reference === undefined) return { schema, pointer, depth };
    const at = pointerTo(pointer, "$ref");
    const name = typeof reference === "string" ? /^#\/\$defs\/([^/~%]+)$/.exec(reference)?.[1] : undefined;
    if (name === undefined || !Object.hasOwn(this.#definitions, name)) {
      refuse(at, "The reference is not “#/$defs/” and the name of a definition of this file.");
    }
    if (seen.includes(name)) refuse(at, "The definition refers to itself.");
    const { $ref: _, ...beside } = schema;
    const definition = this.#resolved(this.#definitions[name], pointerTo("", "$defs", name), depth, [...seen, name]);
    return { ...definition, schema: { ...definition.schema, ...beside } };
  }
}

/** Refuses rules that no value satisfies: a form with such a field could never be sent. */
function possible(value: FieldValue, { schema, pointer }: Place): FieldValue {
  const { place, detail } = contradictionIn(value) ?? {};
  if (place === undefined || detail === undefined) return value;
  const [keyword, index] = place;
  const names = keyword === "choices" ? [schema.enum === undefined ? "oneOf" : "enum", index ?? 0] : [keyword];
  refuse(pointerTo(pointer, ...names), detail);
}

function textsOf(place: Place, name: string): FieldTexts {
  const description = textAt(place, "description");
  const [title = name, titles] = [textAt(place, "title"), translations(place, "x-titles")];
  const descriptions = translations(place, "x-descriptions");
  return { title, titles, ...(description !== undefined && { description }), descriptions };
}

function translations({ schema, pointer }: Place, keyword: string): Translations {
  if (schema[keyword] === undefined) return {};
  const at = pointerTo(pointer, keyword);
  for (const [language, text] of Object.entries(objectAt(schema[keyword], at))) {
    if (LANGUAGE.test(language) && isText(text)) continue;
    refuse(pointerTo(at, language), "A translation is a text under a language tag such as “de”.");
  }
  return schema[keyword] as Translations;
}

/** The values of `enum`, or of `oneOf` with a `const` each, which can have titles. */
function choicesOf(place: Place, type: "string" | "number"): Choice[] | undefined {
  const { schema, pointer } = place;
  if (schema.enum === undefined && schema.oneOf === undefined) return undefined;
  const keyword = schema.enum === undefined ? "oneOf" : "enum";
  if (schema.enum !== undefined && schema.oneOf !== undefined) {
    refuse(pointerTo(pointer, "oneOf"), "A field cannot have both “enum” and “oneOf”.");
  }
  const at = pointerTo(pointer, keyword);
  const sent = schema[keyword];
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > 1_000) {
    refuse(at, "The value must be a list of 1 to 1,000 values.");
  }
  const choices = sent.map((one: unknown, index): Choice => {
    const entry = pointerTo(at, index);
    const { value, ...texts } =
      keyword === "enum" ? { value: one, title: undefined, titles: {} } : choiceOf(one, entry);
    const isSound = type === "string" ? isText(value) && value.trim() === value : Number.isFinite(value);
    if (!isSound) {
      refuse(entry, `The value must be a ${type}${type === "string" ? " without spaces at its ends" : ""}.`);
    }
    return { value: value as string | number, title: texts.title ?? String(value), titles: texts.titles };
  });
  const repeated = choices.findIndex(({ value }, index) => choices.findIndex((other) => other.value === value) < index);
  if (repeated >= 0) refuse(pointerTo(at, repeated), "The value is already in the list.");
  return choices;
}

function choiceOf(one: unknown, pointer: string) {
  const place = { schema: objectAt(one, pointer), pointer, depth: 0 };
  const unknown = Object.keys(place.schema).find((name) => !["const", "title", "x-titles", "$comment"].includes(name));
  if (unknown !== undefined) {
    refuse(pointerTo(pointer, unknown), "An entry of “oneOf” can have “const”, “title” and “x-titles”.");
  }
  return { value: place.schema.const, title: textAt(place, "title"), titles: translations(place, "x-titles") };
}

function patternOf(place: Place): string | undefined {
  const pattern = textAt(place, "pattern");
  const pointer = pointerTo(place.pointer, "pattern");
  if (pattern === undefined) return undefined;
  if (pattern.length > LONGEST_PATTERN) {
    refuse(pointer, `A pattern can have at most ${LONGEST_PATTERN} characters.`);
  }
  try {
    RE2JS.compile(pattern);
  } catch (error) {
    // The library's errors have names, but no common class.
    const reason = error instanceof Error ? error.message : String(error);
    refuse(pointer, `The pattern is not a regular expression of RE2: ${reason}.`);
  }
  return pattern;
}

function formatOf({ schema, pointer }: Place): FieldValue["format"] {
  const { format } = schema;
  if (format === undefined || format === "date" || format === "uri" || format === "email") return format;
  refuse(pointerTo(pointer, "format"), "The format must be one of date, uri, email.");
}

function requiredOf({ schema, pointer }: Place, properties: Schema): string[] {
  const { required = [] } = schema;
  const at = pointerTo(pointer, "required");
  if (!Array.isArray(required)) refuse(at, "The value must be a list of names.");
  const unknown = required.findIndex((name) => typeof name !== "string" || !Object.hasOwn(properties, name));
  if (unknown >= 0) refuse(pointerTo(at, unknown), "There is no field of this name.");
  return required as string[];
}

/** Two whole numbers from 0 on. */
function interval<K extends string>(place: Place, least: K, most: K): Partial<Record<K, number>> {
  const limits = numbersAt(place, least, most);
  for (const [keyword, limit] of Object.entries<number | undefined>(limits)) {
    if (Number.isSafeInteger(limit) && Number(limit) >= 0 && Number(limit) <= 100_000) continue;
    refuse(pointerTo(place.pointer, keyword), "The value must be a whole number from 0 to 100,000.");
  }
  return limits;
}

/** Those of the keywords that the schema has. */
function numbersAt<K extends string>({ schema, pointer }: Place, ...keywords: K[]): Partial<Record<K, number>> {
  const stated = keywords.filter((keyword) => schema[keyword] !== undefined);
  const wrong = stated.find((keyword) => !Number.isFinite(schema[keyword]));
  if (wrong !== undefined) refuse(pointerTo(pointer, wrong), "The value must be a number.");
  return Object.fromEntries(stated.map((keyword) => [keyword, schema[keyword]])) as Partial<Record<K, number>>;
}

function flag({ schema, pointer }: Place, keyword: string): boolean {
  const value = schema[keyword] ?? false;
  if (typeof value === "boolean") return value;
  refuse(pointerTo(pointer, keyword), "The value must be true or false.");
}

function textAt({ schema, pointer }: Place, keyword: string): string | undefined {
  const value = schema[keyword];
  if (value === undefined || isText(value)) return value;
  refuse(pointerTo(pointer, keyword), "The value must be a text of 1 to 2,000 characters.");
}

function isText(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.trim() !== "" &&
    value.length <= 2_000 &&
    !value.includes("\0") &&
    value.isWellFormed()
  );
}

function objectAt(value: unknown, pointer: string): Schema {
  if (isObject(value)) return value;
  refuse(pointer, "The value must be an object.");
}
