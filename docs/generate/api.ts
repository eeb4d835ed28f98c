import { generated, table } from "./table.ts";

/** The parts of the API's description that the page shows. */
interface Description {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response> };
}

interface Operation {
  summary: string;
  description: string;
  tags: string[];
  parameters?: { in: string; name: string; description: string; example?: unknown; required?: boolean }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, Response>;
  "x-roles"?: string[];
}

interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, unknown>;
  "x-problem-codes"?: string[];
}

/** docs/api.md: every operation, by what it is about. */
export function apiPage(description: object): string {
  const api = description as Description;
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
  return `${generated("the API’s description")}

# HTTP API

A running service shows all of this at \`/docs\`, with every schema, and gives it as OpenAPI 3.1 at \`/openapi.json\`; a copy
lies in [clients/openapi.json](../clients/openapi.json). A client for TypeScript is made of it: see
[how to use it](how-to/typescript-client.md).

Bodies are JSON in UTF-8 unless an operation says otherwise. Errors are problems with a stable code, all in
[errors.md](errors.md); each operation names the codes that not every operation can answer. Every operation for callers can
answer ${inWords(common.map((code) => `\`${code}\``))}.

Requests count against a limit a minute; \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell how it
stands.

${sections.join("\n\n")}
`;
}

function section(api: Description, path: string, method: string, operation: Operation, codes: string[]): string {
  const { summary, description, parameters = [], responses, "x-roles": roles } = operation;
  const answers = Object.entries(responses)
    .filter(([, response]) => resolve(api, response).$ref === undefined && response.$ref === undefined)
    .filter(([status]) => status < "400")
    .map(([status, { description = "", content = {} }]) => [
      status,
      firstLine(description),
      Object.keys(content)
        .map((type) => `\`${type}\``)
        .join(", ") || "–",
    ]);
  const named = parameters.map(({ in: place, name, description }) => [`\`${name}\``, place, description]);
  return [
    `### ${method} ${path}`,
    `${summary}. ${description}`,
    `For ${roles === undefined ? "everybody" : inWords(roles)}.${codes.length > 0 ? ` Codes: ${codes.map((code) => `\`${code}\``).join(", ")}.` : ""}`,
    ...(named.length > 0 ? [table(["Parameter", "In", "Is"], named)] : []),
    table(["Status", "Says", "As"], answers),
    `<!-- run by: tests/openapi-examples.test.ts -->\n\`\`\`sh\n${curl(path, method, operation)}\n\`\`\``,
  ].join("\n\n");
}

/** The example of an operation as a command. Bodies come on standard input: arguments can be read by others. */
function curl(path: string, method: string, { parameters = [], requestBody, "x-roles": roles }: Operation): string {
  const examples = (place: string) =>
    parameters.filter((one) => one.in === place && one.example !== undefined && (place === "path" || one.required));
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    String(examples("path").find((one) => one.name === name)?.example ?? whole),
  );
  const query = new URLSearchParams(
    Object.fromEntries(examples("query").map(({ name, example }) => [name, String(example)])),
  ).toString();
  const body = requestBody?.content["application/json"]?.example;
  const verb = method === (body === undefined ? "GET" : "POST") ? "" : ` -X ${method}`;
  const url = `"$ACCESSION_URL${filled}${query === "" ? "" : `?${query}`}"`;
  const token = roles === undefined ? "" : ` -H "authorization: Bearer $ACCESSION_TOKEN"`;
  const command = `curl -sS${verb} ${url}${token}`;
  if (body === undefined) return command;
  return `${command} \\\n  -H 'content-type: application/json' --data @- <<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON`;
}

function resolve({ components }: Description, response: Response): Response {
  const name = response.$ref?.split("/").at(-1);
  return name === undefined ? response : (components.responses[name] ?? response);
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function inWords(items: string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
