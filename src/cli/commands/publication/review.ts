import { type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { components, Page } from "../../../../packages/client/src/index.ts";
import { ACCESS_KINDS, PUBLICATION_QUEUES } from "../../../../packages/rules/src/index.ts";
import { addApiCommand, clientOf, DATASET, given, VERSION, versionQuery, wholeNumber } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import { Failure } from "../../terminal/failure.ts";
import type { Output } from "../../terminal/output.ts";
import { type Column, fullTable, sayTable } from "../../terminal/table.ts";
import { show, styled } from "../../terminal/text.ts";
import { addCurators, addTemplates, replyFrom, TEMPLATE } from "./curators.ts";
import {
  commentsOf,
  curatorOf,
  type Publication,
  sayAgreement,
  sayChecks,
  sayHistory,
  sayPublication,
} from "./publication-output.ts";
import { addReviewerLink } from "./reviewer-link.ts";

type Entry = components["schemas"]["PublicationListEntry"];

/** `review`: the commands of curators, and of owners who answer them. */
export function addReview(program: Command): void {
  const review = program.command("review").description("review datasets before publication");
  addListing(review);
  addQueues(review);
  addShow(review);
  addComment(review);
  addResolve(review);
  addAssign(review);
  addCurators(review);
  addTemplates(review);
  addDecision(review, "request-changes", "return a dataset to its owner", "mandatory");
  addDecision(review, "decline", "decline publication", "mandatory");
  addDecision(review, "approve", "approve publication", "optional");
  addDecision(review, "take-back", "take a request or an approval back", "optional");
  addAccess(review);
  addWithdraw(review);
  addReviewerLink(review);
}

function addListing(review: Command): void {
  addApiCommand(review, "list", "list publications, by default those first that have waited longest")
    .addOption(new Option("--queue <queue>", "part of the queue").choices(PUBLICATION_QUEUES))
    .option(
      "--q <text>",
      "only entries with this text in title, owner, dataset id or DOI, or with its words in the metadata",
    )
    .option(
      "--collection <ids...>",
      "only datasets that belong to one of these collections, or whose owners ask for one of them",
    )
    .addOption(new Option("--sort <order>", "sort order; with - in reverse").choices(SORTS))
    .option("--limit <number>", "maximum number of entries", wholeNumber, 50)
    .action(async ({ queue, q, collection, sort, limit, ...options }) => {
      const { client, output } = clientOf(options);
      const read = (page: Page) =>
        client.api.GET("/publication", { params: { query: { ...page, ...given({ queue, q, collection, sort }) } } });
      const entries = client.pages<Entry>(read, limit);
      await sayTable(output, entries, { columns: COLUMNS, none: show`No publications match`, format: fullTable });
    });
}

/** `review queues`: how much waits in each part of the queue, and the option that lists it. */
function addQueues(review: Command): void {
  addApiCommand(review, "queues", "count the publications in each part of the queue").action(async (options) => {
    const { client, output } = clientOf(options);
    const counts = await client.ask(client.api.GET("/publication-queue", {}));
    output.data(counts);
    const row = output.rows(11);
    for (const queue of PUBLICATION_QUEUES) row(queue, show`${String(counts[queue])}`);
  });
}

const SORTS = ["since", "-since", "title", "-title"] as const;
const DAY_MS = 86_400_000;

/** How long an entry has waited, in days, and whether that is longer than the service waits before a reminder. */
function waited({ since, isOverdue }: Entry): string {
  const days = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / DAY_MS));
  return `${days} d${isOverdue ? ", overdue" : ""}`;
}

/** Errors and warnings of the automatic checks. */
function found({ checks }: Entry): string {
  return checks === null ? "" : `${checks.errors} E, ${checks.warnings} W`;
}

const COLUMNS: readonly Column<Entry>[] = [
  { title: "dataset", cell: ({ dataset }) => dataset },
  { title: "state", cell: ({ state }) => state.replaceAll("_", " ") },
  { title: "waiting", cell: waited, dispensable: 2 },
  { title: "owner", cell: ({ owner }) => owner, dispensable: 2 },
  { title: "curator", cell: curatorOf, dispensable: 2 },
  { title: "waiting for", cell: ({ waitingFor }) => waitingFor ?? "", dispensable: 2 },
  { title: "checks", cell: found, dispensable: 3 },
  { title: "title", cell: ({ title }) => title, fills: true },
];

function addShow(review: Command): void {
  addApiCommand(review, "show", "show the publication of a dataset, its checks and its history")
    .addOption(VERSION)
    .addArgument(DATASET)
    .option("--before <number>", "show the part of the history before the entry with this number", wholeNumber)
    .action(async (id, { before, ...options }) => {
      const { client, output } = clientOf(options);
      const query = { ...versionQuery(options), ...given({ before }) };
      const params = { path: { id }, query };
      const get = client.api.GET("/dataset/{id}/publication", { params });
      const { data: found, headers } = await client.askWithHeaders(get);
      if (!output.json) await sayDataset(client, output, found);
      sayPublication(output, found, headers.get("etag"));
      sayAgreement(output, found);
      sayChecks(output, found);
      sayHistory(output, found);
    });
}

/** Prints the title and the owner of a dataset, which are not part of its publication. */
async function sayDataset(client: Client, output: Output, { dataset: id, version }: Publication): Promise<void> {
  const params = { path: { id }, query: { version } };
  const { title } = await client.ask(client.api.GET("/dataset/{id}", { params }));
  output.say(show`${styled("bold", title)}`, { hang: 2 });
  // Only lists name the owner.
  const query = { q: title.slice(0, 200), limit: 100 };
  const found = await client.ask(client.api.GET("/dataset", { params: { query } }));
  const owner = found.find((entry) => entry.id === id)?.owner;
  if (owner !== undefined) output.say(show`  ${"owner".padEnd(11)} ${owner}`);
}

function addComment(review: Command): void {
  addApiCommand(review, "comment", "comment on a dataset, a metadata field or a file")
    .addOption(VERSION)
    .addArgument(DATASET)
    .argument("[text]", "the comment; with --template, it follows the text of the template")
    .addOption(TEMPLATE)
    .addOption(new Option("--field <pointer>", "metadata field, such as /authors/0").conflicts("file"))
    .option("--file <path>", "file, such as data/plot-01.csv")
    .option("--answers <number>", "number of the comment that this one answers", wholeNumber)
    .action(async (id, text, { field, file, answers, template, ...options }) => {
      const { client, output } = clientOf(options);
      const params = { path: { id }, query: versionQuery(options) };
      const place = field === undefined ? file && { file } : { field };
      const comment = await replyFrom(client, template, text);
      if (comment === "") throw new Failure(2, show`State the comment, or name a template with --template`);
      const body = { comment, ...given({ place: place || undefined, answers }) };
      const changed = await client.ask(client.api.POST("/dataset/{id}/publication/comment", { params, body }));
      output.data(changed);
      sayHistory(output, { history: changed.history.slice(-1), historyBefore: null });
    });
}

function addResolve(review: Command): void {
  addApiCommand(review, "resolve", "mark a comment as resolved")
    .addOption(VERSION)
    .addArgument(DATASET)
    .argument("<number>", "number of the comment in the history", wholeNumber)
    .option("--reopen", "mark it as open again")
    .action(async (id, entry, { reopen = false, ...options }) => {
      const { client, output } = clientOf(options);
      const params = { path: { id }, query: versionQuery(options) };
      const body = { entry, resolved: !reopen };
      const changed = await client.ask(client.api.POST("/dataset/{id}/publication/resolve", { params, body }));
      output.data(changed);
      output.say(show`${commentsOf(changed)}`);
    });
}

function addAssign(review: Command): void {
  addApiCommand(review, "assign", "assign the review of a dataset to a curator")
    .addOption(VERSION)
    .addArgument(DATASET)
    .addOption(new Option("--curator <name>", "owner name of the curator").conflicts("none"))
    .option("--none", "remove the assignment")
    .action(async (id, { curator, none, ...options }) => {
      if (curator === undefined && !none) throw new Failure(2, show`Name a curator with --curator, or use --none`);
      const { client, output } = clientOf(options);
      const params = { path: { id }, query: versionQuery(options) };
      const body = { curator: curator ?? null };
      sayPublication(output, await client.ask(client.api.POST("/dataset/{id}/publication/assign", { params, body })));
    });
}

type Decision = "request-changes" | "decline" | "approve" | "take-back";

function addDecision(review: Command, action: Decision, description: string, kind: "mandatory" | "optional"): void {
  // An approval binds the state that the curator has seen.
  const expected = "refuse the action unless the publication has this ETag of “accession review show”, such as p1.4.2";
  const required = (text: string, isRequired: boolean, how = "required") => `${text}${isRequired ? ` (${how})` : ""}`;
  addApiCommand(review, action, description)
    .addOption(VERSION)
    .addArgument(DATASET)
    .addOption(
      new Option(
        "--comment <text>",
        required("comment for the other party", kind === "mandatory", "required without --template"),
      ),
    )
    .addOption(TEMPLATE)
    .addOption(
      new Option("--expect <state>", required(expected, action === "approve"))
        .argParser(publicationState)
        .makeOptionMandatory(action === "approve"),
    )
    .action(async (id, { comment: text, template, expect, ...options }) => {
      const { client, output } = clientOf(options);
      const comment = await replyFrom(client, template, text);
      if (kind === "mandatory" && comment === "") {
        throw new Failure(2, show`State a comment with --comment, or name a template with --template`);
      }
      const header = expect === undefined ? {} : { "if-match": `"${expect}"` };
      const params = { path: { id }, query: versionQuery(options), header };
      const path = `/dataset/{id}/publication/${action}` as const;
      sayPublication(output, await client.ask(client.api.POST(path, { params, body: { comment } })));
    });
}

/** Accepts the ETag with and without its double quotes. */
function publicationState(text: string): string {
  const [, state] = /^"?(p\d+\.\d+\.\d+)"?$/.exec(text) ?? [];
  if (state !== undefined) return state;
  throw new InvalidArgumentError("Use the ETag that “accession review show” prints, such as p1.4.2.");
}

function addAccess(review: Command): void {
  addApiCommand(review, "access", "change who may read the files of a published dataset")
    .addOption(VERSION)
    .addArgument(DATASET)
    .addOption(new Option("--access <access>", "who may read the files").choices(ACCESS_KINDS).makeOptionMandatory())
    .option("--until <date>", "first day on which the files are open, for --access embargoed (YYYY-MM-DD)")
    .requiredOption("--reason <text>", "reason for the change (required)")
    .action(async (id, { access, until, reason, ...options }) => {
      const { client, output } = clientOf(options);
      const params = { path: { id }, query: versionQuery(options) };
      const body = { access, reason, ...given({ embargoDate: until }) };
      const path = "/dataset/{id}/publication/change-access";
      sayPublication(output, await client.ask(client.api.POST(path, { params, body })));
    });
}

function addWithdraw(review: Command): void {
  addApiCommand(
    review,
    "withdraw",
    "withdraw the publication of a version: it is no longer public, and the archive keeps its files",
  )
    .addOption(VERSION)
    .addArgument(DATASET)
    .requiredOption("--reason <text>", "public reason (required)")
    .action(async (id, { reason, ...options }) => {
      const { client, output } = clientOf(options);
      const params = { path: { id }, query: versionQuery(options) };
      const path = "/dataset/{id}/publication/withdraw";
      sayPublication(output, await client.ask(client.api.POST(path, { params, body: { reason } })));
    });
}
