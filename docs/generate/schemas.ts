import { table } from "./table.ts";

/** The parts of a JSON Schema that the API's description uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

export type Schemas = Record<string, Schema>;

/** A list of more values is not repeated at each member. */
const MOST_VALUES = 12;
/** A maximum from here on is a limit of the format, not of the service, and is not shown. */
const ENDLESS = 2 ** 31 - 1;

/** A list of values in a description, which would make the whole table as wide as itself. */
const LONG_LIST = /One of ((?:`[^`]+`(?:, )?){9,})\./;

/** The table of an object's members, and long lists of their values below it. `linkTo` returns the address of a named schema. */
export function memberTable(
  schema: Schema,
  schemas: Schemas,
  linkTo: (name: string) => string,
  nameOfMembers = "Member",
): string {
  const { properties = {}, required = [] } = schema;
  const lists: string[] = [];
  const rows = Object.entries(properties).map(([name, member]) => {
    const meaning = meaningOf(member, schemas);
    const [, values] = LONG_LIST.exec(meaning) ?? [];
    if (values !== undefined) lists.push(`- **Values of \`${name}\`**: ${values}.`);
    const shown = values === undefined ? meaning : meaning.replace(LONG_LIST, "One of the values below.");
    return [`\`${name}\``, typeOf(member, linkTo), required.includes(name) ? "yes" : "–", shown];
  });
  const whole = table([nameOfMembers, "Type", "Required", "Description"], rows);
  return lists.length === 0 ? whole : `${whole}\n\n${lists.join("\n")}`;
}

/** The type of a value in a few words: “list of [Author](…)”, “`json` or `cloudevents`”. */
export function typeOf(schema: Schema, linkTo: (name: string) => string): string {
  const { $ref, anyOf, items, type, format } = schema;
  if ($ref !== undefined) return `[${nameIn($ref)}](${linkTo(nameIn($ref))})`;
  if (anyOf !== undefined) return inWords([...new Set(anyOf.map((one) => typeOf(one, linkTo)))], "or");
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  if (values.length > 0 && values.length <= MOST_VALUES) return inWords(values.map(code), "or");
  if (type === "array") return items === undefined ? "list" : `list of ${typeOf(items, linkTo)}`;
  const kinds: Record<string, string> = { uuid: "UUID", "date-time": "time (ISO 8601)", uri: "URL" };
  return kinds[format ?? ""] ?? (type === undefined ? "anything" : type);
}

/** The description with limits, default and an example, in sentences. */
export function meaningOf(schema: Schema, schemas: Schemas): string {
  const text = descriptionOf(schema, schemas);
  const given = sentOf(schema);
  const [example] = given.enum === undefined && given.default === undefined ? (given.examples ?? []) : [];
  return [
    text === "" ? "" : linked(text),
    ...limitsOf(given),
    given.default === undefined ? "" : `Default: ${code(given.default)}.`,
    example === undefined ? "" : `Example: ${code(example)}.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** The other schema of a value that can be null. */
function sentOf(schema: Schema): Schema {
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
  return only !== undefined && others.length === 0 ? { ...only, ...schema } : schema;
}

function descriptionOf(schema: Schema, schemas: Schemas): string {
  const { $ref, description, anyOf = [] } = schema;
  if (description !== undefined) return description;
  if ($ref !== undefined) return schemas[nameIn($ref)]?.description ?? "";
  return anyOf.map((one) => descriptionOf(one, schemas)).find((text) => text !== "") ?? "";
}

function limitsOf({ type, minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string[] {
  const sentences: string[] = [];
  const number = (value: number) => value.toLocaleString("en");
  const most = maximum !== undefined && maximum < ENDLESS ? number(maximum) : undefined;
  if (most !== undefined) sentences.push(`${minimum === undefined ? "At most" : `${minimum} to`} ${most}.`);
  else if (type === "integer" && (minimum ?? 0) > 0) sentences.push(`At least ${minimum}.`);
  if ((minLength ?? 0) > 0 || (minItems ?? 0) > 0) sentences.push("Not empty.");
  if (maxLength !== undefined) sentences.push(`At most ${number(maxLength)} characters.`);
  if (maxItems !== undefined) sentences.push(`At most ${number(maxItems)} entries.`);
  return sentences;
}

/** Makes links of pages in docs/ that a description names. Generated pages are in the same folder. */
function linked(text: string): string {
  return text.replaceAll(/\bdocs\/([a-z-]+\.md(?:#[a-z-]+)?)/g, (_, page: string) => `[${page}](${page})`);
}

export function nameIn(ref: string): string {
  return ref.split("/").at(-1) ?? "";
}

/** The anchor of a heading as GitHub generates it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

export function inWords(items: string[], word = "and"): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
}

function code(value: unknown): string {
  return `\`${typeof value === "string" && value !== "" ? value : JSON.stringify(value)}\``;
}
