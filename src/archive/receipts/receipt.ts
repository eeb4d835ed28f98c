import type { SourceFacts } from "../../describe/version-facts.ts";
import type { DeletionVerdict } from "../../domain/submission/archive-events.ts";
import type { NamedFiles, UsedDigestList } from "../../domain/submission/digest-state.ts";
import { selectedPart } from "../../domain/submission/selected-part.ts";
import type { Selection } from "../../domain/submission/selection.ts";

/** Number of files by the strongest source check that matched, which is the file's `verifiedBy` in the source manifest. */
export interface VerifiedCounts {
  /** By a digest that the submitter has sent. Absent in receipts of submissions without digest lists. */
  submitter?: number;
  checksum: number;
  md5: number;
  "md5-parts": number;
  length: number;
}

/** The proof of custody (docs/package-format.md). Times are ISO 8601, digests lower-case hex, sizes bytes. */
export interface Receipt {
  submission: { id: string; attempt: number };
  /** `revision` is the number of the metadata revision, from 2 on; absent for the metadata of the submission. */
  dataset: { id: string; version: number; identifier: string; revision?: number };
  title: string;
  source: SourceFacts;
  counts: { listed: number; stored: number; excluded: number };
  bytes: number;
  verified: VerifiedCounts;
  /** At most {@link MAX_NAMED_OBJECTS}; the source manifest names them all. */
  exclusions: Exclusion[];
  exclusionsTotal: number;
  /** Only for a submission with digest lists. */
  digestLists?: ComparedLists;
  /** At most {@link MAX_NAMED_OBJECTS}. */
  drift: Drift[];
  driftTotal: number;
  /** Absent in the receipt of a first version. */
  changes?: Changes;
  digests: {
    /** `path` is logical, in the dataset. */
    sourceManifest: { path: string; sha512: string };
    /** `path` is in the object's folder, `v1/inventory.json`. */
    inventory: { path: string; sha512: string };
  };
  /** Only in the receipt of a metadata revision: the inventory of the state before it. */
  previous?: { inventory: { path: string; sha512: string } };
  firstReadAt: string;
  lastReadAt: string;
  issuedAt: string;
  issuer: { publisher: string; url: string };
  sourceMayBeDeleted: DeletionVerdict["sourceMayBeDeleted"];
  statement: DeletionVerdict["statement"];
}

/** The digest lists of a submission, and what they show about its source. No listed and selected file was missing. */
export interface ComparedLists {
  /** A list of the request is in the object's folder at `path`. Lists in the source are objects, if they are selected and not excluded. */
  lists: (UsedDigestList & { path?: string })[];
  /** Number of listed files that were selected, and of those that were not. */
  files: number;
  notSelected: number;
  /** Archived files that no list names, of which the first are named. */
  additional: NamedFiles;
  /** Number of files that differed from a list; they were excluded. */
  differing: number;
}

/** Differences from the previous version, by key and SHA-512. At most {@link MAX_NAMED_OBJECTS} keys of each kind are named. */
export interface Changes {
  /** The version that this one is compared with. */
  since: number;
  added: { total: number; keys: string[] };
  changed: { total: number; keys: string[] };
  /** No longer in the bucket, or excluded; the earlier version still has them. */
  removed: { total: number; keys: string[] };
  /** With the same bytes; `notRead` of them were verified in an earlier version and not read again. */
  kept: { total: number; notRead: number };
}

export interface Exclusion {
  key: string;
  path: string;
  reason: string;
  code: string;
}

export interface Drift {
  key: string;
  change: "changed" | "vanished" | "appeared";
}

/** Maximum number of exclusions, and of drifted objects, that a receipt names. */
export const MAX_NAMED_OBJECTS = 1_000;

const ALWAYS = "Only current object versions were read, and this archive holds one copy.";

/** Of a dataset without a bucket. The sender is not named, because the owner may pass the receipt on. */
const UPLOADED =
  "The files were read from an upload to this service. Files that were not sent are not covered, and this archive holds one copy.";

/**
 * Whether the source may be deleted as far as this archive can tell, and the reason: yes only if nothing was excluded,
 * nothing drifted and no file was verified by its length alone. If a part of the bucket was selected, the verdict is about
 * that part, and the statement names it.
 */
export function deletionVerdict(found: {
  excluded: number;
  drifted: number;
  verified: VerifiedCounts;
  /** Number of files that were verified for an earlier version, and not read again. */
  notRead?: number;
  selection?: Selection;
  /** Whether the files were uploaded to this service. */
  isUpload?: boolean;
}): DeletionVerdict {
  const reasons = [
    reason(found.excluded, "object was excluded", "objects were excluded"),
    reason(
      found.drifted,
      "object changed, vanished or appeared while it was read",
      "objects changed, vanished or appeared while they were read",
    ),
    reason(found.verified.length, "file was verified by its length alone", "files were verified by their length alone"),
  ].filter((text) => text !== undefined);
  const unread = reason(found.notRead ?? 0, "file was", "files were");
  const { submitter: submitted = 0 } = found.verified;
  const part = selectedPart(found.selection ?? {});
  const which = part === undefined ? "Every object" : "Every selected object";
  const stored = found.isUpload
    ? `Every file that was sent was stored and verified against ${submitted > 0 ? "a checksum" : "the SHA-512"} that its sender stated.`
    : `${which} was stored and verified against ${digestsOf(found.verified)}.`;
  const verdict = reasons.length === 0 ? stored : `Do not delete the source: ${reasons.join("; ")}.`;
  const sentences = [
    verdict,
    ...(part === undefined ? [] : [`Only a part of the bucket was selected (${part}). No other objects were read.`]),
    ...(unread === undefined
      ? []
      : [
          `Of all files, ${unread} verified for an earlier version and not read again, because size and ETag are unchanged.`,
        ]),
    found.isUpload ? UPLOADED : ALWAYS,
  ];
  return { sourceMayBeDeleted: reasons.length === 0 ? "yes" : "no", statement: sentences.join(" ") };
}

/** Limits the exclusions and drift to those that a receipt names, and adds their totals. */
export function truncateReceipt(receipt: Omit<Receipt, "exclusionsTotal" | "driftTotal">): Receipt {
  return {
    ...receipt,
    exclusions: receipt.exclusions.slice(0, MAX_NAMED_OBJECTS),
    exclusionsTotal: receipt.counts.excluded,
    drift: receipt.drift.slice(0, MAX_NAMED_OBJECTS),
    driftTotal: receipt.drift.length,
  };
}

/** Which digests the files of a bucket were compared with. */
function digestsOf({ submitter = 0, ...own }: VerifiedCounts): string {
  if (submitter === 0) return "the source's own digests";
  const lists = "the submitter’s digest lists";
  return Object.values(own).every((count) => count === 0) ? lists : `${lists} or the source's own digests`;
}

function reason(count: number, one: string, many: string): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? one : many}`;
}
