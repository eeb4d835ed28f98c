import type { Command } from "commander";
import { isInFolder } from "../../archive/location.ts";
import type { Config } from "../../config/config.ts";
import { ConfigError, describeConfig, type Needs, readConfig } from "../../config/config.ts";
import { addApiCommand, type Common } from "../api-command.ts";
import { Failure } from "../terminal/failure.ts";
import { Output } from "../terminal/output.ts";
import { pad, show, styled } from "../terminal/text.ts";

/** `config`: the settings as they are, secrets masked, and all that is wrong with them. */
export function addConfig(program: Command): void {
  addApiCommand(program, "config", "print the settings, secrets masked, and what is wrong with them").action(
    (options: Common) => {
      const output = new Output(options);
      const settings = describeConfig(process.env);
      output.data(settings);
      const width = Math.max(...Object.keys(settings).map((name) => name.length));
      for (const [name, value] of Object.entries(settings)) {
        // In parentheses: the default.
        output.say(show`${pad(name, width)}  ${value.startsWith("(") ? styled("dim", value) : value}`);
      }
      readSettings(process.env);
    },
  );
}

/** Reads the service's settings. @throws Failure 2 with every problem on a line of its own */
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

/** The folder of the archive that the settings name. @throws Failure 2 if it is stored in an object store */
export function archiveFolder({ archive }: Pick<Config, "archive">): string {
  if (isInFolder(archive)) return archive.folder;
  throw new Failure(2, show`The archive lies in an object store: copy it, or the dataset, into a folder and name that`);
}
