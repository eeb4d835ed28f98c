import type { Command } from "@commander-js/extra-typings";
import { addApiCommand } from "../../api-command.ts";
import { explainFailureOf } from "../../start.ts";
import { Output } from "../../terminal/output.ts";
import { OK, show } from "../../terminal/text.ts";
import { readSettings } from "./config.ts";

/** `migrate`: updates the database schema, as every start of the service does. */
export function addMigrate(program: Command): void {
  addApiCommand(program, "migrate", "update the database schema")
    .addHelpText(
      "after",
      `
“accession serve” also updates the schema when it starts. This command updates
it separately, before a new version of the service is started, and needs no key
files. An update cannot be reverted: create a backup first. A database of a
newer version is rejected.`,
    )
    .action(async (options) => {
      const output = new Output(options);
      const config = readSettings(process.env, { keys: false });
      const { migrateDatabase } = await import("../../../main/database-commands.ts");
      const { from, to, ran } = await explainFailureOf("The database schema cannot be updated", config, () =>
        migrateDatabase(config),
      );
      output.data({ from: from ?? null, to, ran });
      const done = OK;
      if (ran.length === 0) output.say(show`${done} The database schema is up to date (${to})`);
      else output.say(show`${done} The database schema was updated from ${from ?? "none"} to ${to}: ${ran.join(", ")}`);
    });
}
