import { anchorOf, inWords, meaningOf, type Schema, type Schemas, typeOf } from "./schemas.ts";
import { schemaAddress } from "./schemas-page.ts";
import { generated, table } from "./table.ts";

/** The parts of the API's description that the pages show. */
export interface Description {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response>; schemas: Schemas };
}

interface Operation {
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, Response>;
  "x-roles"?: string[];
  security?: Record<string, unknown>[];
}

interface Parameter {
  in: string;
  name: string;
  description: string;
  schema: Schema;
  example?: unknown;
  required?: boolean;
}

interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema?: Schema }>;
  "x-problem-codes"?: string[];
}

/** docs/api.md: every operation, grouped by tag. */
export function apiPage(api: Description): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const codesOf = ({ responses }: Operation) =>
    Object.values(responses).flatMap((response) => resolve(api, response)["x-problem-codes"] ?? []);
  const [first = [], ...others] = operations
    .filter(({ operation }) => operation["x-roles"] !== undefined)
    .map(({ operation }) => codesOf(operation));
  const common = first.filter((code) => others.every((codes) => codes.includes(code)));

  const sections = api.tags.map(({ name, description }) => {
    const own = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ path, method, operation }) => {
        const codes = codesOf(operation).filter((code) => !common.includes(code));
        return section(api, path, method, operation, codes);
      });
    return `## ${name}\n\n${description}\n\n${own.join("\n\n")}`;
  });
  const contents = api.tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return `- **${name}**: ${own.map(({ path, method, operation }) => linkTo(path, method, operation)).join(" · ")}`;
  });
  return `${generated("the API’s description")}

# HTTP API

For developers of clients. This page lists all operations with parameters, responses, error codes and an example. Every service
shows the same at \`/docs\`, and as OpenAPI 3.1 at \`/openapi.json\` (a copy is [clients/openapi.json](../clients/openapi.json)).
There are complete programs in [Python and for curl](how-to/lab-notebook.md), and a [TypeScript client](how-to/typescript-client.md).

${contents.join("\n")}

## Conventions

- **Bodies** are JSON in UTF-8 unless stated otherwise. [schemas.md](schemas.md) lists their members.
- **Errors** have a stable code ([errors.md](errors.md)). Each operation lists its specific codes. Every operation that requires
  a role can also return ${inWords(common.map((code) => `\`${code}\``))}.
- **Rate limits** apply per minute. See \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`.

In the examples \`ACCESSION_URL\` is the address of the service, such as \`http://127.0.0.1:8080\`. \`token.header\` is a file with
the authorization header, because other users of the machine can read arguments:

<!-- not run: it needs a token; tests/api/openapi-examples.test.ts sends every example with one -->
\`\`\`sh
export ACCESSION_URL=https://data.example.org
read -rsp 'Token: ' ACCESSION_TOKEN
(umask 077; printf 'authorization: Bearer %s\\n' "$ACCESSION_TOKEN" > token.header)
\`\`\`

If the service requires no sign-in, as in the demo, omit \`-H @token.header\`. The operations for reviewers
need the secret of a reviewer link in place of the token.

${sections.join("\n\n")}
`;
}

/** A link to the section of an operation. */
function linkTo(path: string, method: string, { summary }: Operation): string {
  return `[${summary}](#${anchorOf(headingOf(path, method))})`;
}

function headingOf(path: string, method: string): string {
  return `${method} ${path}`;
}

function section(api: Description, path: string, method: string, operation: Operation, codes: string[]): string {
  const { summary, description, parameters = [], requestBody, responses, "x-roles": roles } = operation;
  const answers = Object.entries(responses)
    .filter(([status, { $ref }]) => status < "400" && $ref === undefined)
    .map(([status, { description = "", content = {} }]) => [status, firstLine(description), formsOf(content)]);
  return [
    `### ${headingOf(path, method)}`,
    `${summary}. ${description}`,
    `Roles: ${isForReviewers(operation) ? "none; the secret of a reviewer link is required" : roles === undefined ? "none required" : inWords(roles)}.${codes.length > 0 ? ` Codes: ${codes.map((code) => `\`${code}\``).join(", ")}.` : ""}`,
    ...(parameters.length > 0 ? [parameterTable(parameters, api.components.schemas)] : []),
    ...(requestBody === undefined ? [] : [bodyOf(requestBody)]),
    table(["Status", "Meaning", "Body"], answers),
    `<!-- run by: tests/api/openapi-examples.test.ts -->\n\`\`\`sh\n${curl(path, method, operation)}\n\`\`\``,
  ].join("\n\n");
}

function parameterTable(parameters: Parameter[], schemas: Schemas): string {
  const rows = parameters.map(({ in: place, name, description, schema, example, required }) => [
    `\`${name}\``,
    place,
    typeOf(schema, schemaAddress),
    required === true ? "yes" : "–",
    meaningOf({ ...schema, description, ...(example !== undefined && { examples: [example] }) }, schemas),
  ]);
  return table(["Parameter", "In", "Type", "Required", "Description"], rows);
}

function bodyOf({ required, content }: NonNullable<Operation["requestBody"]>): string {
  const [first] = Object.values(content);
  const need = required === true ? "" : ", if any";
  return `Body${need}: ${typeOf(first?.schema ?? {}, schemaAddress)}, as ${inWords(Object.keys(content).map(code), "or")}.`;
}

/** The media types of a response; for JSON also the schema. */
function formsOf(content: NonNullable<Response["content"]>): string {
  const forms = Object.entries(content).map(([type, { schema = {} }]) =>
    type === "application/json" ? `${typeOf(schema, schemaAddress)} as ${code(type)}` : code(type),
  );
  return forms.join(", ") || "–";
}

const code = (text: string) => `\`${text}\``;

/** The example of an operation as a command. Bodies are sent on standard input, because other users can read arguments. */
function curl(path: string, method: string, operation: Operation): string {
  const { parameters = [], requestBody, responses, "x-roles": roles } = operation;
  const examples = (place: string) =>
    parameters.filter((one) => one.in === place && one.example !== undefined && (place !== "query" || one.required));
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    String(examples("path").find((one) => one.name === name)?.example ?? whole),
  );
  const query = new URLSearchParams(
    Object.fromEntries(examples("query").map(({ name, example }) => [name, String(example)])),
  ).toString();
  const body = requestBody?.content["application/json"]?.example;
  const form = body === undefined ? requestBody?.content["multipart/form-data"]?.example : undefined;
  const verb = method === ((body ?? form) === undefined ? "GET" : "POST") ? "" : ` -X ${method}`;
  const url = `"$ACCESSION_URL${filled}${query === "" ? "" : `?${query}`}"`;
  const token = roles === undefined && !isForReviewers(operation) ? "" : " -H @token.header";
  // An operation that answers 428 refuses requests without If-Match.
  const conditions = "428" in responses ? examples("header").filter(({ name }) => name === "if-match") : [];
  const condition = conditions.map(({ name, example }) => ` -H '${name}: ${String(example)}'`).join("");
  const command = `curl -sS${verb} ${url}${token}${condition}`;
  if (form !== undefined)
    return `${command}${Object.entries(form as object)
      // Without a name, a form has a text in place of the file.
      .map(([name, value]) => ` \\\n  -F '${name}=${value}${name === "file" ? ";filename=2025.csv" : ""}'`)
      .join("")}`;
  if (body === undefined) return command;
  return `${command} \\\n  -H 'content-type: application/json' --data @- <<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON`;
}

function isForReviewers({ security = [] }: Operation): boolean {
  return security.some((scheme) => "reviewerLink" in scheme);
}

function resolve({ components }: Description, response: Response): Response {
  const name = response.$ref?.split("/").at(-1);
  return name === undefined ? response : (components.responses[name] ?? response);
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
