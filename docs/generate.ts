/**
 * Writes the pages that say what the source says: errors, configuration, validation, metadata, the API, commands. With
 * `--check` nothing is written, and the exit code is 1 when a file on disk is not what would be written.
 */

import { KNOWN_ALGORITHMS, referenceOf, unreportedCodes } from "../packages/ocfl/src/index.ts";
import { advice, codes, type ServiceCodeEntry } from "../src/archive/validation/codes.ts";
import { build } from "../src/cli/accession.ts";
import { clientSettings, type Setting, settings } from "../src/config/settings.ts";
import { traceSettings } from "../src/config/traces.ts";
import { checkMetadata } from "../src/domain/metadata/check.ts";
import { type Code, catalogue, Problem } from "../src/domain/problems.ts";
import { metadata } from "../src/http/openapi/examples.ts";
import { describeApi } from "../src/http/openapi/offline.ts";
import { apiPage, type Description } from "./generate/api.ts";
import { commandsPage } from "./generate/commands.ts";
import { metadataPage } from "./generate/metadata.ts";
import { schemasPage } from "./generate/schemas-page.ts";
import { generated, table } from "./generate/table.ts";
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

function configurationPage(): string {
  return `${generated("src/config/settings.ts")}

# Configuration

Accession is configured by environment variables alone. They are read once, at start, into one typed value. Whatever is
wrong with them is named at once, a line each, and nothing is started; a variable that begins with \`ACCESSION_\` and is
no setting is such a fault, too (of the service; client verbs read their own few), because a misspelt setting would silently do nothing. An empty value means “not given”.

\`accession config\` (in a checkout: \`npm run --silent accession -- config\`) prints every setting as it would be read,
defaults in parentheses and secrets masked, and then what is wrong with them.

## The service

${table(["Variable", "Default", "Meaning"], settings.map(settingRow))}

With \`ACCESSION_AUTH=none\` the service listens on loopback only and refuses to start otherwise. Environment variables
such as \`HTTP_PROXY\` or \`AWS_ACCESS_KEY_ID\` are never used for a caller’s bucket.

## Traces

Traces are off unless a collector is named, by the variables of [OpenTelemetry](https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
Nothing of its SDK is loaded while they are off. The collector is the operator’s own: what guards callers’ endpoints does
not apply to it.

${table(["Variable", "Default", "Meaning"], traceSettings.map(row))}

## The command line

Client verbs of \`accession\` read these. Secrets come from the environment, a file or a prompt, never from an argument.

${table(["Variable", "Default", "Meaning"], clientSettings.map(settingRow))}
`;
}

function settingRow(setting: Setting): string[] {
  return row({ ...setting, name: `ACCESSION_${setting.name}` });
}

function row({ name, default: value, meaning, secret }: Setting): string[] {
  return [`\`${name}\``, value, secret ? `${meaning} Secret: never printed.` : meaning];
}

function validationPage(): string {
  const given = Object.entries<ServiceCodeEntry>(codes);
  const rows = (wanted: RegExp) => given.filter(([code]) => wanted.test(code)).map(codeRow);
  const heads = ["Code", "Means", "What to do"];
  return `${generated("packages/ocfl/src/codes.ts and src/archive/validation/codes.ts")}

# Validation

\`accession verify [folder]\` checks an OCFL 1.0 or 1.1 storage root, or a single object, whoever wrote it. Each object is
held against the rules of the version that it declares. Every byte of the content is read, each file once; nothing is
written, no link is followed, and nothing but plain files is opened.

- A person gets the findings by code, ten of each, and what to do about them; a pipe or \`--json\` gets a line for each:
  \`{code, severity, path, detail, reference}\`, and \`{ok, folder, objects, files, bytes}\` at the end. Of errors and of
  warnings, 10,000 each are named.
- The exit code is 0 when there is no error, 1 when there is one, 2 when there is no such folder. Warnings alone are 0.
- A folder is taken for what it declares. Without a declaration an inventory, a version’s folder, or nothing but files
  make it an object, and anything else a storage root. Of an archive’s folder its \`ocfl/\` is checked.
- Fixity digests of any algorithm but these are passed over, with a remark (W000):
  ${KNOWN_ALGORITHMS.map((name) => `\`${name}\``).join(", ")}.
- Places of objects are compared with their ids in the layouts 0002, 0003, 0004, 0006 and 0007. Other registered layouts
  are accepted as they are, and so are extensions with numbers that were given later.
- Memory does not grow with the number of files but by 100 to 150 bytes for each path and digest of one object. Texts of
  more than 16 MiB, paths of more than 32,768 characters or 1,024 parts, and objects of more than 100,000 versions are not
  taken in (E000).

Not found are hard links, which look like any other file; sidecars of objects without an inventory; and what only a
comparison with another copy could tell: a dataset that is gone as a whole.

## Codes of the specification

From the [validation codes of OCFL 1.1](https://ocfl.io/1.1/spec/validation-codes.html), as this program says them. The
community’s fixtures were read as well as the text: where the two leave a choice, the code is the one that the fixtures
have.

${table(heads, rows(/^[EW](?!000)\d/))}

Rules that came with OCFL 1.1 are given by the codes of 1.0 to objects and storage roots of 1.0:

${table(["Code in 1.1", "In 1.0"], given.filter(([, { in10 }]) => in10 !== undefined).map(in10Row))}

OCFL 1.0 says that the keys of the manifest correspond to “the digests of every content file in all versions”. It does not
say that a state must use each of them; that rule, E107, came with 1.1. An object of 1.0 with an unused digest is therefore
valid here and gets a remark (W000). Other validators apply the rule of 1.1 and refuse the object, and so does this one after the
object is declared as OCFL 1.1.

## Codes of this program

${table(heads, rows(/^[EW]L|^[EW]000/))}

What logs this archive keeps, [docs/package-format.md](package-format.md) says.

## What to do

${table(["In the tables", "In words"], Object.entries(advice))}

## Codes that are never given

${table(
  ["Code", "Why"],
  Object.entries(unreportedCodes).map(([code, why]) => [`\`${code}\``, why]),
)}
`;
}

function codeRow([code, { means, advice: what }]: [string, ServiceCodeEntry]): string[] {
  const reference = referenceOf(code as keyof typeof codes);
  return [reference === undefined ? `\`${code}\`` : `[\`${code}\`](${reference})`, means, what];
}

function in10Row([code, { in10 }]: [string, ServiceCodeEntry]): string[] {
  return [`\`${code}\``, `\`${in10}\``];
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
