import { type Command, Option } from "commander";
import type { Submission } from "./api.ts";
import { count, moment, size } from "./numbers.ts";
import { table } from "./table.ts";
import { show } from "./text.ts";
import { addVerb, type Common, clientOf, wholeNumber } from "./verb.ts";

interface ListOptions extends Common {
  status?: string;
  q?: string;
  limit: number;
}

const STATUSES = "accepted listing transferring verifying packaging completed waiting failed cancelled".split(" ");

/** `list`: the caller's submissions, newest first. */
export function addList(program: Command): void {
  addVerb(program, "list", "list submissions, newest first")
    .addOption(new Option("--status <status>", "only those of this status").choices(STATUSES))
    .option("--q <text>", "only those with this in their title")
    .option("--limit <number>", "at most so many", wholeNumber, 50)
    .addHelpText(
      "after",
      `
Examples:
  accession list --status waiting
  accession list --q barley --limit 1000 | jq -r .id`,
    )
    .action(async ({ status, q, limit, ...options }: ListOptions) => {
      const { client, output } = clientOf(options);
      const found: Submission[] = [];
      for await (const submission of client.pages<Submission>("/submission", { status, q }, limit)) {
        output.data(submission);
        if (!output.json) found.push(submission);
      }
      if (found.length === 0) output.say(show`There are no such submissions`);
      else for (const line of table(columns, found, output.columns)) output.say(line);
    });
}

const columns = [
  { title: "id", cell: ({ id }: Submission) => id },
  { title: "status", cell: ({ status, withdrawn }: Submission) => (withdrawn === null ? status : "withdrawn") },
  { title: "created", cell: ({ createdAt }: Submission) => moment(createdAt), dispensable: 1 },
  {
    title: "objects",
    cell: ({ progress }: Submission) => count(progress.objectsListed),
    side: "right" as const,
    dispensable: 2,
  },
  {
    title: "size",
    cell: ({ progress }: Submission) => size(progress.bytesListed),
    side: "right" as const,
    dispensable: 3,
  },
  { title: "title", cell: ({ title }: Submission) => title, fills: true as const },
];
