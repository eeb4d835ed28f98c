import type { Command } from "@commander-js/extra-typings";
import { Failure } from "../../terminal/failure.ts";
import { show } from "../../terminal/text.ts";

/** `demo`: runs the service with a sample bucket and archives it. */
export function addDemo(program: Command): void {
  program
    .command("demo")
    .description(
      "try Accession: run the service and a sample bucket, submit the bucket, publish the dataset, and show package and receipt",
    )
    .option("--dir <dir>", "data folder (default: ACCESSION_DATA or ./data/demo)")
    .option("--exit", "exit after the submission instead of running the service")
    .addHelpText(
      "after",
      `
ACCESSION_PORT sets the port (default: 8080, or the next free one).

Examples:
  accession demo --exit --dir /tmp/accession-demo
  ACCESSION_PORT=8090 accession demo`,
    )
    .action(async (options) => {
      // Imported lazily, because other commands do not need the S3 server.
      const { demo } = await import("../../demo/run.ts").catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
        throw new Failure(
          1,
          show`This installation does not contain the servers of the demo. Run “npm run demo” in a checkout`,
        );
      });
      await demo(options);
    });
}
