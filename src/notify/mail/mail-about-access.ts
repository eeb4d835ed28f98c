import type { AccessRequestRow } from "../../db/publication/access-requests.ts";
import type { EventRow } from "../../db/submissions/events.ts";
import type { GrantKind } from "../../publication/rules/grants.ts";
import { type Letter, letterOf, quoted } from "./mail-text.ts";

/** An answered request for access. */
export interface Answered {
  request: Pick<AccessRequestRow, "dataset_id" | "version" | "state" | "answer">;
  /** What was granted; undefined if access was refused, or the grant no longer exists. */
  kind: GrantKind | undefined;
  /** Of the version. */
  title: string;
}

/**
 * The mail to the person who asked for access to files, with the answer. It names no account, and contains no link of a grant,
 * because the person has only stated the address. Undefined if the request is not answered.
 */
export function mailAboutAccess(
  { request, kind, title }: Answered,
  { event, submission }: { event: EventRow; submission: string },
  publicBaseUrl: string,
): Letter | undefined {
  const { dataset_id: dataset, version, state, answer } = request;
  if (state === "open") return undefined;
  const isGranted = state === "granted";
  const words = {
    subject: isGranted ? "Access granted" : "Access refused",
    text: [
      `You asked for access to the files of a dataset. Access was ${state}.`,
      ...(answer === "" ? [] : [quoted(answer)]),
      ...(isGranted && kind !== undefined ? [NEXT[kind]] : []),
    ],
  };
  return letterOf(words, {
    id: `${submission}.${event.seq}.reader`,
    title,
    links: [`Dataset: ${publicBaseUrl}/app/datasets/${dataset}/access?version=${version}`],
    why: "your address was stated in the request",
  });
}

const NEXT: Record<GrantKind, string> = {
  subject: "To download the files, open the page of the dataset and sign in with the account with which you asked.",
  email: "To download the files, open the page of the dataset and sign in with an account that has this address.",
  link: "The files open with a link, which the owner of the dataset sends to you.",
};
