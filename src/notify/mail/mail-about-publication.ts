import type { EventRow } from "../../db/submissions/events.ts";
import type { MailParty } from "../../domain/submission/mailed-events.ts";
import type { Place } from "../../publication/rules/publication.ts";
import type { PublicationState } from "../../publication/rules/states.ts";
import { type Letter, letterOf, type MailWords, oneLine, quoted, sentence } from "./mail-text.ts";

export type PublicationParty = Exclude<MailParty, "submitter" | "reader">;

/** A publication as it is when a mail about it is sent. */
export interface PublicationNow {
  dataset: string;
  version: number;
  /** Of the newest metadata. */
  title: string;
  state: PublicationState;
  /** The code of the problem that delays the registration; undefined if there is none. */
  problem: string | undefined;
  /** The present end of the embargo; null without one. */
  embargoDate: string | null;
}

/** The data of events about publication. Each type has some of these members. */
interface Data {
  state?: string;
  by?: string;
  comment?: string;
  /** The metadata revision of a change, and the reason for it. */
  revision?: number;
  note?: string;
  reason?: string;
  place?: Place;
  curator?: string | null;
  identifier?: string;
  code?: string;
  action?: string;
  since?: string;
  embargoDate?: string;
}

/**
 * The mail about an event of a publication: what happened, and what the party should do. Undefined if the event no longer
 * describes the publication, so that no party is asked for what was done in the meantime.
 */
export function mailAboutPublication(
  now: PublicationNow,
  { event, submission, party }: { event: EventRow; submission: string; party: PublicationParty },
  publicBaseUrl: string,
): Letter | undefined {
  const words = wordsOf(now, event, (event.data ?? {}) as Data);
  if (words === undefined) return undefined;
  return letterOf(words, {
    id: `${submission}.${event.seq}.${party}`,
    title: now.title,
    links: [
      `Dataset: ${publicBaseUrl}/app/datasets/${now.dataset}?version=${now.version}`,
      `On the command line: accession review show ${now.dataset}`,
    ],
    why: REASONS[party],
  });
}

const REASONS: Record<PublicationParty, string> = {
  owner: "your address was stated in the request for publication",
  curator: "you review datasets of this service",
  operator: "you operate this service",
};

function wordsOf(now: PublicationNow, { type, message }: EventRow, data: Data): MailWords | undefined {
  const who = shortName(data.by ?? "");
  const said = data.comment === undefined || data.comment === "" ? [] : [quoted(data.comment)];
  const isOfNow = data.state === now.state;
  switch (type) {
    case "publication_requested":
      if (!isOfNow) return undefined;
      return { subject: "Review this dataset", text: [`${who} requested publication.`, ...said, NEXT.in_review] };
    case "publication_assigned": {
      const curator = shortName(data.curator ?? "");
      const text = [`${who} assigned the review of this dataset to ${curator}.`];
      return isOfNow ? { subject: `Review this dataset (assigned to ${curator})`, text } : undefined;
    }
    case "publication_commented":
      return {
        subject: "Read the new comment",
        text: [`${who} commented${placeOf(data.place)}:`, ...said, "You can answer on the page of the dataset."],
      };
    case "metadata_changed":
      if (!isOfNow) return undefined;
      return {
        subject: "Metadata changed",
        text: [
          `${who} changed the metadata of this dataset during the review (revision ${data.revision}).`,
          ...(data.note === undefined || data.note === "" ? [] : [quoted(data.note)]),
          "The page of the dataset shows what was changed. An approval must name this revision.",
        ],
      };
    case "changes_requested":
      if (!isOfNow) return undefined;
      return { subject: "Change your dataset", text: [`${who} requested changes:`, ...said, NEXT.changes_requested] };
    case "publication_declined":
      return {
        subject: "Publication declined",
        text: [
          `${who} declined publication:`,
          ...said,
          "The dataset stays archived. You can request publication again.",
        ],
      };
    case "publication_approved":
      if (!isOfNow) return undefined;
      return { subject: "Publish your dataset", text: [`${who} approved publication.`, ...said, NEXT.approved] };
    case "publication_taken_back":
      return {
        subject: "Request taken back",
        text: [sentence(message), "The dataset is private. No action is required."],
      };
    case "published":
      return {
        subject: "Published",
        text: [`The dataset is published as ${oneLine(data.identifier ?? "")}`, "No action is required."],
      };
    case "publication_withdrawn":
      return {
        subject: "Withdrawn",
        text: [`${who} withdrew the publication. The archive keeps the files. Reason:`, ...said],
      };
    case "withdrawn":
      return {
        subject: "Withdrawn",
        text: [`${who} withdrew the dataset. Its content is permanently deleted. Reason:`, quoted(data.reason ?? "")],
      };
    case "access_changed":
      return {
        subject: "Access changed",
        text: [`${who} changed the access to the files. The page of the dataset shows it.`, ...said],
      };
    case "registration_delayed":
      if (now.problem !== data.code) return undefined;
      return { subject: "Correct the registration", text: [sentence(message), oneLine(data.action ?? "", 500)] };
    case "publication_reminder":
      return isOfNow ? reminder(now.state, data) : undefined;
    case "access_requested":
      return {
        subject: "Answer a request for access",
        text: [
          `${sentence(message)} The person and the reason are shown after sign-in.`,
          "Action required by you: grant or refuse access on the page of the dataset.",
        ],
      };
    case "embargo_ending":
    case "embargo_ended":
      return data.embargoDate === now.embargoDate ? embargo(type, data.embargoDate ?? "") : undefined;
    default:
      return undefined;
  }
}

/** What the party that must act does in each state. */
const NEXT = {
  in_review:
    "Action required by a curator: check metadata and files. Then approve publication, request changes, or decline.",
  changes_requested: "Action required by you: make the changes, or answer the comment. Then request publication again.",
  approved: "Action required by you: publish the dataset when you want it to be public.",
};

const REMINDERS = {
  in_review: "review this dataset",
  changes_requested: "change your dataset",
  approved: "publish your dataset",
};

function reminder(state: PublicationState, { since = "" }: Data): MailWords | undefined {
  if (!(state in NEXT)) return undefined;
  const of = state as keyof typeof NEXT;
  const waits = `The publication of this dataset has been waiting since ${since.slice(0, 10)}.`;
  return { subject: `Reminder to ${REMINDERS[of]}`, text: [waits, NEXT[of]] };
}

function embargo(type: "embargo_ending" | "embargo_ended", date: string): MailWords {
  if (type === "embargo_ended") {
    return {
      subject: "Embargo ended",
      text: [`The embargo ended. All people can download the files since ${date} (UTC).`],
    };
  }
  return {
    subject: `Embargo ends on ${date}`,
    text: [
      `The embargo ends. All people can download the files from ${date} on (00:00 UTC).`,
      "No action is required. To change the date, change the access on the page of the dataset, and state the reason.",
    ],
  };
}

function placeOf(place: Place | undefined): string {
  if (place === undefined) return "";
  return ` on ${"file" in place ? `the file ${oneLine(place.file)}` : `the field ${oneLine(place.field)}`}`;
}

/** Accounts of an identity provider consist of its address, “#” and the name of the user. */
function shortName(account: string): string {
  return oneLine(account.split("#").at(-1) || account);
}
