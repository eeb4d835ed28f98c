import { countHarvest, type HarvestedEntry, type HarvestFilter, harvest } from "../../db/catalogue/harvest.ts";
import type { HttpContext } from "../context.ts";
import { element, type Xml } from "../responses/xml.ts";
import type { Arguments } from "./arguments.ts";
import { periodOf } from "./datestamps.ts";
import { OaiError } from "./errors.ts";
import { formatOf, type OaiFormat } from "./formats.ts";
import { recordsOf } from "./sets.ts";

/** Writes the first entries of a page, at least one. */
export type WriteEntries = (entries: readonly HarvestedEntry[], format: OaiFormat) => Promise<Xml[]>;

/**
 * A page of `ListRecords` or `ListIdentifiers`, and its resumption token.
 *
 * Pages follow the numbers of the entries, which never change. An entry that changes during a harvest is therefore neither
 * repeated nor lost, and entries that are added come at the end. Changes after the first page have a datestamp that is not
 * before its `responseDate`, where the next harvest continues.
 *
 * @throws OaiError
 */
export async function listPage(
  { db }: HttpContext,
  given: Arguments,
  { now, size: limit, write }: { now: Date; size: number; write: WriteEntries },
): Promise<Xml[]> {
  const position = given.resumptionToken === undefined ? undefined : readToken(given.resumptionToken);
  const { filter, format } = position === undefined ? selected(given, now) : resumed(position, now);
  // One more than wanted shows whether there is a next page.
  const entries =
    filter === undefined ? [] : await harvest(db, filter, { after: position?.after ?? "0", limit: limit + 1 });
  if (filter === undefined || entries.length === 0) {
    throw new OaiError("noRecordsMatch", "No records match the arguments of the request");
  }
  const written = await write(entries.slice(0, limit), format);
  const last = entries[written.length - 1];
  const hasMore = written.length < entries.length;
  if (position === undefined && !hasMore) return written;
  const cursor = position?.cursor ?? 0;
  const end = cursor + written.length;
  const known = position?.size ?? (await countHarvest(db, filter));
  // Entries that were added since the first page are counted when they are found.
  const size = Math.max(known, end + (hasMore ? 1 : 0));
  const selection = position?.selection ?? selectionOf(given);
  const next = hasMore && last !== undefined ? writeToken({ selection, after: last.no, cursor: end, size }) : "";
  return [...written, element("resumptionToken", next, { completeListSize: size, cursor })];
}

/** @returns no filter if there is no such set */
function selected(given: Arguments, now: Date): { filter: HarvestFilter | undefined; format: OaiFormat } {
  const period = periodOf(given);
  const records = recordsOf(given.set);
  const format = formatOf(given.metadataPrefix ?? "");
  return { filter: records && { ...period, ...records, now }, format };
}

function resumed({ selection }: Position, now: Date): ReturnType<typeof selected> {
  try {
    return selected(selection, now);
  } catch (cause) {
    if (!(cause instanceof OaiError)) throw cause;
    throw new OaiError("badResumptionToken", "The resumption token is not one of this service");
  }
}

function selectionOf({ metadataPrefix, from, until, set }: Arguments): Position["selection"] {
  return {
    ...(metadataPrefix !== undefined && { metadataPrefix }),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(set !== undefined && { set }),
  };
}

/** A position in a list, with everything that selects the list. The service stores nothing. */
interface Position {
  selection: Pick<Arguments, "metadataPrefix" | "from" | "until" | "set">;
  /** The number of the last catalogue entry of the previous page. */
  after: string;
  /** Records on previous pages. */
  cursor: number;
  /** Records of the whole list when it began. */
  size: number;
}

const LONGEST = 1_000;
const SELECTION = ["metadataPrefix", "from", "until", "set"] as const;
const FIELDS: readonly string[] = [...SELECTION, "after", "cursor", "size"];

function writeToken({ selection, after, cursor, size }: Position): string {
  const fields = new URLSearchParams({ ...selection, after, cursor: String(cursor), size: String(size) });
  return Buffer.from(fields.toString()).toString("base64url");
}

/** The position that a token states, in which the selection is not validated. @throws OaiError `badResumptionToken` */
function readToken(token: string): Position {
  const fields = new URLSearchParams(Buffer.from(token.slice(0, LONGEST), "base64url").toString("utf8"));
  const [after = "", cursor = "", size = ""] = ["after", "cursor", "size"].map((name) => fields.get(name) ?? "");
  const selection: Position["selection"] = {};
  for (const name of SELECTION) {
    const value = fields.get(name);
    if (value !== null) selection[name] = value;
  }
  const position = { selection, after, cursor: Number(cursor), size: Number(size) };
  const isValid =
    /^\d{1,18}$/.test(after) &&
    [cursor, size].every((number) => /^\d{1,15}$/.test(number)) &&
    [...fields.keys()].every((name) => FIELDS.includes(name)) &&
    // Every position has one token.
    writeToken(position) === token;
  if (isValid) return position;
  throw new OaiError("badResumptionToken", "The resumption token is not one of this service");
}
