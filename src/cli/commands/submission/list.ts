import { type Command, Option } from "commander";
import type { Page, SubmissionEntry } from "../../../../packages/client/src/index.ts";
import { addApiCommand, type Common, clientOf, wholeNumber } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import { count, moment, size } from "../../terminal/numbers.ts";
import { type Column, table } from "../../terminal/table.ts";
import { type Shown, show } from "../../terminal/text.ts";

/** Options of the lists of submissions and datasets. */
export interface ListOptions extends Common {
  q?: string;
  owner?: string;
  updatedAfter?: string;
  limit: number;
  ids?: boolean;
}

interface SubmissionListOptions extends ListOptions {
  status?: SubmissionEntry["status"];
}

/** Query parameters of both lists. */
interface ListQuery extends Page {
  q?: string;
  owner?: string;
  updatedAfter?: string;
}

const STATUSES = "accepted listing transferring verifying packaging completed waiting failed cancelled".split(" ");

/** `list`: lists submissions, newest first. */
export function addList(program: Command): void {
  addListOptions(addApiCommand(program, "list", "list submissions, newest first"))
    .addOption(new Option("--status <status>", "only submissions with this status").choices(STATUSES))
    .addHelpText(
      "after",
      `
Examples:
  accession list --status waiting
  accession list --q barley --limit 1000 | jq -r .id
  accession list --updated-after 2026-11-01T00:00:00Z`,
    )
    .action(async ({ status, ...options }: SubmissionListOptions) => {
      await sayList({
        ...options,
        columns,
        read: (client, query) =>
          client.api.GET("/submission", { params: { query: { ...query, ...(status !== undefined && { status }) } } }),
        none: show`No submissions match`,
      });
    });
}

/** Adds the options of the lists of submissions and datasets. */
export function addListOptions(command: Command): Command {
  return command
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
}: ListOptions & {
  read: (client: Client, query: ListQuery) => Promise<{ data?: Entry[]; error?: unknown; response: Response }>;
  columns: readonly Column<Entry>[];
  none: Shown;
}): Promise<void> {
  const { client, output } = clientOf(options);
  const found: Entry[] = [];
  const query = {
    ...(q !== undefined && { q }),
    ...(owner !== undefined && { owner }),
    ...(updatedAfter !== undefined && { updatedAfter }),
  };
  for await (const entry of client.pages((page) => read(client, { ...query, ...page }), limit)) {
    if (ids) {
      output.line(entry.id);
      continue;
    }
    output.data(entry);
    if (!output.json) found.push(entry);
  }
  if (ids) return;
  if (found.length === 0) output.say(none);
  else for (const line of table(columns, found, output.columns)) output.say(line);
}

const columns = [
  { title: "id", cell: ({ id }: SubmissionEntry) => id },
  { title: "status", cell: ({ status, withdrawn }: SubmissionEntry) => (withdrawn === null ? status : "withdrawn") },
  { title: "created", cell: ({ createdAt }: SubmissionEntry) => moment(createdAt), dispensable: 1 },
  {
    title: "objects",
    cell: ({ progress }: SubmissionEntry) => count(progress.objectsListed),
    side: "right" as const,
    dispensable: 2,
  },
  {
    title: "size",
    cell: ({ progress }: SubmissionEntry) => size(progress.bytesListed),
    side: "right" as const,
    dispensable: 3,
  },
  {
    title: "version",
    cell: ({ target }: SubmissionEntry) => (target === null ? "" : String(target.version)),
    side: "right" as const,
    dispensable: 4,
  },
  { title: "title", cell: ({ title }: SubmissionEntry) => title, fills: true as const },
];
