import { type Command, Option } from "@commander-js/extra-typings";
import { isOver, type Submission, type SubmissionFile } from "../../../../packages/client/src/index.ts";
import { UPLOAD } from "../../../domain/source-access/upload-place.ts";
import { selectedPart } from "../../../domain/submission/selected-part.ts";
import { addApiCommand, clientOf, given, SUBMISSION } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import { clock, count, moment, several, size } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { describeRemark } from "../../terminal/problem.ts";
import { progressLine } from "../../terminal/progress.ts";
import { type Column, sayPages } from "../../terminal/table.ts";
import { show, styled, WARNING } from "../../terminal/text.ts";
import { describeDeletionScope, printWaitingReason } from "../../terminal/waiting-reason.ts";

/** Name of the state `failed` of an object on the command line. */
const UNREADABLE = "unreadable";

/** `status`: shows a submission and the states of its objects. */
export function addStatus(program: Command): void {
  addApiCommand(program, "status", "show a submission")
    .addArgument(SUBMISSION)
    .option("--files", "also list its files (in JSON: only its files, one per line)")
    .addOption(
      new Option("--state <state>", "only files in this state; failed is the same as unreadable").choices([
        "listed",
        "stored",
        UNREADABLE,
        "failed",
        "excluded",
      ]),
    )
    .addHelpText(
      "after",
      `
Examples:
  accession status 0198f0c2-5d4e-7aaa-8000-6f1c3b9a2d10
  accession status 0198f0c2-5d4e-7aaa-8000-6f1c3b9a2d10 --files --state unreadable`,
    )
    .action(async (id, { files, state, ...options }) => {
      const { client, output } = clientOf(options);
      const submission = await client.ask(client.api.GET("/submission/{id}", { params: { path: { id } } }));
      const wantsFiles = files === true || state !== undefined;
      if (!wantsFiles) output.data(submission);
      describe(output, client, submission);
      if (!wantsFiles) return;
      const query = given({ state: state === UNREADABLE ? ("failed" as const) : state });
      const pages = client.pages((page) =>
        client.api.GET("/submission/{id}/files", { params: { path: { id }, query: { ...query, ...page } } }),
      );
      await sayPages(output, pages, columns);
    });
}

function describe(output: Output, client: Client, submission: Submission): void {
  const { title, id, attempt, createdAt, finishedAt, source, dataset, drift, withdrawn, links } = submission;
  const { sourceMayBeDeleted, statement } = submission;
  output.say(styled("bold", title), { hang: 0 });
  output.say(progressLine(submission, output.columns));
  const row = output.rows(10);
  row("id", id);
  row(
    "source",
    source.endpoint === UPLOAD
      ? show`upload ${source.bucket}`
      : show`${source.endpoint}, bucket ${source.bucket}${source.region ? show`, region ${source.region}` : ""}`,
  );
  const part = selectedPart(source.selection);
  if (part !== undefined) row("selected", show`only ${part}`);
  row("accepted", moment(createdAt));
  if (finishedAt !== null) row("finished", moment(finishedAt));
  if (attempt > 1) row("attempt", attempt);
  if (submission.progress.objectsExcluded > 0) row("excluded", several(submission.progress.objectsExcluded, "object"));
  if (drift.length > 0) row("drift", `${several(drift.length, "object")} changed, vanished or appeared`);
  // Undefined in the answer of an earlier version of the service.
  if (submission.digests != null) row("checksums", checksumsOf(submission.digests, submission.status));
  const { identifier, identifierType } = submission;
  if (dataset !== null) row("dataset", show`${identifier ?? dataset.id}, version ${dataset.version}`);
  if (submission.reservedDoi !== null && identifierType !== "DOI")
    row("DOI", show`${submission.reservedDoi} (reserved; resolves after publication)`);
  if (sourceMayBeDeleted !== null) {
    const word = styled(sourceMayBeDeleted === "yes" ? "green" : "yellow", sourceMayBeDeleted);
    row("deletion", show`${describeDeletionScope(source.selection)} can be deleted: ${word}`);
    if (statement !== null) row("", statement);
  }
  if (withdrawn !== null) row("withdrawn", show`${moment(withdrawn.at)}: ${styled("yellow", withdrawn.reason)}`);
  if (links.receipt !== undefined) row("receipt", show`${new URL(links.receipt, client.url).href}`);
  const { stalled = null } = submission.progress;
  if (stalled !== null) {
    const [since, until] = [clock(stalled.since), clock(stalled.until)];
    const words = show`The source has sent no data since ${since}. If it sends none until ${until}, the submission waits.`;
    output.say(show`${WARNING} ${words}`, { hang: 2 });
  }
  printWaitingReason(output, submission);
  if (submission.warnings.length > 0) output.say(show`${WARNING} Warnings:`);
  for (const warning of submission.warnings) output.say(describeRemark(warning), { hang: 4 });
}

/** What the digest lists show, in one line. */
function checksumsOf(
  // Undefined in the answer of an earlier version of the service.
  {
    lists,
    unread = [],
    comparison,
    differing: all,
    differingExcluded: excluded = 0,
  }: NonNullable<Submission["digests"]>,
  status: Submission["status"],
): string {
  if (comparison === null) {
    const notUsed = `, ${count(unread.length)} not used${isOver(status) ? "" : " yet"}`;
    return several(lists.length + unread.length, "list") + (unread.length === 0 ? "" : notUsed);
  }
  const differing = all - excluded;
  const { files, notSelected, missing, additional } = comparison;
  return [
    `${several(files, "file")} in ${several(lists.length, "list")}`,
    ...(notSelected > 0 ? [`${several(notSelected, "listed file")} not selected`] : []),
    ...(missing.total > 0 ? [`${count(missing.total)} missing`] : []),
    ...(differing > 0 ? [`${count(differing)} different`] : []),
    ...(excluded > 0 ? [`${count(excluded)} different and excluded`] : []),
    ...(additional.total > 0 ? [`${several(additional.total, "object")} in no list`] : []),
  ].join(", ");
}

const columns: readonly Column<SubmissionFile>[] = [
  { title: "state", cell: ({ state }) => (state === "failed" ? UNREADABLE : state) },
  { title: "size", cell: ({ bytes }) => size(bytes), side: "right" },
  { title: "verified by", cell: ({ verifiedBy }) => verifiedBy ?? "", dispensable: 1 },
  { title: "path", cell: ({ path, error }) => show`${path}${error ? show`  ${styled("yellow", error.message)}` : ""}` },
];
