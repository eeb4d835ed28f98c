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

/** More values than this are not repeated wherever they can be given. */
const MOST_VALUES = 12;
/** A place that no number is meant to reach: a limit of the format and not of the service. */
const ENDLESS = 2 ** 31 - 1;

/** The table of an object's members. `linkTo` says where a named schema is described. */
export function memberTable(schema: Schema, schemas: Schemas, linkTo: (name: string) => string): string {
  const { properties = {}, required = [] } = schema;
  const rows = Object.entries(properties).map(([name, member]) => [
    `\`${name}\``,
    typeOf(member, linkTo),
    required.includes(name) ? "yes" : "–",
    meaningOf(member, schemas),
  ]);
  return table(["Member", "Type", "Mandatory", "Is"], rows);
}

/** What a value is, in a few words: “list of [Author](…)”, “`json` or `cloudevents`”. */
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

/** Of what can be null, that which it is otherwise. */
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

/** Pages that a description names become links; every page that is generated lies beside them. */
function linked(text: string): string {
  return text.replaceAll(/\bdocs\/([a-z-]+\.md(?:#[a-z-]+)?)/g, (_, page: string) => `[${page}](${page})`);
}

export function nameIn(ref: string): string {
  return ref.split("/").at(-1) ?? "";
}

/** A place of a page as its address has it: what GitHub makes of a heading. */
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
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}
