import { createHash } from "node:crypto";
import type { AccessKind } from "../../../packages/rules/src/index.ts";

/**
 * A signed statement about the publication of a dataset version (docs/package-format.md, “Publication records”). It binds
 * the identifier to the bytes: the inventory's digest, which the receipt of the same state names, too. Each change of state
 * or access adds a record that names the one before. Times are ISO 8601 in UTC, digests lower-case hex.
 */
export interface PublicationRecord {
  /** From 1 on, for each version. */
  number: number;
  dataset: { id: string; version: number; revision: number };
  /** A DOI as URL, or `urn:uuid:` and the id of the dataset. */
  identifier: string;
  /** The DOI of all versions as URL, if the dataset has one. */
  conceptDoi?: string;
  title: string;
  /**
   * `taken_back`: the publication ended before it was complete, and the version can be published later. Only recorded if an earlier
   * record says otherwise, or if a DOI had become public.
   */
  state: "published" | "withdrawn" | "taken_back";
  access: AccessKind;
  /** `YYYY-MM-DD`; the files are open from this day on. */
  embargoDate?: string;
  digests: {
    /** `path` is in the object's folder. */
    inventory: { path: string; sha512: string };
    /** SHA-512 of the inventory that was approved. It is the one above unless the metadata were changed since. */
    reviewed: string;
  };
  /** Absent if the version was not published: it was withdrawn or taken back before. */
  publishedAt?: string;
  withdrawn?: { at: string; reason: string };
  /** SHA-512 of the previous record's text. */
  previous?: string;
  issuedAt: string;
  issuer: { publisher: string; url: string };
}

/** The names of signed records in `logs/` and the folder of their kind. */
const NAME = /^v[1-9]\d*-\d{4,}\.jws$/;

export function recordName(version: number, number: number): string {
  return `v${version}-${String(number).padStart(4, "0")}.jws`;
}

/** The SHA-512 of a signed record in lower-case hex, without white space around it, as the next record names it. */
export function recordDigest(jws: string): string {
  return createHash("sha512").update(jws.trim()).digest("hex");
}

export function isRecordName(name: string): boolean {
  return NAME.test(name);
}
