/**
 * Generates the reference pages: errors, configuration, validation, metadata, API, schemas, commands. With `--check` it
 * writes nothing, and the exit code is 1 if a page on disk differs.
 */

import { build } from "../src/cli/accession.ts";
import { checkMetadata } from "../src/describe/metadata/check.ts";
import { type Code, catalogue, faultOf, Problem } from "../src/domain/problems.ts";
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

/** Sections of the page, in the order of the catalogue; each begins with the code `from`. */
const groups: { from: Code; title: string; text: string }[] = [
  {
    from: "malformed_json",
    title: "Requests",
    text: "Responses to requests.",
  },
  {
    from: "required",
    title: "Request fields",
    text: "In `errors[]` of an `invalid_request`, each with the `pointer` of the field.",
  },
  {
    from: "role_unknown",
    title: "Warnings",
    text: "In `warnings[]` of accepted requests. Unless stated otherwise, values are stored as sent.",
  },
  {
    from: "address_unresolvable",
    title: "Connection to the source",
    text: "In the text of a check, as the failed step of a report, and in `waiting` and `failure` of a submission.",
  },
  {
    from: "object_gone",
    title: "Single objects",
    text: "In `error` of a file, and as the reason for an exclusion. Other objects are not affected.",
  },
  {
    from: "no_space",
    title: "The service",
    text: "In `waiting` and `failure` of a submission.",
  },
  {
    from: "too_many_webhooks",
    title: "Webhooks and e-mail",
    text: "In responses about webhooks, in `error` of a delivery, and in `errors[]` and `warnings[]` of a request.",
  },
];

function errorsPage(): string {
  const sections = groups.map((group, index) => {
    const codes = Object.keys(catalogue) as Code[];
    const next = groups[index + 1]?.from;
    const own = codes.slice(codes.indexOf(group.from), next === undefined ? undefined : codes.indexOf(next));
    return `## ${group.title}\n\n${group.text}\n\n${table(["Code", "Must act", "HTTP", "Title", "What to do"], own.map(errorRow))}`;
  });
  return `${generated("src/domain/problems.ts")}

# Errors

This page is for developers, submitters and operators. It lists all error and warning codes, who must act, and what to do. Researchers
can start with [If a submission does not succeed](how-to/failed-submission.md). Codes are stable, so programs should use them.
Titles and texts can change in any version.

Error responses have the media type \`application/problem+json\` (RFC 9457):

\`\`\`json
${JSON.stringify(exampleProblem(), null, 2)}
\`\`\`

- \`detail\` (the *message*) describes the error, and \`action\` the next step. \`fault\` is who must act: the \`submitter\`, \`source\` (the
  storage provider), or the \`operator\`. \`service\` means Accession itself: it is unavailable or has an internal error. If the
  problem persists, the operator must [act](#for-operators).
- \`errors\` lists all errors of the request, each with an RFC 6901 pointer into the request.
- \`warnings\` has the same format and is part of responses to accepted requests.
- \`waiting\` and \`failure\` of a submission are \`{code, fault, message, action, retryable, since, until}\`. If \`retryable\` is true,
  the cause can disappear without action, and the service retries automatically.
- \`POST /submission/upload/s3check\` returns errors as plain text that starts with \`Connection unsuccessful\`.
- \`instance\` ends with the id of the request, as does the header \`X-Request-Id\`. The operator finds the cause in the
  server log under this id.

Messages never contain access keys, secret keys or tokens. A dash in the column HTTP means that the code is part of other responses,
and a dash in the column “Must act” that no action is required or possible.

${sections.join("\n\n")}

${FOR_OPERATORS}
`;
}

/** What the operator can do, for the codes that need more than the table says. */
const FOR_OPERATORS = `## For operators

Settings are read at startup: after a change restart all processes. The service checks the cause of a waiting submission again
after one minute, later at least once an hour. \`accession retry ID\` retries at once. The [server
log](operating.md#server-log) contains details under the id of the request or submission.

- **\`identity_unavailable\`:** check \`ACCESSION_OIDC_ISSUER\`, and that the service can reach this address.
- **\`foreign_host\`, \`foreign_origin\`:** correct \`ACCESSION_PUBLIC_URL\` or the [proxy](how-to/nginx.md); add other web
  applications to \`ACCESSION_CORS_ORIGINS\`.
- **\`quota_exceeded\`:** increase the [quota](configuration.md#quotas-and-rate-limits), which applies to all owners.
- **\`no_tokens_here\`:** \`accession token\` needs \`ACCESSION_AUTH=tokens\`. With \`oidc\`, the identity provider manages access.
- **\`content_damaged\`:** [restore the dataset](operating.md#restore-a-damaged-dataset).
- **\`already_published\`:** the database was restored from a backup that is
  [older than the archive](operating.md#if-the-database-backup-is-older-than-the-archive). If it was not, report this to the
  developers of Accession.
- **\`source_blocked\`:** the log line of the submission names the cause in \`code\`:
  - \`address_refused\`: add the network to \`ACCESSION_ALLOW_NETWORKS\`
  - \`name_lookup_failed\`: check the DNS servers of the machine
  - \`network_unreachable\`: check routes and firewall, or \`ACCESSION_EGRESS_PROXY\`
  - \`clock_skewed\`: synchronise the clock of the machine (NTP)
- **\`no_space\`:** \`ACCESSION_DISK_RESERVE\` (default: 5 %) of the disk counts as used, although \`df\` shows it as free. If the
  message names the disk of the data folder, free or add space there: of this disk, at most 5 % and at most 2 GiB are kept free. The log
  line of the submission names the folder.
- **\`archive_unreadable\`, \`archive_unwritable\`:** the message names the cause. Check the mount, the disk and the owner
  (\`accession\`) of the folder, or the bucket and its access key.
- **\`verification_failed\`:** staged files are missing or have changed. Check the disk, and that no other program deletes files in
  \`staging/\`. Then ask the submitter to retry, which requires the credentials of the
  bucket. All objects are read again.
- **\`internal_error\`, \`unavailable\`:** search the server log for the id. If the cause is not the database or the machine, report it
  to the developers of Accession with these log lines. A retry by the submitter often succeeds.`;

/** The response to a request with two errors. */
function exampleProblem(): object {
  const author = { role: "Creator", firstName: "Josiah", orcid: "0000-0002-1825-0098" };
  const { code, status, title, fault, action } = new Problem("invalid_request");
  return {
    type: `urn:accession:problem:${code}`,
    title,
    status,
    detail: "The request contains 2 errors",
    code,
    fault,
    action,
    instance: "urn:accession:request:0b0fbc4e-4e49-4a3b-9d4f-5b1c1b6f3a52",
    errors: checkMetadata({ authors: [author] }).errors,
  };
}

/** Codes for which no action is required or possible. */
const WITHOUT_ACTION: readonly Code[] = ["dataset_withdrawn", "publication_withdrawn", "retry_requested"];

function errorRow(code: Code): string[] {
  const { title, action, status } = { status: undefined, ...catalogue[code] };
  const fault = faultOf(code);
  const actor = WITHOUT_ACTION.includes(code) ? "–" : fault;
  return [`\`${code}\``, actor, status === undefined ? "–" : String(new Problem(code).status), title, action];
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
