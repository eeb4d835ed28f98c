import type { Command } from "@commander-js/extra-typings";
import { isTokenName } from "../../../domain/token-name.ts";
import { addApiCommand } from "../../api-command.ts";
import { explainFailureOf } from "../../start.ts";
import { Failure } from "../../terminal/failure.ts";
import { moment } from "../../terminal/numbers.ts";
import { Output } from "../../terminal/output.ts";
import { OK, show, WARNING } from "../../terminal/text.ts";
import { readSettings } from "./config.ts";

const YEAR_MS = 365 * 86_400_000;

/** `admin-token`: creates a token of an admin in the database, without the API. */
export function addAdminToken(program: Command): void {
  addApiCommand(program, "admin-token", "create a token with the role admin, if all tokens of admins are lost")
    .requiredOption("--name <name>", "name of the owner (required)")
    .addHelpText(
      "after",
      `
The command writes to the database and does not use the API, so it needs no
token. It needs the settings of “accession serve” with ACCESSION_AUTH=tokens.
The new token is valid for a year. Other tokens stay valid, except for the
one-time token. With the embedded database, stop the service first.

Example:
  accession admin-token --name ada`,
    )
    .action(async ({ name, ...options }) => {
      const output = new Output(options);
      const config = readSettings(process.env, { keys: false });
      if (config.auth !== "tokens") {
        throw new Failure(2, show`The service has no access tokens, because ACCESSION_AUTH is not “tokens”.`);
      }
      if (!isTokenName(name)) {
        throw new Failure(2, show`--name must have 1 to 200 characters, without spaces at the beginning or end.`);
      }
      const { createAdminToken } = await import("../../../main/database-commands.ts");
      const expiresAt = new Date(Date.now() + YEAR_MS);
      const { text, token } = await explainFailureOf("The token cannot be created", config, () =>
        createAdminToken(config, { name, expiresAt }),
      );
      output.data({ id: token.id, name, role: token.role, expiresAt, token: text });
      output.say(show`${OK} ${name}, ${token.role}, until ${moment(expiresAt.toJSON())}`);
      output.say(show`${text}`);
      output.say(show`${WARNING} The token is not shown again. Store it safely.`);
    });
}
