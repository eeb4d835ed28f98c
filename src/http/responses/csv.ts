import type { FastifyReply, FastifyRequest } from "fastify";
import type { ObjectRecord } from "../../db/chunks/objects.ts";
import { negotiated } from "./negotiation.ts";
import { sendText } from "./send-text.ts";
import { viewFile } from "./views.ts";

/** A line by RFC 4180. A text that a spreadsheet would run as a formula gets a leading apostrophe. */
export function csvOf(values: readonly (string | number | null | undefined)[]): string {
  return `${values.map(csvValue).join(",")}\r\n`;
}

/** Whether the client prefers CSV to JSON. */
export function wantsCsv(request: FastifyRequest, reply: FastifyReply): boolean {
  return negotiated(request, reply, ["application/json", "text/csv"]) === "text/csv";
}

/** Sends lines of CSV. @param lines all of them, or parts while they are read */
export function sendCsv(reply: FastifyReply, lines: string | AsyncIterable<string>): FastifyReply {
  return sendText(reply, "text/csv; charset=utf-8", lines);
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
