import { embargoFault, needsReason } from "@accession/rules";
import type { Access, Publication } from "../../api/publications.ts";

/** The access to the files, as it is entered. */
export interface AccessChoice {
  access: Access;
  /** `YYYY-MM-DD`; may be empty. */
  embargoDate: string;
  reason: string;
}

/** Today’s date in UTC, in which embargoes end. */
export function todayInUtc(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The present access, for a form. */
export function choiceOf({ access, embargoDate, accessReason }: Publication): AccessChoice {
  return { access, embargoDate: embargoDate ?? "", reason: accessReason };
}

/** What is missing or wrong. @param isChange whether each access needs a reason */
export function mistakesIn({ access, embargoDate, reason }: AccessChoice, isChange: boolean): ("date" | "reason")[] {
  const isPast = access === "embargoed" && embargoFault(embargoDate, todayInUtc()) === "past";
  return [
    ...(isPast ? (["date"] as const) : []),
    ...(needsReason(access, isChange) && reason.trim() === "" ? (["reason"] as const) : []),
  ];
}

/** The members of the request. */
export function bodyOf({ access, embargoDate, reason }: AccessChoice) {
  const said = reason.trim();
  return { access, ...(access === "embargoed" && { embargoDate }), ...(said !== "" && { reason: said }) };
}
