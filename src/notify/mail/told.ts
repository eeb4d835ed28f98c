import { latestRevision } from "../../db/datasets/revisions.ts";
import { findGrant } from "../../db/publication/access-grants.ts";
import { findAccessRequest } from "../../db/publication/access-requests.ts";
import { findDoi } from "../../db/publication/dois.ts";
import { openRequestsOf } from "../../db/publication/notices.ts";
import { findPublication } from "../../db/publication/publications.ts";
import type { EventRow } from "../../db/submissions/events.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import type { MailLanguage } from "../../domain/submission/mail-preference.ts";
import type { MailParty } from "../../domain/submission/mailed-events.ts";
import type { NotifyContext } from "../context.ts";
import { wordsAboutAccess } from "./mail-about-access.ts";
import { wordsAboutEvent } from "./mail-about-event.ts";
import { type PublicationParty, wordsAboutPublication } from "./mail-about-publication.ts";
import type { Told } from "./mail-text.ts";
import { type PublicationIn, publicationIn } from "./recipients.ts";
import { MAIL_TEXTS } from "./words/words.ts";

/** To whom a mail speaks: a party, or all who share an address that the operator has configured for it. */
interface Reader<Party = Exclude<MailParty, "uploader">> {
  party: Party;
  isShared: boolean;
}

/** What a mail about an event says. Undefined if the event no longer describes what it is about. */
export async function toldAbout(
  context: NotifyContext,
  { party, isShared }: Reader,
  { row, event }: { row: SubmissionRow; event: EventRow },
  language: MailLanguage,
): Promise<Told | undefined> {
  const { frame } = MAIL_TEXTS[language];
  const base = context.publicBaseUrl();
  if (party === "submitter") {
    const words = wordsAboutEvent(row, event, language);
    const links = [
      frame.submission(`${base}/app/submissions/${row.id}`),
      ...(event.type === "completed" ? [frame.dataset(`${base}/app/datasets/${row.dataset_id}`)] : []),
      frame.command(`accession status ${row.id}`),
    ];
    return words && { words, id: `${row.id}.${event.seq}`, title: row.title, links, reason: party };
  }
  const of = publicationIn(event);
  if (of === undefined) return undefined;
  const { dataset, version } = of;
  const title = (await latestRevision(context.db, dataset, version))?.title ?? row.title;
  // All curators receive what a former one cannot.
  const reason = party === "former_curator" && isShared ? "curator" : party;
  const about = { id: `${row.id}.${event.seq}.${party}`, title, reason };
  const address = `${base}/app/datasets/${dataset}`;
  if (party === "reader") {
    const words = await wordsForReader(context, of, language);
    return words && { ...about, words, links: [frame.dataset(`${address}/access?version=${version}`)] };
  }
  const words = await wordsForParty(context, of, { event, party, isShared }, language);
  const links = [frame.dataset(`${address}?version=${version}`), frame.command(`accession review show ${dataset}`)];
  return words && words.isOver !== true ? { ...about, words, links } : undefined;
}

async function wordsForReader({ db }: NotifyContext, { dataset, request = "" }: PublicationIn, language: MailLanguage) {
  const found = await findAccessRequest(db, dataset, request);
  if (found === undefined) return undefined;
  const kind = found.grant_id === null ? undefined : (await findGrant(db, found.grant_id))?.kind;
  return wordsAboutAccess({ request: found, kind }, MAIL_TEXTS[language]);
}

async function wordsForParty(
  { db }: NotifyContext,
  { dataset, version, doi = "" }: PublicationIn,
  { event, ...reader }: { event: EventRow } & Reader<PublicationParty>,
  language: MailLanguage,
) {
  const publication = await findPublication(db, dataset, version);
  // A DOI can be reserved before publication is requested, and before the version exists.
  if (publication === undefined && event.type !== "reservation_delayed") return undefined;
  const reservation = event.type === "reservation_delayed" ? await findDoi(db, doi) : undefined;
  const now = {
    state: publication?.state ?? ("private" as const),
    assignee: publication?.assignee ?? null,
    problem: publication?.problem?.code,
    reservationProblem: reservation?.state === "chosen" ? reservation.problem?.code : undefined,
    embargoDate: publication?.embargo_date ?? null,
    openRequests:
      event.type === "access_reminder" ? (await openRequestsOf(db, { dataset_id: dataset, version })).length : 0,
  };
  return wordsAboutPublication(now, event, reader, language);
}
