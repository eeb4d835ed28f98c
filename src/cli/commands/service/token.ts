import { type Command, Option } from "@commander-js/extra-typings";
import type { Token } from "../../../../packages/client/src/index.ts";
import { addApiCommand, clientOf, given, inDays, wholeNumber } from "../../api-command.ts";
import { moment } from "../../terminal/numbers.ts";
import { type Column, sayTable } from "../../terminal/table.ts";
import { OK, show, WARNING } from "../../terminal/text.ts";

const ROLES = ["submitter", "curator", "admin"] as const satisfies Token["role"][];

/** `token create`, `token list`, `token revoke`: manage tokens, with `ACCESSION_AUTH=tokens`. */
export function addToken(program: Command): void {
  const token = program
    .command("token")
    .description("create, list and revoke tokens, as an admin")
    .addHelpText("after", HELP);
  addCreate(token);
  addTokenList(token);
  addRevoke(token);
}

const HELP = `
These commands need the token of an admin in ACCESSION_TOKEN or in the file
ACCESSION_TOKEN_FILE. The one-time token for the first admin is in the file
admin-token in the data folder of the service, until a token for an admin has
been created with it. If all tokens of admins are lost, see “accession
admin-token”.

Examples:
  ACCESSION_TOKEN_FILE=/var/lib/accession/admin-token accession token create --name ada --role admin
  accession token create --name barley-lab --role submitter --days 90
  accession token revoke 6f2c1d3e-…`;

function addCreate(token: Command): void {
  addApiCommand(token, "create", "create a token; its text is shown only once")
    .requiredOption("--name <name>", "name of the owner (required); tokens with the same name share their submissions")
    .addOption(new Option("--role <role>", "role of the holder (required)").choices(ROLES).makeOptionMandatory())
    .option("--days <number>", "days until the token expires (default: 365)", wholeNumber)
    .addOption(new Option("--forever", "no expiry; the token is valid until it is revoked").conflicts("days"))
    .action(async ({ name, role, days, forever, ...options }) => {
      const { client, output } = clientOf(options);
      const expiresAt = forever ? null : days === undefined ? undefined : inDays(days);
      const body = { name, role, ...given({ expiresAt }) };
      const created = await client.ask(client.api.POST("/token", { body }));
      output.data(created);
      const until = created.expiresAt === null ? "until it is revoked" : `until ${moment(created.expiresAt)}`;
      output.say(show`${OK} ${created.name}, ${created.role}, ${until}`);
      output.say(show`${created.token}`);
      output.say(show`${WARNING} The token is not shown again. Store it safely.`);
    });
}

function addTokenList(token: Command): void {
  addApiCommand(token, "list", "list tokens without their texts, newest first").action(async (options) => {
    const { client, output } = clientOf(options);
    await sayTable(output, await client.ask(client.api.GET("/token")), { columns });
  });
}

function addRevoke(token: Command): void {
  addApiCommand(token, "revoke", "revoke a token, which is then invalid")
    .argument("<id>", "id of the token, not the token itself")
    .action(async (id, options) => {
      const { client, output } = clientOf(options);
      await client.ask(client.api.DELETE("/token/{id}", { params: { path: { id } } }));
      output.data({ id, revoked: true });
      output.say(show`${OK} ${id} is revoked`);
    });
}

const columns: readonly Column<Token>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "role", cell: ({ role }) => role },
  { title: "expires", cell: ({ expiresAt }) => momentOrNever(expiresAt), dispensable: 1 },
  { title: "last used", cell: ({ lastUsedAt }) => momentOrNever(lastUsedAt), dispensable: 2 },
  { title: "created", cell: ({ createdAt }) => moment(createdAt), dispensable: 3 },
  { title: "name", cell: ({ name }) => name, fills: true },
];

function momentOrNever(iso: string | null): string {
  return iso === null ? "never" : moment(iso);
}
