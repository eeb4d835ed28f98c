import { type Command, Option } from "@commander-js/extra-typings";
import type { components } from "../../../../packages/client/src/index.ts";
import {
  addApiCommand,
  clientOf,
  DATASET,
  given,
  inDays,
  VERSION,
  versionQuery,
  wholeNumber,
} from "../../api-command.ts";
import { Failure } from "../../terminal/failure.ts";
import { moment } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { type Column, fullTable, sayTable } from "../../terminal/table.ts";
import { OK, show, WARNING } from "../../terminal/text.ts";

type Grant = components["schemas"]["AccessGrant"];
type NewGrant = components["schemas"]["NewAccessGrant"];
type GrantUse = components["schemas"]["AccessGrantUse"];
type Request = components["schemas"]["AccessRequest"];

const HELP = `
Examples:
  accession access grant 7f3c9c1e-… --account ada --note "Comparison of the plots"
  accession access grant 7f3c9c1e-… --link --days 30
  accession access answer 7f3c9c1e-… 2d1c8a54-… --grant --comment "You are welcome."
  accession access ask 7f3c9c1e-… --reason "Comparison of the plots"

The secret of a link also is a token: with it in ACCESSION_TOKEN,
“accession dataset get” downloads the files.`;

/** `access`: grants of access to the closed files of published datasets, and requests for it. */
export function addAccess(program: Command): void {
  const access = program
    .command("access")
    .description("grant access to closed files of published datasets, and ask for it")
    .addHelpText("after", HELP);
  addGrant(access);
  addGrants(access);
  addUses(access);
  addRevoke(access);
  addRequests(access);
  addAnswer(access);
  addAsk(access);
}

const DAYS = new Option(
  "--days <number>",
  "days until the access ends (default: never for people, 90 for a link)",
).argParser(wholeNumber);
const NOTE = new Option("--note <text>", "what the grant is for; owner and curators see it");
const ALL_VERSIONS = new Option("--all-versions", "for all published versions, also later ones");

function termsOf({ days, note, allVersions }: { days?: number; note?: string; allVersions?: true }) {
  return given({ expiresAt: days === undefined ? undefined : inDays(days), note, allVersions });
}

function addGrant(access: Command): void {
  addApiCommand(access, "grant", "grant access to a person, or create a link")
    .addOption(VERSION)
    .addOption(DAYS)
    .addOption(NOTE)
    .addOption(ALL_VERSIONS)
    .addArgument(DATASET)
    .addOption(new Option("--account <name>", "owner name, or OpenID subject").conflicts(["email", "link"]))
    .addOption(new Option("--email <address>", "address that the identity provider has verified").conflicts("link"))
    .option("--link", "for all who have the link, which is shown only once")
    .action(async (id, { account, email, link, ...options }) => {
      const kind = account !== undefined ? "subject" : email !== undefined ? "email" : link ? "link" : undefined;
      if (kind === undefined) throw new Failure(2, show`Name a person with --account or --email, or use --link`);
      const { client, output } = clientOf(options);
      const person = account ?? email;
      const body = { kind, ...given({ person }), ...termsOf(options) } as const;
      const params = { path: { id }, query: versionQuery(options) };
      const grant = await client.ask(client.api.POST("/dataset/{id}/access-grant", { params, body }));
      output.data(grant);
      sayGrant(output, grant);
    });
}

/** @param recipient e-mail address of the person for whom a link was created, if it is known */
function sayGrant(output: Output, { id, person, expiresAt, url }: NewGrant, recipient: string | null = null): void {
  const until = expiresAt === null ? "until it is revoked" : `until ${moment(expiresAt)}`;
  output.say(show`${OK} ${person ?? "All who have the link"} can read the files ${until} (grant ${id})`);
  if (url === null) return;
  output.say(show`${url}`);
  const to = recipient === null ? "Send it only to people who may read the files." : `Send it to ${recipient}.`;
  output.say(show`${WARNING} The link is not shown again. ${to}`);
}

function addGrants(access: Command): void {
  addApiCommand(access, "list", "list the grants of a dataset, newest first")
    .addArgument(DATASET)
    .action(async (id, options) => {
      const { client, output } = clientOf(options);
      const grants = await client.ask(client.api.GET("/dataset/{id}/access-grant", { params: { path: { id } } }));
      await sayTable(output, grants, { columns: GRANTS, none: show`No grants`, format: fullTable });
    });
}

const GRANTS: readonly Column<Grant>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "for", cell: ({ kind, person }) => person ?? kind },
  { title: "version", cell: ({ version }) => version?.toString() ?? "all", dispensable: 1 },
  {
    title: "until",
    cell: ({ inForce, revokedAt, expiresAt }) =>
      inForce ? (expiresAt === null ? "no end" : moment(expiresAt)) : revokedAt === null ? "expired" : "revoked",
  },
  { title: "uses", cell: ({ uses }) => `${uses}` },
  { title: "last used", cell: ({ usedAt }) => (usedAt === null ? "" : moment(usedAt)), dispensable: 2 },
  { title: "note", cell: ({ note }) => note, fills: true },
];

function addUses(access: Command): void {
  addApiCommand(access, "uses", "list what was read with a grant, last used first")
    .addArgument(DATASET)
    .argument("<grant>", "id of the grant")
    .action(async (id, grant, options) => {
      const { client, output } = clientOf(options);
      const params = { path: { id, grant } };
      const uses = await client.ask(client.api.GET("/dataset/{id}/access-grant/{grant}/uses", { params }));
      await sayTable(output, uses, { columns: USES, none: show`Not used yet`, format: fullTable });
    });
}

const READ: Record<Exclude<GrantUse["kind"], "file" | "folder">, string> = {
  view: "list of files, or description",
  package: "all files (ZIP)",
  other: "other files",
};

const USES: readonly Column<GrantUse>[] = [
  {
    title: "read",
    cell: ({ kind, path }) => (kind === "file" || kind === "folder" ? (path ?? "") : READ[kind]),
    fills: true,
  },
  { title: "version", cell: ({ version }) => `${version}`, dispensable: 1 },
  { title: "uses", cell: ({ uses }) => `${uses}` },
  { title: "first", cell: ({ firstUsedAt }) => moment(firstUsedAt), dispensable: 2 },
  { title: "last", cell: ({ lastUsedAt }) => moment(lastUsedAt) },
];

function addRevoke(access: Command): void {
  addApiCommand(access, "revoke", "revoke a grant, which ends at once")
    .addArgument(DATASET)
    .argument("<grant>", "id of the grant")
    .action(async (id, grant, options) => {
      const { client, output } = clientOf(options);
      await client.ask(client.api.DELETE("/dataset/{id}/access-grant/{grant}", { params: { path: { id, grant } } }));
      output.data({ id: grant, revoked: true });
      output.say(show`${OK} The grant ${grant} is revoked`);
    });
}

function addRequests(access: Command): void {
  addApiCommand(access, "requests", "list the requests for access to a dataset, newest first")
    .addArgument(DATASET)
    .option("--all", "also those that were answered")
    .action(async (id, { all = false, ...options }) => {
      const { client, output } = clientOf(options);
      const found = await client.ask(client.api.GET("/dataset/{id}/access-request", { params: { path: { id } } }));
      const requests = found.filter(({ state }) => all || state === "open");
      await sayTable(output, requests, { columns: REQUESTS, none: show`No requests for access`, format: fullTable });
    });
}

const REQUESTS: readonly Column<Request>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "state", cell: ({ state }) => state },
  { title: "since", cell: ({ createdAt }) => moment(createdAt), dispensable: 2 },
  { title: "person", cell: ({ name, account, email }) => [name ?? account, email].filter(Boolean).join(", ") },
  { title: "reason", cell: ({ reason }) => reason, fills: true },
];

function addAnswer(access: Command): void {
  addApiCommand(access, "answer", "grant or refuse a request for access")
    .addOption(DAYS)
    .addOption(NOTE)
    .addOption(ALL_VERSIONS)
    .addArgument(DATASET)
    .argument("<request>", "id of the request")
    .addOption(
      new Option("--grant", "grant access to the person, or create a link if there is no account").conflicts([
        "link",
        "refuse",
      ]),
    )
    .addOption(new Option("--link", "create a link for the person, which is shown only once").conflicts("refuse"))
    .option("--refuse", "refuse the request")
    .option("--comment <text>", "answer to the person")
    .action(async (id, request, { grant, link, refuse, comment, ...options }) => {
      if (!(grant || link || refuse)) throw new Failure(2, show`Choose --grant, --link or --refuse`);
      const { client, output } = clientOf(options);
      const params = { path: { id, request } };
      const answer = given({ answer: comment });
      if (refuse) {
        const path = "/dataset/{id}/access-request/{request}/refuse";
        output.data(await client.ask(client.api.POST(path, { params, body: answer })));
        output.say(show`${OK} The request ${request} is refused`);
        return;
      }
      const body = { ...answer, ...termsOf(options), ...(link === true && { as: "link" as const }) };
      const path = "/dataset/{id}/access-request/{request}/grant";
      const granted = await client.ask(client.api.POST(path, { params, body }));
      output.data(granted);
      const isInstead = granted.grant.kind === "link" && link !== true;
      if (isInstead) {
        output.say(
          show`${WARNING} The person has no account, and this service cannot verify e-mail addresses: a link was created instead.`,
          { hang: 2 },
        );
      }
      sayGrant(output, granted.grant, granted.request.email);
    });
}

function addAsk(access: Command): void {
  addApiCommand(access, "ask", "ask for access to the files of a published dataset")
    .addOption(VERSION)
    .addArgument(DATASET)
    .requiredOption("--reason <text>", "what you need the files for (required)")
    .option("--name <text>", "your name; required without a token")
    .option("--email <address>", "your e-mail address; required without a token")
    .action(async (id, { reason, name, email, ...options }) => {
      const { client, output } = clientOf(options);
      const params = { path: { id }, query: versionQuery(options) };
      const body = { reason, ...given({ name, email }) };
      output.data(await client.ask(client.api.POST("/dataset/{id}/access-request", { params, body })));
      output.say(show`${OK} The request is sent. The owner or a curator answers it.`);
    });
}
