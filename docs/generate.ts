/**
 * Generates the reference pages: errors, configuration, validation, metadata, API, schemas, commands. With `--check` it
 * writes nothing, and the exit code is 1 if a page on disk differs.
 */

import { build } from "../src/cli/accession.ts";
import { checkMetadata } from "../src/domain/metadata/check.ts";
import { type Code, catalogue, Problem } from "../src/domain/problems.ts";
import { metadata } from "../src/http/openapi/examples.ts";
import { describeApi } from "../src/http/openapi/offline.ts";
import { apiPage, type Description } from "./generate/api.ts";
import { commandsPage } from "./generate/commands.ts";
import { configurationPage } from "./generate/configuration.ts";
import { metadataPage } from "./generate/metadata.ts";
import { schemasPage } from "./generate/schemas-page.ts";
import { generated, table } from "./generate/table.ts";
import { validationPage } from "./generate/validation.ts";
import { writeGenerated } from "./generate/write.ts";

/** The catalogue goes on in its own order; each group begins with this code. */
const groups: { from: Code; title: string; text: string }[] = [
  {
    from: "malformed_json",
    title: "Requests",
    text: "Answers to a request as a whole.",
  },
  {
    from: "required",
    title: "Members of a request",
    text: "In `errors[]` of an `invalid_request`, each with the `pointer` of the member it is about.",
  },
  {
    from: "role_unknown",
    title: "Warnings",
    text: "In `warnings[]`. The request was accepted; what was sent is kept as it was sent.",
  },
  {
    from: "address_unresolvable",
    title: "The way to the source",
    text: "In the sentence of a check, as the failed step of a report, and in `waiting` and `failure` of a submission.",
  },
  {
    from: "object_gone",
    title: "Single objects",
    text: "In `error` of a file, and as the reason of an exclusion. Unreadable objects do not stop the others.",
  },
  {
    from: "no_space",
    title: "The service",
    text: "In `waiting` and `failure` of a submission.",
  },
  {
    from: "too_many_webhooks",
    title: "Webhooks and mail",
    text: "In answers about webhooks, in `error` of a delivery, and in `errors[]` and `warnings[]` of a request.",
  },
];

function errorsPage(): string {
  const sections = groups.map((group, index) => {
    const codes = Object.keys(catalogue) as Code[];
    const next = groups[index + 1]?.from;
    const own = codes.slice(codes.indexOf(group.from), next === undefined ? undefined : codes.indexOf(next));
    return `## ${group.title}\n\n${group.text}\n\n${table(["Code", "Whose turn", "HTTP", "Title", "What to do"], own.map(errorRow))}`;
  });
  return `${generated("src/domain/problems.ts")}

# Errors

Every fault has a stable \`code\`. Programs decide by the code; titles and sentences may become better in any version.

An error is answered as \`application/problem+json\` (RFC 9457):

\`\`\`json
${JSON.stringify(exampleProblem(), null, 2)}
\`\`\`

- \`detail\` says what is wrong in this case, \`action\` what to do about it, and \`fault\` whose turn it is: the
  \`submitter\`’s, that of whoever runs the \`source\`, the \`service\`’s (a fault of Accession’s own) or the \`operator\`’s.
- \`errors\` names every fault of the request at once, each with an RFC 6901 pointer into the request.
- \`warnings\` has the same form in answers to requests that were accepted. A warning stops nothing.
- \`waiting\` and \`failure\` of a submission are \`{code, fault, message, action, retryable, since, until}\`. With
  \`retryable\` the same may succeed later without anybody changing anything, and it is tried again by itself.
- \`POST /submission/upload/s3check\` answers the same faults in words: a text that starts with \`Connection
  unsuccessful\`.
- \`instance\` ends with the request’s id, which is the header \`X-Request-Id\` of every answer, too; the operator’s log names the
  cause under it.

No message holds a key or a secret. A dash in the column HTTP means that the code stands inside answers.

${sections.join("\n\n")}
`;
}

/** What a request with two faults is answered with. */
function exampleProblem(): object {
  const author = { role: "Creator", firstName: "Josiah", orcid: "0000-0002-1825-0098" };
  const { code, status, title, fault, action } = new Problem("invalid_request");
  return {
    type: `urn:accession:problem:${code}`,
    title,
    status,
    detail: "The request has 2 faults",
    code,
    fault,
    action,
    instance: "urn:accession:request:0b0fbc4e-4e49-4a3b-9d4f-5b1c1b6f3a52",
    errors: checkMetadata({ authors: [author] }).errors,
  };
}

function errorRow(code: Code): string[] {
  const { fault, title, action, status } = { status: undefined, ...catalogue[code] };
  return [`\`${code}\``, fault, status === undefined ? "–" : String(new Problem(code).status), title, action];
}

const api = (await describeApi()) as Description;
const { schemas } = api.components;

writeGenerated("npm run docs", {
  "docs/errors.md": errorsPage(),
  "docs/configuration.md": configurationPage(),
  "docs/validation.md": validationPage(),
  "docs/api.md": apiPage(api),
  "docs/schemas.md": schemasPage(schemas),
  "docs/metadata.md": metadataPage(schemas, metadata),
  "docs/commands.md": commandsPage(build()),
});
