import { type Command, Option } from "commander";
import type { Token } from "../../../../packages/client/src/index.ts";
import { addApiCommand, type Common, clientOf, inDays, wholeNumber } from "../../api-command.ts";
import { moment } from "../../terminal/numbers.ts";
import { table } from "../../terminal/table.ts";
import { show, styled } from "../../terminal/text.ts";

interface CreateOptions extends Common {
  name: string;
  role: Token["role"];
  days?: number;
  forever?: boolean;
}

const ROLES = ["submitter", "curator", "admin"];

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
    .action(async ({ name, role, days, forever, ...options }: CreateOptions) => {
      const { client, output } = clientOf(options);
      const expiresAt = forever ? null : days === undefined ? undefined : inDays(days);
      const body = { name, role, ...(expiresAt !== undefined && { expiresAt }) };
      const created = await client.ask(client.api.POST("/token", { body }));
      output.data(created);
      const until = created.expiresAt === null ? "until it is revoked" : `until ${moment(created.expiresAt)}`;
      output.say(show`${styled("green", "✓")} ${created.name}, ${created.role}, ${until}`);
      output.say(show`${created.token}`);
      output.say(show`${styled("yellow", "!")} The token is not shown again. Store it safely.`);
    });
}

function addTokenList(token: Command): void {
  addApiCommand(token, "list", "list tokens without their texts, newest first").action(async (options: Common) => {
    const { client, output } = clientOf(options);
    const tokens = await client.ask(client.api.GET("/token"));
    for (const one of tokens) output.data(one);
    for (const line of table(columns, tokens, output.columns)) output.say(line);
  });
}

function addRevoke(token: Command): void {
  addApiCommand(token, "revoke", "revoke a token, which is then invalid")
    .argument("<id>", "id of the token, not the token itself")
    .action(async (id: string, options: Common) => {
      const { client, output } = clientOf(options);
      await client.ask(client.api.DELETE("/token/{id}", { params: { path: { id } } }));
      output.data({ id, revoked: true });
      output.say(show`${styled("green", "✓")} ${id} is revoked`);
    });
}

const columns = [
  { title: "id", cell: ({ id }: Token) => id },
  { title: "role", cell: ({ role }: Token) => role },
  {
    title: "expires",
    cell: ({ expiresAt }: Token) => (expiresAt === null ? "never" : moment(expiresAt)),
    dispensable: 1,
  },
  {
    title: "last used",
    cell: ({ lastUsedAt }: Token) => (lastUsedAt === null ? "never" : moment(lastUsedAt)),
    dispensable: 2,
  },
  { title: "created", cell: ({ createdAt }: Token) => moment(createdAt), dispensable: 3 },
  { title: "name", cell: ({ name }: Token) => name, fills: true as const },
];
