import type { Command } from "@commander-js/extra-typings";
import {
  isSettled,
  type News,
  type Submission,
  type SubmissionEvent,
  watch,
} from "../../../../packages/client/src/index.ts";
import type { Receipt } from "../../../archive/receipts/receipt.ts";
import { addApiCommand, clientOf, commandName, SUBMISSION, submissionPath } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import { INTERRUPTED, Unsuccessful } from "../../terminal/failure.ts";
import { clock, moment, several, size } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { progressLine } from "../../terminal/progress.ts";
import { FAILED, OK, show, styled, WARNING } from "../../terminal/text.ts";
import { describeDeletionScope, printWaitingReason } from "../../terminal/waiting-reason.ts";

export interface WatchOptions {
  /** Continues while the submission waits. */
  keepWaiting?: boolean;
}

/** `watch`: follows a submission until it ends or someone must act. */
export function addWatch(program: Command): void {
  addApiCommand(program, "watch", "follow a submission until it ends or requires action")
    .addArgument(SUBMISSION)
    .option("--keep-waiting", "continue while the submission waits")
    .addHelpText(
      "after",
      `
In a pipe, the output has a JSON line for each event (with "type"), followed by
the submission (with "status"). The exit code is 0 if the submission is
completed, and 1 if it failed, was cancelled or waits. Ctrl-C does not stop the
submission.

Example:
  accession watch 0198f0c2-5d4e-7aaa-8000-6f1c3b9a2d10 --keep-waiting`,
    )
    .action(async (id, options) => {
      const { client, output } = clientOf(options);
      await watchUntilEnd(client, output, id, options);
    });
}

/** Runs {@link watchSubmission} as a command. Ctrl-C does not stop the submission. Without completion, the exit code is 1. */
export async function watchUntilEnd(client: Client, output: Output, id: string, options: WatchOptions): Promise<void> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    const submission = await watchSubmission(client, output, id, options, stop.signal);
    output.data(submission);
    printWaitingReason(output, submission);
    if (submission.status !== "completed") throw new Unsuccessful();
    const { dataset, identifier } = submission;
    if (dataset !== null) output.say(show`  Dataset ${identifier ?? dataset.id}, version ${dataset.version}`);
    if (submission.withdrawn === null) await sayVerdict(output, client, id);
    else sayWithdrawn(output, submission.withdrawn);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    output.live(undefined);
    output.note(show`The submission continues. To follow it again:`);
    output.note(show`  ${commandName()} watch ${id}`);
    process.exitCode = INTERRUPTED;
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

/** Prints events and progress until the submission ends or waits, and returns the submission. */
export async function watchSubmission(
  client: Client,
  output: Output,
  id: string,
  options: WatchOptions,
  signal: AbortSignal,
): Promise<Submission> {
  try {
    let isAnswered = false;
    for await (const news of newsOf(client, id, signal)) {
      if ("event" in news) {
        output.data(news.event);
        sayEvent(output, news.event);
      } else if ("away" in news) {
        const failure = client.failureOf(news.away);
        if (!isAnswered || failure.exitCode !== 3) throw failure;
        output.live(show`${styled("yellow", "the service does not respond")}; retrying`);
      } else {
        const { status } = news.state;
        output.live(progressLine(news.state, output.columns - ECHO));
        if (isSettled(status) && !(status === "waiting" && options.keepWaiting)) break;
      }
      isAnswered = true;
    }
    const submission = await client.ask(client.api.GET("/submission/{id}", { params: { path: { id } }, signal }));
    output.live(undefined);
    if (submission.status === "completed") {
      const { objectsStored, bytesStored } = submission.progress;
      output.say(show`${OK} ${styled("bold", "Completed:")} ${several(objectsStored, "object")}, ${size(bytesStored)}`);
    } else if (submission.status === "cancelled") output.say(show`${FAILED} ${styled("bold", "Cancelled")}`);
    return submission;
  } finally {
    output.live(undefined);
  }
}

async function* newsOf(client: Client, id: string, signal: AbortSignal): AsyncGenerator<News> {
  try {
    yield* watch(client.api, id, { signal });
  } catch (error) {
    throw signal.aborted ? error : client.failureOf(error);
  }
}

/** Prints the statement of the receipt on deleting the source, and the address of the receipt. */
async function sayVerdict(output: Output, client: Client, id: string): Promise<void> {
  const jws = await client.ask(
    client.api.GET("/submission/{id}/receipt", { params: { path: { id } }, parseAs: "text" }),
  );
  const { sourceMayBeDeleted, statement, source }: Receipt = JSON.parse(
    Buffer.from(jws.split(".")[1] ?? "", "base64url").toString("utf8"),
  );
  const color = sourceMayBeDeleted === "yes" ? "green" : "yellow";
  output.say(
    show`${styled("bold", `Can ${describeDeletionScope(source.selection)} be deleted?`)} ${styled(color, sourceMayBeDeleted)}`,
  );
  output.say(show`  ${statement}`, { hang: 2 });
  output.say(show`The signed receipt: ${client.url}${submissionPath(id, "/receipt")}`);
}

/** Prints that the dataset was withdrawn, so that the statement of the receipt on the source no longer applies. */
function sayWithdrawn(output: Output, { at, reason }: NonNullable<Submission["withdrawn"]>): void {
  output.say(show`${WARNING} ${styled("bold", "Withdrawn")} ${moment(at)}: ${reason}`, { hang: 2 });
  output.say(show`  This archive no longer has a copy. Do not delete the source based on this receipt.`, { hang: 2 });
}

function sayEvent(output: Output, { at, type, message }: SubmissionEvent): void {
  // The last line reports completion in more detail.
  if (type === "completed") return;
  const worth = EVENT_STYLES[type];
  output.say(show`${styled("dim", clock(at))}  ${worth === undefined ? message : styled(worth, message)}`, {
    hang: 10,
  });
}

/** Columns for the “^C” that terminals print, which would otherwise wrap the line that is overwritten. */
const ECHO = 4;

const EVENT_STYLES: Record<string, "red" | "yellow" | "green"> = {
  failed: "red",
  cancelled: "red",
  waiting: "yellow",
  objects_unreadable: "yellow",
  drift: "yellow",
};
