import type { Command } from "commander";
import { isInFolder } from "../../archive/location.ts";
import type { Config } from "../../config/config.ts";
import { ConfigError, describeConfig, type Needs, readConfig } from "../../config/config.ts";
import { addApiCommand, type Common } from "../api-command.ts";
import { Failure } from "../terminal/failure.ts";
import { Output } from "../terminal/output.ts";
import { pad, show, styled } from "../terminal/text.ts";

/** `config`: prints the settings with masked secrets, and all errors in them. */
export function addConfig(program: Command): void {
  addApiCommand(program, "config", "print the settings with masked secrets, and report errors in them").action(
    (options: Common) => {
      const output = new Output(options);
      const settings = describeConfig(process.env);
      output.data(settings);
      const width = Math.max(...Object.keys(settings).map((name) => name.length));
      for (const [name, value] of Object.entries(settings)) {
        // Defaults are in parentheses.
        output.say(show`${pad(name, width)}  ${value.startsWith("(") ? styled("dim", value) : value}`);
      }
      readSettings(process.env);
    },
  );
}

/** Reads the settings of the service. @throws Failure 2 with a line for each error */
export function readSettings(environment: NodeJS.ProcessEnv, needs?: Needs): ReturnType<typeof readConfig> {
  try {
    return readConfig(environment, needs);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new Failure(2, [show`The settings are not valid:`, ...error.problems.map((problem) => show`  ${problem}`)], {
      data: { problems: error.problems },
    });
  }
}

/** Returns the folder of the archive. @throws Failure 2 if the archive is an object store */
export function archiveFolder({ archive }: Pick<Config, "archive">): string {
  if (isInFolder(archive)) return archive.folder;
  throw new Failure(
    2,
    show`The archive is in an object store. Copy the archive or the dataset to a folder, and name that folder.`,
  );
}
