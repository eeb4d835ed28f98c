import type { Command } from "commander";
import type { DemoOptions } from "../demo/run.ts";

/** `demo`: the whole of it on this machine, with a bucket of its own. */
export function addDemo(program: Command): void {
  program
    .command("demo")
    .description("try it out: the service and a sample bucket, one submission, its package and receipt")
    .option("--dir <dir>", "data folder; without it ACCESSION_DATA, or ./data/demo")
    .option("--exit", "end when the submission is done, instead of serving on")
    .addHelpText("after", "\nExample:\n  accession demo --exit --dir /tmp/accession-demo")
    .action(async (options: DemoOptions) => {
      // Loaded here: other commands need no S3 server and should not wait for it.
      const { demo } = await import("../demo/run.ts");
      await demo(options);
    });
}
