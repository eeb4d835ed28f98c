import { type Command, Option } from "@commander-js/extra-typings";
import type { components } from "../../../../packages/client/src/index.ts";
import { addApiCommand, clientOf } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import { Failure } from "../../terminal/failure.ts";
import { type Column, fullTable, sayTable } from "../../terminal/table.ts";
import { OK, show } from "../../terminal/text.ts";

type Curator = components["schemas"]["Curator"];
type Template = components["schemas"]["ReplyTemplate"];

const CURATOR_COLUMNS: readonly Column<Curator>[] = [
  { title: "open reviews", cell: ({ assigned }) => String(assigned) },
  { title: "curator", cell: ({ owner }) => owner, fills: true },
];

/** `review curators`: the accounts to which a review can be assigned. */
export function addCurators(review: Command): void {
  addApiCommand(review, "curators", "list the curators to whom a review can be assigned")
    .option("--remove <account>", "remove an account that the identity provider has deleted, as an admin")
    .action(async ({ remove: owner, ...options }) => {
      const { client, output } = clientOf(options);
      if (owner !== undefined) {
        await client.ask(client.api.DELETE("/curator", { params: { query: { owner } } }));
        output.data({ owner, removed: true });
        return output.say(show`${OK} ${owner} is no longer a known curator`);
      }
      const curators = each(client.ask(client.api.GET("/curator", {})));
      await sayTable(output, curators, { columns: CURATOR_COLUMNS, none: show`No curators`, format: fullTable });
    });
}

const TEMPLATE_COLUMNS: readonly Column<Template>[] = [
  { title: "language", cell: ({ language }) => language },
  { title: "title", cell: ({ title }) => title, fills: true },
];

/** `review templates`: the operator's texts for comments. */
export function addTemplates(review: Command): void {
  addApiCommand(review, "templates", "list the reply templates of the service").action(async (options) => {
    const { client, output } = clientOf(options);
    const templates = each(client.ask(client.api.GET("/reply-template", {})));
    await sayTable(output, templates, { columns: TEMPLATE_COLUMNS, none: show`No templates`, format: fullTable });
  });
}

/** Inserts a template into a comment. */
export const TEMPLATE = new Option(
  "--template <title>",
  "insert the reply template with this title before the comment",
);

/** The text of a template, followed by the comment. @throws Failure if no template has this title */
export async function replyFrom(
  client: Client,
  title: string | undefined,
  comment: string | undefined = "",
): Promise<string> {
  if (title === undefined) return comment;
  const templates = await client.ask(client.api.GET("/reply-template", {}));
  const found = templates.find((one) => one.title === title);
  if (found === undefined) {
    throw new Failure(2, show`No reply template has the title “${title}”. “accession review templates” lists them`);
  }
  return comment === "" ? found.text : `${found.text}\n\n${comment}`;
}

async function* each<Entry>(list: Promise<Entry[]>): AsyncGenerator<Entry> {
  yield* await list;
}
