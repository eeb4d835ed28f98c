import type { EventRow } from "../../db/submissions/events.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import type { WaitingReason } from "../../db/submissions/waiting.ts";
import type { MailMessage } from "./mailer.ts";

const LONGEST_TITLE = 100;

/**
 * The mail about an event, in the words of the problems: what happened, who must act, and the next step. Undefined where
 * it would tell what is not so any more.
 */
export function mailAboutEvent(
  row: SubmissionRow,
  event: EventRow,
  to: string,
  publicBaseUrl: string,
): MailMessage | undefined {
  const words = wordsOf(row, event);
  if (words === undefined) return undefined;
  const title = oneLine(row.title);
  const isArchived = event.type === "completed";
  return {
    id: `${row.id}.${event.seq}`,
    to,
    subject: `${words.subject}: ${title}`,
    text: [
      ...words.text,
      [
        `Title: ${title}`,
        `Submission: ${publicBaseUrl}/app/submissions/${row.id}`,
        ...(isArchived ? [`Dataset: ${publicBaseUrl}/app/datasets/${row.dataset_id}`] : []),
        `On the command line: accession status ${row.id}`,
      ].join("\n"),
      "You are written to because this address was given with the submission. Nobody reads answers to this mail.",
    ].join("\n\n"),
    ...(isArchived && row.receipt !== null && { attachment: receiptOf(row.id, row.receipt) }),
  };
}

interface Words {
  subject: string;
  text: string[];
}

function wordsOf(row: SubmissionRow, event: EventRow): Words | undefined {
  const isOfNow = row.status === event.type && row.attempt === event.attempt;
  if (event.type === "accepted") return { subject: "Accepted", text: ACCEPTED };
  if (event.type === "completed")
    return { subject: "Archived", text: [`${oneLine(event.message, 500)}.`, ...verdictOf(row), ...COMPLETED] };
  if (event.type === "waiting" && isOfNow) {
    return { subject: "It is your turn", text: [...standing(row.waiting as WaitingReason), ...untilWhen(row)] };
  }
  if (event.type === "failed" && isOfNow) return { subject: "Failed", text: standing(row.failure as WaitingReason) };
  return undefined;
}

const ACCEPTED = [
  "Your submission was accepted: the bucket can be read, and its objects are being taken in.",
  "There is nothing for you to do. You will be written to when it is done, or when something is needed of you.",
];
const COMPLETED = [
  "The signed receipt is attached: it says what was taken in, how it was verified, and the same of deleting the source. Keep it. “accession receipt verify” checks it.",
  "There is nothing more for you to do.",
];

function verdictOf({ verdict }: SubmissionRow): string[] {
  if (verdict === null) return [];
  const { sourceMayBeDeleted, statement } = verdict;
  return [`May the source be deleted? ${sourceMayBeDeleted === "yes" ? "Yes" : "No"}. ${oneLine(statement, 2_000)}`];
}

/** Who must act, as mails say it. */
const RESPONSIBLE: Record<string, string> = {
  submitter: "It is your turn.",
  source: "It is the turn of whoever runs the storage.",
  service: "It is a fault of the service itself.",
  operator: "It is the turn of whoever runs this service.",
};

function standing({ message, fault, action }: WaitingReason): string[] {
  return [`${oneLine(message, 500).replace(/[.!?]$/, "")}.`, `${RESPONSIBLE[fault] ?? ""} ${action}`.trim()];
}

function untilWhen(row: SubmissionRow): string[] {
  const { until } = row.waiting as WaitingReason;
  return until === null ? [] : [`The submission waits until ${until.slice(0, 10)}, and fails then.`];
}

function receiptOf(id: string, content: string): NonNullable<MailMessage["attachment"]> {
  return { filename: `receipt-${id}.jws`, contentType: "application/jose", content };
}

/** Callers’ words on one short line, without what could pass for a header, a paragraph of ours or another direction. */
function oneLine(text: string, most = LONGEST_TITLE): string {
  const line = text
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .toWellFormed();
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line;
}
