import type { EventRow } from "../../db/submissions/events.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import type { WaitingReason } from "../../db/submissions/waiting.ts";
import { size } from "../../domain/numbers.ts";
import type { MailLanguage } from "../../domain/submission/mail-preference.ts";
import { type MailWords, oneLine } from "./mail-text.ts";
import type { MailMessage } from "./mailer.ts";
import type { MailTexts } from "./words/en.ts";
import { MAIL_TEXTS, problemIn } from "./words/words.ts";

/**
 * The words about an event of a submission, with the texts of the error catalogue: what happened, who must act, and the next step.
 * Undefined if the event no longer describes the submission, for instance because it was retried since.
 */
export function wordsAboutEvent(row: SubmissionRow, event: EventRow, language: MailLanguage): MailWords | undefined {
  const texts = MAIL_TEXTS[language];
  const { submission } = texts;
  const isOfNow = row.status === event.type && row.attempt === event.attempt;
  switch (event.type) {
    case "accepted":
      return { subject: submission.accepted, text: [submission.acceptedText, submission.acceptedNext] };
    case "completed":
      return {
        subject: submission.archived,
        text: [
          submission.archivedText(row.objects_stored, size(row.bytes_stored)),
          ...verdictOf(row, texts),
          submission.receipt,
          texts.noAction,
        ],
        ...(row.receipt !== null && { attachment: receiptOf(row.id, row.receipt) }),
      };
    case "waiting": {
      if (!isOfNow) return undefined;
      const reason = row.waiting as WaitingReason;
      const text = [...standing(reason, language), ...untilWhen(reason, texts)];
      return { subject: submission.actionRequired, text };
    }
    case "failed":
      if (!isOfNow) return undefined;
      return { subject: submission.failed, text: standing(row.failure as WaitingReason, language) };
    default:
      return undefined;
  }
}

function verdictOf({ verdict }: SubmissionRow, { submission }: MailTexts): string[] {
  if (verdict === null) return [];
  const { sourceMayBeDeleted, statement } = verdict;
  return [submission.mayDelete(sourceMayBeDeleted === "yes", oneLine(statement, 2_000))];
}

function standing(reason: WaitingReason, language: MailLanguage): string[] {
  const { message, action } = problemIn(language, reason);
  const responsible = (MAIL_TEXTS[language].responsible as Readonly<Record<string, string>>)[reason.fault];
  return [message, `${responsible ?? ""} ${action}`.trim()];
}

function untilWhen({ until }: WaitingReason, { submission }: MailTexts): string[] {
  return until === null ? [] : [submission.until(until.slice(0, 10))];
}

function receiptOf(id: string, content: string): NonNullable<MailMessage["attachment"]> {
  return { filename: `receipt-${id}.jws`, contentType: "application/jose", content };
}
