import type { ObjectRecord } from "../../db/chunks/objects.ts";
import { viewFile } from "./views.ts";

/** A line by RFC 4180. A text that a spreadsheet would run as a formula gets a leading apostrophe. */
export function csvOf(values: readonly (string | number | null | undefined)[]): string {
  return `${values.map(csvValue).join(",")}\r\n`;
}

const COLUMNS = ["path", "key", "bytes", "sha512", "state", "verifiedBy", "verifiedWith", "attempts"] as const;

export const csvHeader = csvOf([...COLUMNS, "errorCode", "errorMessage"]);

export function csvLine(object: ObjectRecord): string {
  const file = viewFile(object);
  return csvOf([...COLUMNS.map((name) => file[name]), file.error?.code, file.error?.message]);
}

function csvValue(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
