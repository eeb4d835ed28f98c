import type { Arguments } from "./arguments.ts";
import { OaiError } from "./errors.ts";

/** A position in a list, with everything that selects the list. The service stores nothing. */
export interface Position {
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

export function writeToken({ selection, after, cursor, size }: Position): string {
  const fields = new URLSearchParams({ ...selection, after, cursor: String(cursor), size: String(size) });
  return Buffer.from(fields.toString()).toString("base64url");
}

/** The position that a token states, in which the selection is not validated. @throws OaiError `badResumptionToken` */
export function readToken(token: string): Position {
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
