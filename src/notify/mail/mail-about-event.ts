import type { EventRow } from "../../db/submissions/events.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import type { WaitingReason } from "../../db/submissions/waiting.ts";
import { type Letter, letterOf, type MailWords, oneLine, sentence } from "./mail-text.ts";
import type { MailMessage } from "./mailer.ts";

/**
 * The mail about an event of a submission, with the texts of the error catalogue: what happened, who must act, and the next step.
 * Undefined if the event no longer describes the submission, for instance because it was retried since.
 */
export function mailAboutEvent(row: SubmissionRow, event: EventRow, publicBaseUrl: string): Letter | undefined {
  const words = wordsOf(row, event);
  if (words === undefined) return undefined;
  const isArchived = event.type === "completed";
  const letter = letterOf(words, {
    id: `${row.id}.${event.seq}`,
    title: row.title,
    links: [
      `Submission: ${publicBaseUrl}/app/submissions/${row.id}`,
      ...(isArchived ? [`Dataset: ${publicBaseUrl}/app/datasets/${row.dataset_id}`] : []),
      `On the command line: accession status ${row.id}`,
    ],
    why: "the submission names your address",
  });
  return isArchived && row.receipt !== null ? { ...letter, attachment: receiptOf(row.id, row.receipt) } : letter;
}

function wordsOf(row: SubmissionRow, event: EventRow): MailWords | undefined {
  const isOfNow = row.status === event.type && row.attempt === event.attempt;
  if (event.type === "accepted") return { subject: "Accepted", text: ACCEPTED };
  if (event.type === "completed")
    return { subject: "Archived", text: [`${oneLine(event.message, 500)}.`, ...verdictOf(row), ...COMPLETED] };
  if (event.type === "waiting" && isOfNow) {
    return { subject: "Action required", text: [...standing(row.waiting as WaitingReason), ...untilWhen(row)] };
  }
  if (event.type === "failed" && isOfNow) return { subject: "Failed", text: standing(row.failure as WaitingReason) };
  return undefined;
}

const ACCEPTED = [
  "Your submission was accepted. The service can read the bucket and is archiving its objects.",
  "You do not need to do anything now. You will receive another mail when the dataset is archived, or if action is required.",
];
const COMPLETED = [
  "The signed receipt is attached. It states what was archived, how it was verified, and whether the source can be deleted. Keep the receipt. To check it, run “accession receipt verify”.",
  "No further action is required.",
];

function verdictOf({ verdict }: SubmissionRow): string[] {
  if (verdict === null) return [];
  const { sourceMayBeDeleted, statement } = verdict;
  return [`Can the source be deleted? ${sourceMayBeDeleted === "yes" ? "Yes" : "No"}. ${oneLine(statement, 2_000)}`];
}

/** Who must act, as mails say it. */
const RESPONSIBLE: Record<string, string> = {
  submitter: "Action required by you.",
  source: "Action required by the storage provider.",
  service: "The cause is an error in the service.",
  operator: "Action required by the operator of this service.",
};

function standing({ message, fault, action }: WaitingReason): string[] {
  return [sentence(message), `${RESPONSIBLE[fault] ?? ""} ${action}`.trim()];
}

function untilWhen(row: SubmissionRow): string[] {
  const { until } = row.waiting as WaitingReason;
  return until === null ? [] : [`If the problem is not resolved by ${until.slice(0, 10)}, the submission fails.`];
}

function receiptOf(id: string, content: string): NonNullable<MailMessage["attachment"]> {
  return { filename: `receipt-${id}.jws`, contentType: "application/jose", content };
}
