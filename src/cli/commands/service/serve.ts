import type { Command } from "@commander-js/extra-typings";
import { runUntilStopped, start } from "../../start.ts";
import { Failure } from "../../terminal/failure.ts";
import { Output } from "../../terminal/output.ts";
import { show, styled } from "../../terminal/text.ts";
import { readSettings } from "./config.ts";

/** `serve`: runs the service until a signal stops it. */
export function addServe(program: Command): void {
  program
    .command("serve")
    .description("run the service")
    .addHelpText(
      "after",
      `
Settings are environment variables; “accession config” prints them. The log is
written to standard error as JSON lines. SIGINT, SIGTERM and SIGHUP stop the
service within ten seconds, and the next start resumes its work. A second signal
ends it immediately.

Example:
  ACCESSION_DATA=/var/lib/accession ACCESSION_PORT=8080 accession serve`,
    )
    .action(async () => {
      const config = readSettings(process.env);
      if (config.role === "worker")
        throw new Failure(2, show`ACCESSION_ROLE is “worker”. Run “accession worker” instead.`);
      const output = new Output({});
      const starting = () => {
        output.say(show`Accession is starting. Its log follows as JSON lines.`);
        return start(config);
      };
      await runUntilStopped(config, starting, async ({ url }) => {
        // Imported lazily; the service has already loaded it.
        const { describeLocation } = await import("../../../archive/location.ts");
        output.say(
          show`${styled("bold", `Accession listens on ${url}`)}  (web interface: ${url}/app/, API description: ${url}/docs)`,
        );
        output.say(show`The archive is ${describeLocation(config.archive)}. Press Ctrl-C to stop the service.`);
      });
    });
}
