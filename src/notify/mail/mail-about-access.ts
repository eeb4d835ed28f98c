import type { AccessRequestRow } from "../../db/publication/access-requests.ts";
import type { GrantKind } from "../../publication/rules/grants.ts";
import { type MailWords, quoted } from "./mail-text.ts";
import type { MailTexts } from "./words/en.ts";

/** An answered request for access. */
export interface Answered {
  request: Pick<AccessRequestRow, "state" | "answer">;
  /** What was granted; undefined if access was refused, or the grant no longer exists. */
  kind: GrantKind | undefined;
}

/**
 * The words for the person who asked for access to files, with the answer. They name no account, and contain no link of a grant,
 * because the person has only stated the address. Undefined if the request is not answered.
 */
export function wordsAboutAccess({ request, kind }: Answered, { access }: MailTexts): MailWords | undefined {
  const { state, answer } = request;
  if (state === "open") return undefined;
  const isGranted = state === "granted";
  return {
    subject: isGranted ? access.granted : access.refused,
    text: [
      isGranted ? access.grantedText : access.refusedText,
      ...(answer === "" ? [] : [quoted(answer)]),
      ...(isGranted && kind !== undefined ? [access.kinds[kind]] : []),
    ],
  };
}
