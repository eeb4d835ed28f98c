import type { Command } from "@commander-js/extra-typings";
import { runUntilStopped, startWorker } from "../../start.ts";
import { Failure } from "../../terminal/failure.ts";
import { Output } from "../../terminal/output.ts";
import { show } from "../../terminal/text.ts";
import { readSettings } from "./config.ts";

/** `worker`: processes submissions without serving the API, until a signal stops it. */
export function addWorker(program: Command): void {
  program
    .command("worker")
    .description("run a worker, which processes submissions of a service")
    .addHelpText(
      "after",
      `
Any number of workers can share the submissions of one installation (one
PostgreSQL database). All need the same settings, except ACCESSION_DATA,
ACCESSION_HOST and ACCESSION_METRICS_PORT. In particular these must be equal:
ACCESSION_DATABASE_URL, ACCESSION_ARCHIVE, the key files and
ACCESSION_PUBLIC_URL.

SIGINT, SIGTERM and SIGHUP stop a worker within ten seconds, and the others
continue its work. With ACCESSION_METRICS_PORT, it offers health checks and
metrics.

Example:
  ACCESSION_DATABASE_URL=postgres://accession@db/accession ACCESSION_PUBLIC_URL=https://data.example.org \\
    ACCESSION_ARCHIVE=/srv/accession/archive ACCESSION_SECRET_KEY_FILE=/etc/accession/secret.key \\
    ACCESSION_SIGNING_KEY_FILE=/etc/accession/signing.key accession worker`,
    )
    .action(async () => {
      const role = process.env.ACCESSION_ROLE?.trim();
      if (role !== undefined && role !== "" && role !== "worker") {
        throw new Failure(2, show`ACCESSION_ROLE is ${role}. Remove the setting, or set it to “worker”.`);
      }
      const config = readSettings({ ...process.env, ACCESSION_ROLE: "worker" });
      const output = new Output({});
      await runUntilStopped(config, startWorker, () => output.say(show`The worker is running`));
    });
}
