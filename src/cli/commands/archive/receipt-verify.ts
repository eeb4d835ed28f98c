import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { JSONWebKeySet } from "jose";
import type { Receipt } from "../../../archive/receipts/receipt.ts";
import { checkReceiptAgainst, checkRecordAgainst } from "../../../archive/receipts/receipt-check.ts";
import {
  claimedRecord,
  verifyPublicationRecord,
  verifyReceipt,
  verifyReviewRecord,
} from "../../../archive/receipts/signing.ts";
import { UPLOAD } from "../../../domain/source-access/upload-place.ts";
import { selectedPart } from "../../../domain/submission/selected-part.ts";
import { openFrom } from "../../../publication/rules/access.ts";
import { commandName } from "../../api-command.ts";
import { readJwks } from "../../client/jwks.ts";
import { Failure, reasonOf, Unsuccessful } from "../../terminal/failure.ts";
import { moment, several, size } from "../../terminal/numbers.ts";
import { Output } from "../../terminal/output.ts";
import { readInput } from "../../terminal/read-input.ts";
import { FAILED, join as joined, OK, show, styled, WARNING } from "../../terminal/text.ts";
import { describeDeletionScope } from "../../terminal/waiting-reason.ts";

/** Verifies a receipt or a record, and an archive against it. */
export async function verify(
  file: string,
  { archive, jwks, ...options }: { archive?: string; jwks?: string; json?: boolean },
): Promise<void> {
  const output = new Output(options);
  const jws = await readInput(file, "The receipt");
  const kind = claimedRecord(jws);
  const keys = await findJwks(jwks, archive);
  if (kind === "publication") return verifyRecord(output, jws, archive, keys);
  if (kind === "review") return verifyReview(output, jws, keys);
  const verified = requireValid(output, "receipt", await verifyReceipt(jws, keys));
  const { receipt, signer } = verified;
  const disagreements = archive === undefined ? [] : await checkReceiptAgainst(receipt, archive);
  const ok = sayVerdict(output, "receipt", verified, disagreements);
  describeReceipt(output, receipt, { ok, signer });
  sayDisagreements(output, disagreements);
  if (archive !== undefined) {
    const what = show`The dataset and its lists of files (inventory and source manifest) in ${archive} match the receipt`;
    output.say(show`${OK} ${what}`, { hang: 2 });
    const unread = show`The contents of the files were not checked. To check them: ${commandName()} verify ${archive}`;
    output.say(show`${WARNING} ${unread}`, { hang: 2 });
  }
}

/** Verifies a publication record, and that the archive has the inventory that it names. */
async function verifyRecord(
  output: Output,
  jws: string,
  archive: string | undefined,
  jwks: JSONWebKeySet | undefined,
): Promise<void> {
  const verified = requireValid(output, "publication record", await verifyPublicationRecord(jws, jwks));
  const { record } = verified;
  const disagreements = archive === undefined ? [] : await checkRecordAgainst(record, archive);
  sayVerdict(output, "publication record", verified, disagreements);
  const row = output.rows(10);
  const { dataset, identifier, title, state, access, embargoDate, publishedAt, withdrawn, digests, issuer } = record;
  row("identifier", identifier);
  row("dataset", show`${dataset.id}, version ${dataset.version}, metadata revision ${dataset.revision}`);
  row("title", title);
  row("state", show`${state}${withdrawn === undefined ? "" : ` on ${moment(withdrawn.at)}: ${withdrawn.reason}`}`);
  row("access", show`${access}${embargoDate === undefined ? "" : `, ${openFrom(embargoDate)}`}`);
  const at = publishedAt === undefined ? "no" : moment(publishedAt);
  row("published", show`${at} by ${issuer.publisher}, ${issuer.url}`);
  const isSame = digests.reviewed === digests.inventory.sha512;
  row("reviewed", isSame ? "exactly this state" : "an earlier state of the metadata");
  // The digest that reviewer links show.
  row("digest", digests.inventory.sha512);
  if (!isSame) row("approved", digests.reviewed);
  sayDisagreements(output, disagreements);
}

/** Verifies a review record. It names no files of the archive. */
async function verifyReview(output: Output, jws: string, jwks: JSONWebKeySet | undefined): Promise<void> {
  const verified = requireValid(output, "review record", await verifyReviewRecord(jws, jwks));
  sayVerdict(output, "review record", verified);
  const row = output.rows(10);
  const { dataset, publication, entries, number, issuedAt, issuer } = verified.record;
  row("dataset", show`${dataset.id}, version ${dataset.version}`);
  row("record", `${number}, with ${several(entries.length, "entry", "entries")} of the history`);
  row("state", `${publication.state} since ${moment(publication.since)}`);
  row("issued", show`${moment(issuedAt)} by ${issuer.publisher}, ${issuer.url}`);
}

/** @throws Unsuccessful if the document is not valid, after printing why */
function requireValid<T extends { ok: true }>(
  output: Output,
  what: string,
  verified: T | { ok: false; detail: string },
): T {
  if (verified.ok) return verified;
  output.data({ ok: false, message: verified.detail });
  output.say(show`${styled("red", `✗ The ${what} is not valid:`)} ${verified.detail}`);
  throw new Unsuccessful();
}

type Disagreements = Awaited<ReturnType<typeof checkReceiptAgainst>>;

interface Verified {
  ok: true;
  signer: "established" | "not established";
  kid: string;
}

/** Prints whether the signature was checked and the archive matches. Returns whether it matches. */
function sayVerdict(
  output: Output,
  what: string,
  { ok: _, signer, kid, ...content }: Verified,
  disagreements?: Disagreements,
): boolean {
  const ok = disagreements === undefined || disagreements.length === 0;
  const signature =
    signer === "established"
      ? `the signature is valid (key ${kid})`
      : "readable, but the signature was not checked: no public keys are available";
  const message = ok ? signature : `the archive does not match the ${what}`;
  output.data({ ok, message, signer, kid, ...(disagreements && { disagreements }), ...content });
  output.say(show`${ok ? OK : FAILED} ${styled("bold", message)}`);
  return ok;
}

/** @throws Unsuccessful if there are any */
function sayDisagreements(output: Output, disagreements: Disagreements): void {
  for (const { path, detail } of disagreements) output.say(show`${FAILED} ${path}: ${detail}`, { hang: 2 });
  if (disagreements.length > 0) throw new Unsuccessful();
}

/** Prints the content of a receipt. Its “yes” is qualified unless everything is verified, because users delete data based on it. */
function describeReceipt(output: Output, receipt: Receipt, held: { ok: boolean; signer: string }): void {
  const { dataset, source, counts, exclusionsTotal, driftTotal, issuer } = receipt;
  const row = output.rows(9);
  row("dataset", show`${dataset.identifier}, version ${dataset.version}`);
  row("title", receipt.title);
  const { endpoint, bucket } = source;
  row("source", endpoint === UPLOAD ? show`upload ${bucket}` : show`${endpoint}, bucket ${bucket}`);
  const part = selectedPart(source.selection);
  if (part !== undefined) row("selected", show`only ${part}`);
  row("stored", `${several(counts.stored, "object")} of ${counts.listed}, ${size(receipt.bytes)}`);
  row("verified", joined(Object.entries(receipt.verified).flatMap(([by, n]) => (n > 0 ? [`${n} by ${by}`] : []))));
  const { digestLists } = receipt;
  if (digestLists !== undefined) row("lists", comparedWith(digestLists));
  if (exclusionsTotal > 0) row("excluded", several(exclusionsTotal, "object"));
  if (driftTotal > 0) row("drift", `${several(driftTotal, "object")} changed, vanished or appeared`);
  if (receipt.changes !== undefined) row("changes", changesSince(receipt.changes));
  const isUnread = receipt.changes !== undefined && receipt.changes.kept.notRead === counts.stored;
  row(
    "read",
    isUnread ? "no objects: all were unchanged" : `${moment(receipt.firstReadAt)} to ${moment(receipt.lastReadAt)}`,
  );
  row("issued", show`${moment(receipt.issuedAt)} by ${issuer.publisher}, ${issuer.url}`);
  const may = receipt.sourceMayBeDeleted;
  const of = describeDeletionScope(source.selection);
  const trusted = held.ok && held.signer === "established";
  row(
    "deletion",
    show`${of.charAt(0).toUpperCase()}${of.slice(1)} can be deleted: ${styled(may === "yes" && trusted ? "green" : "yellow", may)}.`,
  );
  row("", receipt.statement);
  if (!held.ok) row("", styled("red", "Do not rely on this: the archive does not match the receipt."));
  else if (!trusted)
    row(
      "",
      styled(
        "yellow",
        "Do not rely on this: the signature was not checked. Name the public keys of the service with --jwks.",
      ),
    );
}

/** What was compared with the digest lists, in one line. */
function comparedWith({ lists, files, additional, differing }: NonNullable<Receipt["digestLists"]>): string {
  const excluded = differing === 0 ? "" : `, ${differing} different and excluded`;
  return `${several(files, "file")} in ${several(lists.length, "checksum list")}, ${additional.total} in none${excluded}`;
}

function changesSince({ since, added, changed, removed, kept }: NonNullable<Receipt["changes"]>): string {
  const counts = { added, changed, removed, kept };
  const words = Object.entries(counts).map(([what, { total }]) => `${total} ${what}`);
  return `${words.join(", ")} since version ${since}`;
}

async function findJwks(named: string | undefined, archive: string | undefined): Promise<JSONWebKeySet | undefined> {
  if (named !== undefined) return readJwks(named);
  if (archive === undefined) return undefined;
  const found = await stat(archive).catch((error: unknown) => {
    throw new Failure(2, show`The archive ${archive} cannot be read: ${reasonOf(error)}`);
  });
  if (!found.isDirectory()) throw new Failure(2, show`The archive ${archive} is not a folder`);
  const file = join(archive, "jwks.json");
  return (await stat(file).catch(() => undefined)) === undefined ? undefined : readJwks(file);
}
