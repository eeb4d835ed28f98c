import type { Command } from "commander";
import { aborted, announceStop, start, stopSignal, unlessStopped } from "../start.ts";
import { Failure } from "../terminal/failure.ts";
import { Output } from "../terminal/output.ts";
import { show, styled } from "../terminal/text.ts";
import { readSettings } from "./config.ts";

/** `serve`: the service, until a signal ends it. */
export function addServe(program: Command): void {
  program
    .command("serve")
    .description("run the service")
    .addHelpText(
      "after",
      `
Settings are environment variables; “accession config” prints them. The log goes to standard error, a JSON line each.
SIGINT, SIGTERM and SIGHUP stop it within seconds, and the next start resumes its work; a second signal ends it at once.

Example:
  ACCESSION_DATA=/srv/accession ACCESSION_PORT=8080 accession serve`,
    )
    .action(async () => {
      const config = readSettings(process.env);
      if (config.role === "worker") throw new Failure(2, show`ACCESSION_ROLE is “worker”: run “accession worker”.`);
      const output = new Output({});
      const { openLog } = await import("../../telemetry/log.ts");
      const stop = stopSignal(announceStop(openLog(config.logLevel)));
      output.say(show`Accession starts; its log follows as JSON lines.`);
      const service = await unlessStopped(stop, start(config));
      if (service === undefined) return;
      const { url } = service;
      // By now it is loaded.
      const { describeLocation } = await import("../../archive/location.ts");
      output.say(
        show`${styled("bold", `Accession listens on ${url}`)}  (page: ${url}/app/, API description: ${url}/docs)`,
      );
      output.say(show`The archive is ${describeLocation(config.archive)}. Ctrl-C stops it.`);
      await aborted(stop);
      await service.stop();
    });
}
