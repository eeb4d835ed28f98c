import type { Command } from "@commander-js/extra-typings";
import type { SubmissionFile } from "../../../../packages/client/src/index.ts";
import { addApiCommand, clientOf, SUBMISSION } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import { Failure, problemOf } from "../../terminal/failure.ts";
import { several } from "../../terminal/numbers.ts";
import { readInput } from "../../terminal/read-input.ts";
import { NEXT, OK, show } from "../../terminal/text.ts";

/** `exclude`: excludes unreadable objects, with a reason that the manifest and the receipt contain. */
export function addExclude(program: Command): void {
  addApiCommand(program, "exclude", "exclude unreadable objects from the dataset")
    .addArgument(SUBMISSION)
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
    .action(async (id, named, { reason, keysFile, allUnreadable, ...options }) => {
      const { client, output } = clientOf(options);
      if (named.length === 0 && keysFile === undefined && !allUnreadable) {
        throw new Failure(2, "No keys were given. Name keys, or use --keys-file FILE or --all-unreadable");
      }
      const keys = new Set([
        ...named,
        ...(keysFile === undefined ? "" : await readInput(keysFile, "The keys in"))
          .split(/\r?\n/)
          .filter((line) => line !== ""),
        ...(allUnreadable ? (await unreadable(client, id)).map(({ key }) => key) : []),
      ]);
      if (keys.size === 0) throw new Failure(1, "No objects to exclude");
      const submission = await client
        .ask(
          client.api.POST("/submission/{id}/exclude", { params: { path: { id } }, body: { keys: [...keys], reason } }),
        )
        .catch(async (error: unknown) => {
          throw await withKeysOfPaths(client, id, keys, error);
        });
      output.data(submission);
      output.say(show`${OK} ${several(keys.size, "object")} excluded. Status of the submission: ${submission.status}`);
    });
}

/** The error, with the keys of files that were named by their path in the dataset, as `status --files` shows it. */
async function withKeysOfPaths(
  client: Client,
  id: string,
  named: ReadonlySet<string>,
  error: unknown,
): Promise<unknown> {
  const problem = problemOf(error);
  if (!(error instanceof Failure) || !problem?.errors?.some(({ code }) => code === "not_unreadable")) return error;
  const meant = (await unreadable(client, id)).filter(({ path, key }) => path !== key && named.has(path));
  const hints = meant.map(({ key }) => show`  ${NEXT} Did you mean ${key}? Keys do not begin with data/.`);
  return new Failure(error.exitCode, [...error.lines, ...hints], { data: error.data, cause: error.cause });
}

function unreadable(client: Client, id: string): Promise<SubmissionFile[]> {
  const files = client.pages((page) =>
    client.api.GET("/submission/{id}/files", { params: { path: { id }, query: { state: "failed", ...page } } }),
  );
  return Array.fromAsync(files);
}
