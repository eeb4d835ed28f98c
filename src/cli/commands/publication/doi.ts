import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import type { components } from "../../../../packages/client/src/index.ts";
import { addApiCommand, type Common, clientOf } from "../../api-command.ts";
import { Unsuccessful } from "../../terminal/failure.ts";
import { several } from "../../terminal/numbers.ts";
import { show, styled } from "../../terminal/text.ts";

type Doi = components["schemas"]["Doi"];

const POLL_MS = 1_000;

/** `doi check`: compares the registered DOIs with DataCite. */
export function addDoi(program: Command): void {
  const doi = program.command("doi").description("registered DOIs");
  addApiCommand(doi, "check", "compare all registered DOIs with DataCite")
    .option("--repair", "correct what differs")
    .addHelpText("after", "\nThe exit code is 1 if a DOI differs.")
    .action(checkDois);
}

async function checkDois({ repair = false, ...options }: Common & { repair?: boolean }): Promise<void> {
  const { client, output } = clientOf(options);
  const { queued } = await client.ask(client.api.POST("/doi/check", { body: { repair } }));
  for (;;) {
    const different: Doi[] = [];
    const read = (page: object) => client.api.GET("/doi", { params: { query: { ...page, different: true } } });
    for await (const entry of client.pages<Doi>(read)) different.push(entry);
    if (different.every(({ checkedAt }) => checkedAt !== null)) {
      for (const entry of different) {
        output.data(entry);
        output.say(show`${styled("red", "✗")} ${entry.doi}: ${entry.differences.join(", ")}`, { hang: 2 });
      }
      const found = different.length === 0 ? "no differences" : `${several(different.length, "DOI")} with differences`;
      output.say(show`${several(queued, "DOI")} compared, ${found}`);
      if (different.length > 0) throw new Unsuccessful();
      return;
    }
    await sleep(POLL_MS);
  }
}
