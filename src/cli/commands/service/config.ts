import type { Command } from "@commander-js/extra-typings";
import { isInFolder } from "../../../archive/location.ts";
import type { Config } from "../../../platform/config/config.ts";
import { ConfigError, describeConfig, type Needs, readConfig } from "../../../platform/config/config.ts";
import { addApiCommand } from "../../api-command.ts";
import { Failure, reasonOf, Unsuccessful } from "../../terminal/failure.ts";
import { Output } from "../../terminal/output.ts";
import { FAILED, OK, pad, show, styled } from "../../terminal/text.ts";

/** `config`: prints the settings with masked secrets, and all errors in them, and tries what they name. */
export function addConfig(program: Command): void {
  addApiCommand(program, "config", "print the settings with masked secrets, and report errors in them")
    .option(
      "--connect",
      "also try the database, the key files, the archive, the mail server, the OpenID provider and DataCite",
    )
    .action(async (options) => {
      const output = new Output(options);
      const settings = describeConfig(process.env);
      output.data(settings);
      const width = Math.max(...Object.keys(settings).map((name) => name.length));
      for (const [name, value] of Object.entries(settings)) {
        // Defaults are in parentheses.
        output.say(show`${pad(name, width)}  ${value.startsWith("(") ? styled("dim", value) : value}`);
      }
      const config = readSettings(process.env);
      if (options.connect === true) await connect(config, output);
    });
}

/** @throws Unsuccessful if something cannot be reached */
async function connect(config: Config, output: Output): Promise<void> {
  const { tryConnections } = await import("../../../main/try-connections.ts");
  let ok = true;
  output.say(show``);
  for await (const { name, place, error } of tryConnections(config)) {
    const reason = error === undefined ? null : reasonFor(error);
    if (reason !== null) ok = false;
    output.data({ name, place, ok: reason === null, reason });
    if (reason === null) output.say(show`${OK} ${name}: ${place}`);
    else output.say(show`${FAILED} ${name}: ${place}: ${reason}`);
  }
  if (!ok) throw new Unsuccessful();
}

/** The innermost cause says most. A problem of the service without a cause is described by its message, not by its code. */
function reasonFor(error: unknown): string {
  const { cause, fault, message } = error as { cause?: unknown; fault?: unknown; message?: string };
  if (cause instanceof Error) return reasonFor(cause);
  return fault !== undefined && message !== undefined ? message : reasonOf(error);
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
