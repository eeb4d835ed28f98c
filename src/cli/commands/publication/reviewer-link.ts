import type { Command } from "@commander-js/extra-typings";
import type { components } from "../../../../packages/client/src/index.ts";
import {
  addApiCommand,
  clientOf,
  DATASET,
  given,
  inDays,
  VERSION,
  versionQuery,
  wholeNumber,
} from "../../api-command.ts";
import { moment, several } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { type Column, fullTable, sayTable } from "../../terminal/table.ts";
import { show, styled, WARNING } from "../../terminal/text.ts";

type Link = components["schemas"]["ReviewerLink"];
type NewLink = components["schemas"]["NewReviewerLink"];

/** `review link`: links with which reviewers of a journal read a dataset without an account. */
export function addReviewerLink(review: Command): void {
  const link = review.command("link").description("links for reviewers without an account");
  addCreate(link);
  addList(link);
  addRevoke(link);
}

function addCreate(link: Command): void {
  addApiCommand(link, "create", "create a link; its address is shown once")
    .addOption(VERSION)
    .addArgument(DATASET)
    .option("--label <text>", "label, such as the journal; reviewers do not see it")
    .option("--days <number>", "days until it expires (default 90, at most 366)", wholeNumber)
    .option("--names", "show people and institutions to the reviewers (default: an anonymous view)")
    .action(async (id, { label, days, names, ...options }) => {
      const { client, output } = clientOf(options);
      const params = { path: { id }, query: versionQuery(options) };
      const body = {
        anonymous: names !== true,
        ...given({ label, expiresAt: days === undefined ? undefined : inDays(days) }),
      };
      const made = await client.ask(client.api.POST("/dataset/{id}/reviewer-link", { params, body }));
      output.data(made);
      output.say(show`${styled("bold", made.url)}`);
      output.say(show`Can be used until ${moment(made.expiresAt)}. This address is not shown again.`);
      if (made.anonymous) sayFindings(output, made);
    });
}

/** Prints what can tell reviewers who made the dataset. */
function sayFindings(output: Output, { findings, findingsTotal, filesLeftOut }: NewLink): void {
  output.say(
    show`The view names no people and institutions. Files and texts are not changed: check that they name none.`,
  );
  if (filesLeftOut > 0) {
    const verbs = filesLeftOut === 1 ? "describes the dataset is" : "describe the dataset are";
    output.say(show`${several(filesLeftOut, "file")} that ${verbs} excluded.`);
  }
  for (const { kind, text, place } of findings) {
    if (kind === "excluded") continue;
    const where = "field" in place ? place.field : place.file;
    output.say(show`${WARNING} ${where} contains “${text}”`, { hang: 2 });
  }
  const more = findingsTotal - findings.length;
  if (more > 0) output.say(show`${several(more, "further place")} not listed`);
}

function addList(link: Command): void {
  addApiCommand(link, "list", "list the links of a dataset and their visits, newest first")
    .addArgument(DATASET)
    .action(async (id, options) => {
      const { client, output } = clientOf(options);
      const links = await client.ask(client.api.GET("/dataset/{id}/reviewer-link", { params: { path: { id } } }));
      const none = show`The dataset has no reviewer links`;
      await sayTable(output, links, { columns: COLUMNS, none, format: fullTable });
    });
}

const COLUMNS: readonly Column<Link>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "state", cell: ({ state }) => state },
  { title: "view", cell: ({ anonymous }) => (anonymous ? "anonymous" : "with names"), dispensable: 2 },
  { title: "expires", cell: ({ expiresAt }) => moment(expiresAt), dispensable: 1 },
  { title: "visits", cell: ({ visits }) => `${visits}` },
  { title: "last visit", cell: ({ lastVisitAt }) => (lastVisitAt === null ? "" : moment(lastVisitAt)), dispensable: 3 },
  { title: "created by", cell: ({ createdBy }) => createdBy, dispensable: 1 },
  { title: "label", cell: ({ label }) => label, fills: true },
];

function addRevoke(link: Command): void {
  addApiCommand(link, "revoke", "revoke a link; it and downloads with it end at once")
    .addArgument(DATASET)
    .argument("<link>", "id of the link (not its address)")
    .action(async (id, name, options) => {
      const { client, output } = clientOf(options);
      const params = { path: { id, link: name } };
      await client.ask(client.api.DELETE("/dataset/{id}/reviewer-link/{link}", { params }));
      output.say(show`The link is revoked`);
    });
}
