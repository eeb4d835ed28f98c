import type { EventRow } from "../../db/submissions/events.ts";
import type { MailLanguage } from "../../domain/submission/mail-preference.ts";
import type { MailParty } from "../../domain/submission/mailed-events.ts";
import type { Place } from "../../publication/rules/publication.ts";
import type { PublicationState } from "../../publication/rules/states.ts";
import { type MailWords, oneLine, quoted } from "./mail-text.ts";
import type { MailTexts } from "./words/en.ts";
import { MAIL_TEXTS, problemIn } from "./words/words.ts";

export type PublicationParty = Exclude<MailParty, "submitter" | "uploader" | "reader">;

/** A publication as it is when a mail about it is sent. */
export interface PublicationNow {
  state: PublicationState;
  /** The curator who reviews it now. */
  assignee: string | null;
  /** The codes of the problems that delay the registration, and the reservation that the event is about; undefined without one. */
  problem: string | undefined;
  reservationProblem: string | undefined;
  /** The present end of the embargo; null without one. */
  embargoDate: string | null;
  /** The number of open requests for access to the version. */
  openRequests: number;
}

/** The data of events about publication. Each type has some of these members. */
interface Data {
  state?: string;
  by?: string | null;
  comment?: string;
  /** The metadata revision of a change, and the reason for it. */
  revision?: number;
  note?: string;
  reason?: string;
  place?: Place;
  curator?: string | null;
  former?: string | null;
  identifier?: string;
  doi?: string;
  code?: string;
  action?: string;
  fault?: string;
  since?: string;
  embargoDate?: string;
}

/**
 * What happened in a publication, and what the party must do about it. Undefined if the event has no mail, or what it states is
 * no longer true.
 *
 * @param isShared whether others than the party read the mail, too
 */
export function wordsAboutPublication(
  now: PublicationNow,
  event: EventRow,
  { party, isShared }: { party: PublicationParty; isShared: boolean },
  language: MailLanguage,
): MailWords | undefined {
  const data = (event.data ?? {}) as Data;
  const { type } = event;
  if (type === "registration_delayed" || type === "reservation_delayed") return delay(now, event, data, language);
  const texts = MAIL_TEXTS[language];
  const { review, next, access } = texts;
  const who = shortName(data.by ?? "");
  const said = data.comment === undefined || data.comment === "" ? [] : [quoted(data.comment)];
  const isOver = data.state !== now.state;
  switch (type) {
    case "publication_requested":
      return { subject: review.request, text: [review.requested(who), ...said], action: next.in_review, isOver };
    case "publication_assigned":
      return party === "former_curator" ? formerCurator(now, data, isShared, texts) : assignment(now, data, texts);
    case "publication_commented":
      return { subject: review.comment, text: [commented(who, data.place, texts), ...said, review.canAnswer] };
    case "metadata_changed": {
      const note = data.note === undefined || data.note === "" ? [] : [quoted(data.note)];
      const text = [review.edited(who, String(data.revision)), ...note, review.compare];
      return { subject: review.edit, text, isOver };
    }
    case "changes_requested":
      return {
        subject: review.change,
        text: [review.changesRequested(who), ...said],
        ...{ action: next.changes_requested, isOver },
      };
    case "publication_declined":
      return { subject: review.decline, text: [review.declined(who), ...said, review.canRequestAgain] };
    case "publication_approved":
      return { subject: review.publish, text: [review.approved(who), ...said], action: next.approved, isOver };
    case "publication_taken_back":
      return { subject: review.takeBack, text: [review.takenBack(who), ...said, review.isPrivate] };
    case "published":
      return {
        subject: review.published,
        text: [review.publishedAs(oneLine(data.identifier ?? "")), review.nothingToDo],
      };
    case "publication_withdrawn":
      return { subject: review.withdraw, text: [review.publicationWithdrawn(who), ...said] };
    case "withdrawn":
      return { subject: review.withdraw, text: [review.datasetWithdrawn(who), quoted(data.reason ?? "")] };
    case "access_changed":
      return { subject: access.change, text: [access.changed(who), ...said] };
    case "publication_reminder":
      return reminder(now.state, data, isOver, texts);
    case "access_requested": {
      const person = data.by == null ? access.unknownPerson : shortName(data.by);
      return { subject: access.request, text: [access.requested(person)], action: access.answer };
    }
    case "access_reminder": {
      const { openRequests } = now;
      const text = [access.waiting(String(openRequests), (data.since ?? "").slice(0, 10))];
      return { subject: access.reminder, text, action: access.answer, isOver: openRequests === 0 };
    }
    case "embargo_ending":
    case "embargo_ended":
      return data.embargoDate === now.embargoDate ? embargo(type, data.embargoDate ?? "", texts) : undefined;
    default:
      return undefined;
  }
}

/** For the party that must correct what delays a registration or reservation. */
function delay(
  now: PublicationNow,
  { type, message, at }: EventRow,
  { code = "", action = "", doi = "", since = "" }: Data,
  language: MailLanguage,
): MailWords {
  const { doi: texts } = MAIL_TEXTS[language];
  const isReservation = type === "reservation_delayed";
  // After “:”, the event states the problem.
  const problem = problemIn(language, { code, message: message.slice(message.indexOf(": ") + 2), action });
  const what = isReservation ? texts.reservationDelayed(oneLine(doi), timeText(since, at)) : texts.registrationDelayed;
  return {
    subject: isReservation ? texts.reservation : texts.registration,
    text: [`${what}: ${problem.message}`],
    action: oneLine(problem.action, 500),
    isOver: code !== (isReservation ? now.reservationProblem : now.problem),
  };
}

function timeText(iso: string, otherwise: Date): string {
  return (iso === "" ? otherwise.toISOString() : iso).slice(0, 16).replace("T", " ");
}

function assignment(
  { state }: PublicationNow,
  { state: then, by, curator, former }: Data,
  texts: MailTexts,
): MailWords {
  const { review, next } = texts;
  const name = shortName(curator ?? "");
  const before = former == null || former === curator ? [] : [review.before(shortName(former))];
  return {
    subject: review.assignedTo(name),
    text: [review.assigned(shortName(by ?? ""), name), ...before],
    ...(then === "in_review" && { action: next.in_review }),
    isOver: then !== state,
  };
}

/** Undefined if the review was assigned to the same person again. */
function formerCurator(
  { assignee }: PublicationNow,
  { by, curator, former }: Data,
  isShared: boolean,
  { review }: MailTexts,
): MailWords | undefined {
  if (assignee === former) return undefined;
  const who = shortName(by ?? "");
  const before = shortName(former ?? "");
  if (curator != null) {
    const text = [review.assigned(who, shortName(curator)), ...(isShared ? [review.before(before)] : [])];
    return { subject: review.reassigned, text: [...text, review.nothingToDo] };
  }
  if (isShared) return { subject: review.unassignedSubject, text: [review.unassignedOther(who, before)] };
  return { subject: review.reassigned, text: [review.unassigned(who), review.nothingToDo] };
}

function reminder(
  state: PublicationState,
  { since = "" }: Data,
  isOver: boolean,
  { review, next }: MailTexts,
): MailWords | undefined {
  if (!(state in next)) return undefined;
  const of = state as keyof typeof next;
  return { subject: review.reminders[of], text: [review.waits(since.slice(0, 10))], action: next[of], isOver };
}

function embargo(type: "embargo_ending" | "embargo_ended", date: string, { embargo: texts }: MailTexts): MailWords {
  if (type === "embargo_ended") return { subject: texts.ended, text: [texts.open(date)] };
  return { subject: texts.ends(date), text: [texts.opens(date), texts.canChange] };
}

function commented(who: string, place: Place | undefined, { review }: MailTexts): string {
  if (place === undefined) return review.commented(who);
  return "file" in place
    ? review.commentedOnFile(who, oneLine(place.file))
    : review.commentedOnField(who, oneLine(place.field));
}

/** Accounts of an identity provider consist of its address, “#” and the name of the user. */
function shortName(account: string): string {
  return oneLine(account.split("#").at(-1) || account);
}
