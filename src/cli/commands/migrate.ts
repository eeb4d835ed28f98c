import type { Command } from "commander";
import { addApiCommand, type Common } from "../api-command.ts";
import { explainFailureOf } from "../start.ts";
import { Output } from "../terminal/output.ts";
import { show, styled } from "../terminal/text.ts";
import { readSettings } from "./config.ts";

/** `migrate`: brings the database's tables up to date, which every start of the service does too. */
export function addMigrate(program: Command): void {
  addApiCommand(program, "migrate", "bring the database’s tables up to date")
    .addHelpText(
      "after",
      `
“accession serve” does this too when it starts; here it is done by itself, before the service is started anew, and needs
no key files. There is no way back: make a backup before. A database of a newer version is refused.`,
    )
    .action(async (options: Common) => {
      const output = new Output(options);
      const config = readSettings(process.env, { keys: false });
      const { migrateDatabase } = await import("../../main/database-commands.ts");
      const { from, to, ran } = await explainFailureOf("The tables cannot be brought up to date", config, () =>
        migrateDatabase(config),
      );
      output.data({ from: from ?? null, to, ran });
      const done = styled("green", "✓");
      if (ran.length === 0) output.say(show`${done} The tables are up to date (${to}); there was nothing to do`);
      else output.say(show`${done} The tables are brought from ${from ?? "nothing"} to ${to}: ${ran.join(", ")}`);
    });
}
