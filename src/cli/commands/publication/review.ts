import { type Command, InvalidArgumentError, Option } from "commander";
import type { components } from "../../../../packages/client/src/index.ts";
import {
  addApiCommand,
  addVersionOption,
  type Common,
  clientOf,
  DATASET,
  type OfVersion,
  wholeNumber,
} from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import { Failure } from "../../terminal/failure.ts";
import { moment } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { type Column, fullTable } from "../../terminal/table.ts";
import { show, styled } from "../../terminal/text.ts";
import { type Publication, sayAgreement, sayChecks, sayHistory, sayPublication } from "./publication-output.ts";
import { queryOf } from "./publish.ts";
import { addReviewerLink } from "./reviewer-link.ts";

type Entry = components["schemas"]["PublicationListEntry"];

const QUEUES = ["new", "mine", "author", "approved", "failing"] as const;
const ACCESS = ["open", "embargoed", "restricted"] as const;

/** `review`: the commands of curators, and of owners who answer them. */
export function addReview(program: Command): void {
  const review = program.command("review").description("review datasets before publication");
  addListing(review);
  addShow(review);
  addComment(review);
  addAssign(review);
  addDecision(review, "request-changes", "return a dataset to its owner", "mandatory");
  addDecision(review, "decline", "decline publication", "mandatory");
  addDecision(review, "approve", "approve publication", "optional");
  addDecision(review, "take-back", "take a request or an approval back", "optional");
  addAccess(review);
  addWithdraw(review);
  addReviewerLink(review);
}

interface ListOptions extends Common {
  queue?: (typeof QUEUES)[number];
  limit: number;
}

function addListing(review: Command): void {
  addApiCommand(review, "list", "list publications, those that have waited longest first")
    .addOption(new Option("--queue <queue>", "part of the queue").choices(QUEUES))
    .option("--limit <number>", "maximum number of entries", wholeNumber, 50)
    .action(async ({ queue, limit, ...options }: ListOptions) => {
      const { client, output } = clientOf(options);
      const entries: Entry[] = [];
      const read = (page: object) =>
        client.api.GET("/publication", { params: { query: { ...page, ...(queue !== undefined && { queue }) } } });
      for await (const entry of client.pages<Entry>(read, limit)) {
        output.data(entry);
        if (!output.json) entries.push(entry);
      }
      if (entries.length === 0) output.say(show`No publications match`);
      else for (const line of fullTable(COLUMNS, entries, output.columns)) output.say(line);
    });
}

const COLUMNS: readonly Column<Entry>[] = [
  { title: "dataset", cell: ({ dataset }) => dataset },
  { title: "state", cell: ({ state }) => state.replaceAll("_", " ") },
  { title: "since", cell: ({ since }) => moment(since), dispensable: 2 },
  { title: "owner", cell: ({ owner }) => owner, dispensable: 2 },
  { title: "curator", cell: ({ assignee }) => assignee ?? "", dispensable: 2 },
  { title: "waiting for", cell: ({ waitingFor }) => waitingFor ?? "", dispensable: 2 },
  { title: "title", cell: ({ title }) => title, fills: true },
];

function addShow(review: Command): void {
  addVersionOption(addApiCommand(review, "show", "show the publication of a dataset, its checks and its history"))
    .argument(...DATASET)
    .option("--before <number>", "show the part of the history before the entry with this number", wholeNumber)
    .action(async (id: string, { before, ...options }: Common & OfVersion & { before?: number }) => {
      const { client, output } = clientOf(options);
      const query = { ...queryOf(options), ...(before !== undefined && { before }) };
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

interface CommentOptions extends Common, OfVersion {
  field?: string;
  file?: string;
  answers?: number;
}

function addComment(review: Command): void {
  addVersionOption(addApiCommand(review, "comment", "comment on a dataset, a metadata field or a file"))
    .argument(...DATASET)
    .argument("<text>", "the comment")
    .addOption(new Option("--field <pointer>", "metadata field, such as /authors/0").conflicts("file"))
    .option("--file <path>", "file, such as data/plot-01.csv")
    .option("--answers <number>", "number of the comment that this one answers", wholeNumber)
    .action(async (id: string, comment: string, { field, file, answers, ...options }: CommentOptions) => {
      const { client, output } = clientOf(options);
      const params = { path: { id }, query: queryOf(options) };
      const place = field === undefined ? file && { file } : { field };
      const body = { comment, ...(place && { place }), ...(answers !== undefined && { answers }) };
      const changed = await client.ask(client.api.POST("/dataset/{id}/publication/comment", { params, body }));
      output.data(changed);
      sayHistory(output, { history: changed.history.slice(-1), historyBefore: null });
    });
}

function addAssign(review: Command): void {
  addVersionOption(addApiCommand(review, "assign", "assign the review of a dataset to a curator"))
    .argument(...DATASET)
    .addOption(new Option("--curator <name>", "owner name of the curator").conflicts("none"))
    .option("--none", "remove the assignment")
    .action(
      async (id: string, { curator, none, ...options }: Common & OfVersion & { curator?: string; none?: true }) => {
        if (curator === undefined && none !== true)
          throw new Failure(2, show`Name a curator with --curator, or use --none`);
        const { client, output } = clientOf(options);
        const params = { path: { id }, query: queryOf(options) };
        const body = { curator: curator ?? null };
        sayPublication(output, await client.ask(client.api.POST("/dataset/{id}/publication/assign", { params, body })));
      },
    );
}

type Decision = "request-changes" | "decline" | "approve" | "take-back";

interface DecisionOptions extends Common, OfVersion {
  comment?: string;
  expect?: string;
}

function addDecision(review: Command, action: Decision, description: string, kind: "mandatory" | "optional"): void {
  const command = addVersionOption(addApiCommand(review, action, description)).argument(...DATASET);
  const comment = ["--comment <text>", "comment for the other party"] as const;
  if (kind === "mandatory") command.requiredOption(comment[0], `${comment[1]} (required)`);
  else command.option(...comment);
  // An approval binds the state that the curator has seen.
  const expected = "refuse the action unless the publication has this ETag of “accession review show”, such as p1.4.2";
  if (action === "approve") command.requiredOption("--expect <state>", `${expected} (required)`, publicationState);
  else command.option("--expect <state>", expected, publicationState);
  command.action(async (id: string, { comment = "", expect, ...options }: DecisionOptions) => {
    const { client, output } = clientOf(options);
    const header = expect === undefined ? {} : { "if-match": `"${expect}"` };
    const params = { path: { id }, query: queryOf(options), header };
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

interface AccessOptions extends Common, OfVersion {
  access: (typeof ACCESS)[number];
  until?: string;
  reason: string;
}

function addAccess(review: Command): void {
  addVersionOption(addApiCommand(review, "access", "change who may read the files of a published dataset"))
    .argument(...DATASET)
    .addOption(new Option("--access <access>", "who may read the files").choices(ACCESS).makeOptionMandatory())
    .option("--until <date>", "first day on which the files are open, for --access embargoed (YYYY-MM-DD)")
    .requiredOption("--reason <text>", "reason for the change (required)")
    .action(async (id: string, { access, until, reason, ...options }: AccessOptions) => {
      const { client, output } = clientOf(options);
      const params = { path: { id }, query: queryOf(options) };
      const body = { access, reason, ...(until !== undefined && { embargoDate: until }) };
      const path = "/dataset/{id}/publication/change-access";
      sayPublication(output, await client.ask(client.api.POST(path, { params, body })));
    });
}

function addWithdraw(review: Command): void {
  addVersionOption(
    addApiCommand(
      review,
      "withdraw",
      "withdraw the publication of a version: it is no longer public, and the archive keeps its files",
    ),
  )
    .argument(...DATASET)
    .requiredOption("--reason <text>", "public reason (required)")
    .action(async (id: string, { reason, ...options }: Common & OfVersion & { reason: string }) => {
      const { client, output } = clientOf(options);
      const params = { path: { id }, query: queryOf(options) };
      const path = "/dataset/{id}/publication/withdraw";
      sayPublication(output, await client.ask(client.api.POST(path, { params, body: { reason } })));
    });
}
