import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { addApiCommand, type Common, clientOf } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import { Failure, reasonOf } from "../../terminal/failure.ts";
import { several } from "../../terminal/numbers.ts";
import { show, styled } from "../../terminal/text.ts";

interface ExcludeOptions extends Common {
  reason: string;
  keysFile?: string;
  allUnreadable?: boolean;
}

/** `exclude`: excludes unreadable objects, with a reason that the manifest and the receipt contain. */
export function addExclude(program: Command): void {
  addApiCommand(program, "exclude", "exclude unreadable objects from the dataset")
    .argument("<id>", "id of the submission")
    .argument("[keys...]", "keys of the objects")
    .requiredOption("--reason <text>", "reason; the manifest and the receipt contain it")
    .option("--keys-file <file>", "file with a key per line; - for standard input")
    .option("--all-unreadable", "exclude all objects that are currently unreadable")
    .addHelpText(
      "after",
      `
Examples:
  accession exclude 0198f0c2-5d4e-7aaa-8000-6f1c3b9a2d10 raw/run-7.dat --reason "lost with the old disk"
  accession exclude 0198f0c2-5d4e-7aaa-8000-6f1c3b9a2d10 --all-unreadable --reason "superseded"`,
    )
    .action(async (id: string, given: string[], { reason, keysFile, allUnreadable, ...options }: ExcludeOptions) => {
      const { client, output } = clientOf(options);
      if (given.length === 0 && keysFile === undefined && !allUnreadable) {
        throw new Failure(2, "No keys were given. Name keys, or use --keys-file FILE or --all-unreadable");
      }
      const keys = new Set([
        ...given,
        ...(keysFile === undefined ? [] : await readKeys(keysFile)),
        ...(allUnreadable ? await unreadableKeys(client, id) : []),
      ]);
      if (keys.size === 0) throw new Failure(1, "No objects to exclude");
      const submission = await client.ask(
        client.api.POST("/submission/{id}/exclude", { params: { path: { id } }, body: { keys: [...keys], reason } }),
      );
      output.data(submission);
      output.say(
        show`${styled("green", "✓")} ${several(keys.size, "object")} excluded. Status of the submission: ${submission.status}`,
      );
    });
}

async function readKeys(file: string): Promise<string[]> {
  const content = await (file === "-" ? text(process.stdin) : readFile(file, "utf8")).catch((error: unknown) => {
    throw new Failure(2, show`The keys in ${file} cannot be read: ${reasonOf(error)}`);
  });
  return content.split(/\r?\n/).filter((line) => line !== "");
}

async function unreadableKeys(client: Client, id: string): Promise<string[]> {
  const keys: string[] = [];
  const files = client.pages((page) =>
    client.api.GET("/submission/{id}/files", { params: { path: { id }, query: { state: "failed", ...page } } }),
  );
  for await (const { key } of files) keys.push(key);
  return keys;
}
