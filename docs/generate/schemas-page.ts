import { anchorOf, inWords, meaningOf, memberTable, nameIn, type Schema, type Schemas, typeOf } from "./schemas.ts";
import { generated, table } from "./table.ts";

/** What other pages describe. */
const elsewhere: Record<string, string> = {
  Metadata: "metadata.md#the-dataset",
  Author: "metadata.md#authors",
  ProblemCode: "errors.md",
};

/** Where a named schema is described, for pages that lie beside docs/schemas.md. */
export function schemaAddress(name: string): string {
  return elsewhere[name] ?? `schemas.md#${anchorOf(name)}`;
}

/** docs/schemas.md: what requests and answers are made of, every named schema once. */
export function schemasPage(schemas: Schemas): string {
  const branches = new Set(Object.values(schemas).flatMap((schema) => branchesOf(schema)));
  const names = Object.keys(schemas).filter((name) => elsewhere[name] === undefined && !branches.has(name));
  const sections = names.map((name) => `## ${name}\n\n${sectionOf(schemas[name] ?? {}, schemas)}`);
  return `${generated("the API’s description")}

# Requests and answers

What the bodies of requests and answers are made of; which operation takes and answers what, [the API](api.md) says. A
mandatory member must be given in a request, and is always there in an answer. Members that a request does not know are
refused (\`unknown_member\`), but for those of metadata, authors and \`s3Access\`: these are kept, and warned about,
unless they look misspelt. An answer
may have more members in a later version. In a request \`""\` and \`null\` mean “not given”. Metadata have
[a page of their own](metadata.md), and so have [codes](errors.md).

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

/** Objects of which one is meant: what they have in common, and then what makes the difference. */
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

/** The named objects of which a union is made. */
function branchesOf({ anyOf = [] }: Schema): string[] {
  return anyOf.every(({ $ref }) => $ref !== undefined) ? anyOf.map(({ $ref = "" }) => nameIn($ref)) : [];
}

function linkHere(name: string): string {
  return elsewhere[name] ?? `#${anchorOf(name)}`;
}
