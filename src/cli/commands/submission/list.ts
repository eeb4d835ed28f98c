import { type Command, Option } from "@commander-js/extra-typings";
import type { Page, SubmissionEntry } from "../../../../packages/client/src/index.ts";
import { STATUSES } from "../../../domain/submission/states.ts";
import { addApiCommand, clientOf, given, type OptionsOf, wholeNumber } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import { count, moment, size } from "../../terminal/numbers.ts";
import { type Column, sayTable } from "../../terminal/table.ts";
import { type Shown, show } from "../../terminal/text.ts";

/** Query parameters of both lists. */
interface ListQuery extends Page {
  q?: string;
  owner?: string;
  updatedAfter?: string;
}

/** `list`: lists submissions, newest first. */
export function addList(program: Command): void {
  addListCommand(program, "list submissions, newest first")
    .addOption(new Option("--status <status>", "only submissions with this status").choices(STATUSES))
    .addHelpText(
      "after",
      `
Examples:
  accession list --status waiting
  accession list --q barley --limit 1000 | jq -r .id
  accession list --updated-after 2026-11-01T00:00:00Z`,
    )
    .action(async ({ status, ...options }) => {
      await sayList({
        ...options,
        columns,
        read: (client, query) =>
          client.api.GET("/submission", { params: { query: { ...query, ...given({ status }) } } }),
        none: show`No submissions match`,
      });
    });
}

/** Adds a command that lists submissions or datasets. */
export function addListCommand(parent: Command, description: string) {
  return addApiCommand(parent, "list", description)
    .option(
      "--q <text>",
      "only entries with this text in the title, or with its words in title, description, authors or subjects",
    )
    .option("--owner <owner>", "only entries of this owner (for curators and admins)")
    .option("--updated-after <time>", "only entries that changed after this time (ISO 8601)")
    .option("--limit <number>", "maximum number of entries", wholeNumber, 50)
    .option("--ids", "print only the ids, one per line");
}

/** Prints a list as a table, or as a JSON line for each entry. */
export async function sayList<Entry extends { id: string }>({
  read,
  columns,
  none,
  q,
  owner,
  updatedAfter,
  limit,
  ids,
  ...options
}: OptionsOf<typeof addListCommand> & {
  read: (client: Client, query: ListQuery) => Promise<{ data?: Entry[]; error?: unknown; response: Response }>;
  columns: readonly Column<Entry>[];
  none: Shown;
}): Promise<void> {
  const { client, output } = clientOf(options);
  const query = given({ q, owner, updatedAfter });
  const entries = client.pages((page) => read(client, { ...query, ...page }), limit);
  if (!ids) return sayTable(output, entries, { columns, none });
  for await (const entry of entries) output.line(entry.id);
}

const columns: readonly Column<SubmissionEntry>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "status", cell: ({ status, withdrawn }) => (withdrawn === null ? status : "withdrawn") },
  { title: "created", cell: ({ createdAt }) => moment(createdAt), dispensable: 1 },
  { title: "objects", cell: ({ progress }) => count(progress.objectsListed), side: "right", dispensable: 2 },
  { title: "size", cell: ({ progress }) => size(progress.bytesListed), side: "right", dispensable: 3 },
  { title: "version", cell: ({ target }) => target?.version ?? "", side: "right", dispensable: 4 },
  { title: "title", cell: ({ title }) => title, fills: true },
];
