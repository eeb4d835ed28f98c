import { type Command, Option } from "commander";
import type { components } from "../../../../packages/client/src/index.ts";
import {
  addApiCommand,
  addVersionOption,
  type Common,
  clientOf,
  DATASET,
  inDays,
  type OfVersion,
  wholeNumber,
} from "../../api-command.ts";
import { Failure } from "../../terminal/failure.ts";
import { moment } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { type Column, fullTable } from "../../terminal/table.ts";
import { show, styled } from "../../terminal/text.ts";
import { queryOf } from "./publish.ts";

type Grant = components["schemas"]["AccessGrant"];
type NewGrant = components["schemas"]["NewAccessGrant"];
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
  addRevoke(access);
  addRequests(access);
  addAnswer(access);
  addAsk(access);
}

interface Terms extends Common {
  days?: number;
  note?: string;
  allVersions?: boolean;
}

interface GrantOptions extends Terms, OfVersion {
  account?: string;
  email?: string;
  link?: boolean;
}

function addTerms(command: Command): Command {
  return command
    .option("--days <number>", "days until the access ends (default: never for people, 90 for a link)", wholeNumber)
    .option("--note <text>", "what the grant is for; owner and curators see it")
    .option("--all-versions", "for all published versions, also later ones");
}

function termsOf({ days, note, allVersions }: Terms) {
  return {
    ...(days !== undefined && { expiresAt: inDays(days) }),
    ...(note !== undefined && { note }),
    ...(allVersions === true && { allVersions }),
  };
}

function addGrant(access: Command): void {
  addTerms(addVersionOption(addApiCommand(access, "grant", "grant access to a person, or create a link")))
    .argument(...DATASET)
    .addOption(new Option("--account <name>", "owner name, or OpenID subject").conflicts(["email", "link"]))
    .addOption(new Option("--email <address>", "address that the identity provider has verified").conflicts("link"))
    .option("--link", "for all who have the link, which is shown only once")
    .action(async (id: string, { account, email, link, ...options }: GrantOptions) => {
      const kind = account !== undefined ? "subject" : email !== undefined ? "email" : link ? "link" : undefined;
      if (kind === undefined) throw new Failure(2, show`Name a person with --account or --email, or use --link`);
      const { client, output } = clientOf(options);
      const person = account ?? email;
      const body = { kind, ...(person !== undefined && { person }), ...termsOf(options) } as const;
      const params = { path: { id }, query: queryOf(options) };
      const grant = await client.ask(client.api.POST("/dataset/{id}/access-grant", { params, body }));
      output.data(grant);
      sayGrant(output, grant);
    });
}

/** @param recipient e-mail address of the person for whom a link was created, if it is known */
function sayGrant(output: Output, { id, person, expiresAt, url }: NewGrant, recipient: string | null = null): void {
  const until = expiresAt === null ? "until it is revoked" : `until ${moment(expiresAt)}`;
  output.say(
    show`${styled("green", "✓")} ${person ?? "All who have the link"} can read the files ${until} (grant ${id})`,
  );
  if (url === null) return;
  output.say(show`${url}`);
  const to = recipient === null ? "Send it only to people who may read the files." : `Send it to ${recipient}.`;
  output.say(show`${styled("yellow", "!")} The link is not shown again. ${to}`);
}

function addGrants(access: Command): void {
  addApiCommand(access, "list", "list the grants of a dataset, newest first")
    .argument(...DATASET)
    .action(async (id: string, options: Common) => {
      const { client, output } = clientOf(options);
      const grants = await client.ask(client.api.GET("/dataset/{id}/access-grant", { params: { path: { id } } }));
      for (const one of grants) output.data(one);
      if (grants.length === 0) output.say(show`No grants`);
      else for (const line of fullTable(GRANTS, grants, output.columns)) output.say(line);
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
  { title: "last used", cell: ({ usedAt }) => (usedAt === null ? "" : moment(usedAt)), dispensable: 2 },
  { title: "note", cell: ({ note }) => note, fills: true },
];

function addRevoke(access: Command): void {
  addApiCommand(access, "revoke", "revoke a grant, which ends at once")
    .argument(...DATASET)
    .argument("<grant>", "id of the grant")
    .action(async (id: string, grant: string, options: Common) => {
      const { client, output } = clientOf(options);
      await client.ask(client.api.DELETE("/dataset/{id}/access-grant/{grant}", { params: { path: { id, grant } } }));
      output.data({ id: grant, revoked: true });
      output.say(show`${styled("green", "✓")} The grant ${grant} is revoked`);
    });
}

function addRequests(access: Command): void {
  addApiCommand(access, "requests", "list the requests for access to a dataset, newest first")
    .argument(...DATASET)
    .option("--all", "also those that were answered")
    .action(async (id: string, { all = false, ...options }: Common & { all?: boolean }) => {
      const { client, output } = clientOf(options);
      const found = await client.ask(client.api.GET("/dataset/{id}/access-request", { params: { path: { id } } }));
      const requests = found.filter(({ state }) => all || state === "open");
      for (const one of requests) output.data(one);
      if (requests.length === 0) output.say(show`No requests for access`);
      else for (const line of fullTable(REQUESTS, requests, output.columns)) output.say(line);
    });
}

const REQUESTS: readonly Column<Request>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "state", cell: ({ state }) => state },
  { title: "since", cell: ({ createdAt }) => moment(createdAt), dispensable: 2 },
  { title: "person", cell: ({ name, account, email }) => [name ?? account, email].filter(Boolean).join(", ") },
  { title: "reason", cell: ({ reason }) => reason, fills: true },
];

interface AnswerOptions extends Terms {
  grant?: boolean;
  link?: boolean;
  refuse?: boolean;
  comment?: string;
}

function addAnswer(access: Command): void {
  addTerms(addApiCommand(access, "answer", "grant or refuse a request for access"))
    .argument(...DATASET)
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
    .action(async (id: string, request: string, { grant, link, refuse, comment, ...options }: AnswerOptions) => {
      if (!(grant || link || refuse)) throw new Failure(2, show`Choose --grant, --link or --refuse`);
      const { client, output } = clientOf(options);
      const params = { path: { id, request } };
      const answer = comment === undefined ? {} : { answer: comment };
      if (refuse) {
        const path = "/dataset/{id}/access-request/{request}/refuse";
        output.data(await client.ask(client.api.POST(path, { params, body: answer })));
        output.say(show`${styled("green", "✓")} The request ${request} is refused`);
        return;
      }
      const body = { ...answer, ...termsOf(options), ...(link === true && { as: "link" as const }) };
      const path = "/dataset/{id}/access-request/{request}/grant";
      const granted = await client.ask(client.api.POST(path, { params, body }));
      output.data(granted);
      const isInstead = granted.grant.kind === "link" && link !== true;
      if (isInstead) {
        output.say(
          show`${styled("yellow", "!")} The person has no account, and this service cannot verify e-mail addresses: a link was created instead.`,
          { hang: 2 },
        );
      }
      sayGrant(output, granted.grant, granted.request.email);
    });
}

interface AskOptions extends Common, OfVersion {
  reason: string;
  name?: string;
  email?: string;
}

function addAsk(access: Command): void {
  addVersionOption(addApiCommand(access, "ask", "ask for access to the files of a published dataset"))
    .argument(...DATASET)
    .requiredOption("--reason <text>", "what you need the files for (required)")
    .option("--name <text>", "your name; required without a token")
    .option("--email <address>", "your e-mail address; required without a token")
    .action(async (id: string, { reason, name, email, ...options }: AskOptions) => {
      const { client, output } = clientOf(options);
      const params = { path: { id }, query: queryOf(options) };
      const body = { reason, ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
      output.data(await client.ask(client.api.POST("/dataset/{id}/access-request", { params, body })));
      output.say(show`${styled("green", "✓")} The request is sent. The owner or a curator answers it.`);
    });
}
