import { metadataSections } from "./metadata-sections.ts";
import { anchorOf, inWords, meaningOf, memberTable, nameIn, type Schema, type Schemas, typeOf } from "./schemas.ts";
import { generated, table } from "./table.ts";

/** Schemas that other pages describe. */
const elsewhere: Record<string, string> = {
  Metadata: "metadata.md#the-dataset",
  ...Object.fromEntries(metadataSections.map(({ schema, title }) => [schema, `metadata.md#${anchorOf(title)}`])),
  ProblemCode: "errors.md",
};

/** The address of a named schema, for pages in docs/. */
export function schemaAddress(name: string): string {
  return elsewhere[name] ?? `schemas.md#${anchorOf(name)}`;
}

/** docs/schemas.md: every named schema of requests and responses. */
export function schemasPage(schemas: Schemas): string {
  const branches = new Set(Object.values(schemas).flatMap((schema) => branchesOf(schema)));
  const names = Object.keys(schemas).filter((name) => elsewhere[name] === undefined && !branches.has(name));
  const sections = names.map((name) => `## ${name}\n\n${sectionOf(schemas[name] ?? {}, schemas)}`);
  return `${generated("the API’s description")}

# Requests and responses

For developers of clients. This page lists the members of all request and response bodies of [the API](api.md).
[Metadata](metadata.md) and [error codes](errors.md) are described separately.

- Required members must be sent in requests and are always present in responses. Later versions can add members to responses.
- Unknown members of requests are refused (\`unknown_member\`). Unknown members of metadata, authors and \`s3Access\` are kept with
  a warning, unless they look misspelt.
- In requests \`""\` and \`null\` mean that a member is not set.

${names.map((name) => `[${name}](#${anchorOf(name)})`).join(" · ")}

${sections.join("\n\n")}
`;
}

function sectionOf(schema: Schema, schemas: Schemas): string {
  const said = meaningOf(schema, schemas);
  const parts = said === "" ? [] : [said];
  if (schema.properties !== undefined) parts.push(memberTable(schema, schemas, linkHere));
  else if (schema.enum !== undefined)
    parts.push(
      `One of ${inWords(
        schema.enum.map((value) => `\`${value}\``),
        "or",
      )}.`,
    );
  else if (schema.anyOf !== undefined) parts.push(...unionOf(schema, schemas));
  return parts.join("\n\n");
}

/** A union of objects: the common members, then the differences. */
function unionOf(schema: Schema, schemas: Schemas): string[] {
  const objects = branchesOf(schema).map((name) => schemas[name] ?? {});
  const [first = {}, ...others] = objects.map(({ properties = {} }) => properties);
  const isCommon = (name: string) => others.every((one) => JSON.stringify(one[name]) === JSON.stringify(first[name]));
  const [common, different] = [
    Object.keys(first).filter(isCommon),
    Object.keys(first).filter((name) => !isCommon(name)),
  ];
  const shared = Object.fromEntries(common.map((name) => [name, first[name] ?? {}]));
  const rows = objects.map(({ properties = {} }) => different.map((name) => differenceOf(properties[name] ?? {})));
  return [
    memberTable({ properties: shared, required: common }, schemas, linkHere),
    table(
      different.map((name) => `\`${name}\``),
      rows,
    ),
  ];
}

function differenceOf(schema: Schema): string {
  return `${typeOf(schema, linkHere)}${schema.description === undefined ? "" : `: ${schema.description}`}`;
}

/** The names of the objects in a union. */
function branchesOf({ anyOf = [] }: Schema): string[] {
  return anyOf.every(({ $ref }) => $ref !== undefined) ? anyOf.map(({ $ref = "" }) => nameIn($ref)) : [];
}

function linkHere(name: string): string {
  return elsewhere[name] ?? `#${anchorOf(name)}`;
}
