import type { Command } from "commander";
import {
  isSettled,
  type News,
  type Submission,
  type SubmissionEvent,
  watch,
} from "../../../packages/client/src/index.ts";
import type { Receipt } from "../../archive/receipts/receipt.ts";
import { addApiCommand, type Common, clientOf, commandName, submissionPath } from "../api-command.ts";
import type { Client } from "../client/client.ts";
import { INTERRUPTED, Unsuccessful } from "../terminal/failure.ts";
import { clock, moment, several, size } from "../terminal/numbers.ts";
import type { Output } from "../terminal/output.ts";
import { progressLine } from "../terminal/progress.ts";
import { show, styled } from "../terminal/text.ts";
import { describeDeletionScope, printWaitingReason } from "../terminal/waiting-reason.ts";

export interface WatchOptions {
  /** Goes on while the submission waits for somebody. */
  keepWaiting?: boolean;
}

/** `watch`: follows a submission until it ends or someone must act. */
export function addWatch(program: Command): void {
  addApiCommand(program, "watch", "follow a submission until it is done")
    .argument("<id>", "the submission")
    .option("--keep-waiting", "go on while the submission waits for somebody")
    .addHelpText(
      "after",
      `
In a pipe: each event as a JSON line (with a "type"), then the submission as it ended (with a "status").
Ends with 0 when completed; with 1 when failed, cancelled or waiting for somebody. Ctrl-C leaves the submission alone.

Example:
  accession watch 0198f0c2-5d4e-7aaa-8000-6f1c3b9a2d10 --keep-waiting`,
    )
    .action(async (id: string, options: Common & WatchOptions) => {
      const { client, output } = clientOf(options);
      await watchUntilEnd(client, output, id, options);
    });
}

/** {@link watchSubmission} as a command: Ctrl-C leaves the submission running, anything but completion is exit code 1. */
export async function watchUntilEnd(client: Client, output: Output, id: string, options: WatchOptions): Promise<void> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    const submission = await watchSubmission(client, output, id, options, stop.signal);
    output.data(submission);
    printWaitingReason(output, submission);
    if (submission.status !== "completed") throw new Unsuccessful();
    if (submission.withdrawn === null) await sayVerdict(output, client, id);
    else sayWithdrawn(output, submission.withdrawn);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    output.live(undefined);
    output.note(show`The submission goes on without you. To look again:`);
    output.note(show`  ${commandName()} watch ${id}`);
    process.exitCode = INTERRUPTED;
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

/** Shows events and progress until the submission is settled, and returns it as it then is. */
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
        output.live(show`${styled("yellow", "the service does not answer at present")}; trying again`);
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
      output.say(
        show`${styled("green", "✓")} ${styled("bold", "Completed:")} ${several(objectsStored, "object")}, ${size(bytesStored)}`,
      );
    } else if (submission.status === "cancelled")
      output.say(show`${styled("red", "✗")} ${styled("bold", "Cancelled")}`);
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

/** What the receipt says about deleting the source, and how to get and check it. */
async function sayVerdict(output: Output, client: Client, id: string): Promise<void> {
  const jws = await client.ask(
    client.api.GET("/submission/{id}/receipt", { params: { path: { id } }, parseAs: "text" }),
  );
  const { sourceMayBeDeleted, statement, source }: Receipt = JSON.parse(
    Buffer.from(jws.split(".")[1] ?? "", "base64url").toString("utf8"),
  );
  const color = sourceMayBeDeleted === "yes" ? "green" : "yellow";
  output.say(
    show`${styled("bold", `May ${describeDeletionScope(source.selection)} be deleted?`)} ${styled(color, sourceMayBeDeleted)}`,
  );
  output.say(show`  ${statement}`, { hang: 2 });
  output.say(show`The signed receipt: ${client.url}${submissionPath(id, "/receipt")}`);
}

/** What the receipt says about the source holds no longer: there is no copy any more. */
function sayWithdrawn(output: Output, { at, reason }: NonNullable<Submission["withdrawn"]>): void {
  output.say(show`${styled("yellow", "!")} ${styled("bold", "Withdrawn")} ${moment(at)}: ${reason}`, { hang: 2 });
  output.say(show`  This archive has no copy of the source any more: do not delete it by this receipt.`, { hang: 2 });
}

function sayEvent(output: Output, { at, type, message }: SubmissionEvent): void {
  // Said once more, and better, by the line that ends everything.
  if (type === "completed") return;
  const worth = EVENT_STYLES[type];
  output.say(show`${styled("dim", clock(at))}  ${worth === undefined ? message : styled(worth, message)}`, {
    hang: 10,
  });
}

/** Room for the “^C” that terminals show, which would otherwise break the line that is drawn over. */
const ECHO = 4;

const EVENT_STYLES: Record<string, "red" | "yellow" | "green"> = {
  failed: "red",
  cancelled: "red",
  waiting: "yellow",
  objects_unreadable: "yellow",
  drift: "yellow",
};
