import { embargoFault, needsReason } from "../../../../packages/rules/src/index.ts";
import { calendarDate } from "../../../describe/metadata/values/date.ts";
import { isBlank } from "../../../domain/blank.ts";
import type { Remark } from "../../../domain/problems.ts";
import { invalid } from "../../../intake/request.ts";
import type { AccessWish } from "../../../publication/commands/inputs.ts";

interface SentWish {
  access: AccessWish["access"];
  embargoDate?: string;
  reason?: string;
}

/** The access that a request names. @throws Problem `invalid_request` with all errors of the access */
export function accessWish({ access, embargoDate, reason = "" }: SentWish, isChange: boolean): AccessWish {
  const errors: Remark[] = [];
  const add = (pointer: string, code: Remark["code"], detail: string) => errors.push({ pointer, code, detail });
  if (access === "embargoed") checkEmbargo(embargoDate, add);
  else if (embargoDate !== undefined) {
    add("/embargoDate", "wrong_value", "Only the access “embargoed” has a date.");
  }
  if (isBlank(reason) && needsReason(access, isChange)) {
    add("/reason", "required", isChange ? "State the reason for the change." : "State the reason for the embargo.");
  }
  if (errors.length > 0) throw invalid(errors, []);
  return { access, embargoDate: embargoDate ?? null, reason };
}

function checkEmbargo(
  date: string | undefined,
  add: (pointer: string, code: Remark["code"], detail: string) => void,
): void {
  const fault = embargoFault(date ?? "", new Date().toISOString().slice(0, 10));
  if (date === undefined) add("/embargoDate", "required", "State the day on which the embargo ends.");
  else if (calendarDate(date) !== date) add("/embargoDate", "wrong_value", "This is not a calendar date (YYYY-MM-DD).");
  else if (fault === "past")
    add("/embargoDate", "wrong_value", "The embargo must end in the future. Otherwise choose the access “open”.");
  else if (fault === "late") add("/embargoDate", "wrong_value", "An embargo can last at most 100 years.");
}
