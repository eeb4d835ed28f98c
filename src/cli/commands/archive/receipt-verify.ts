import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { JSONWebKeySet } from "jose";
import type { Receipt } from "../../../archive/receipts/receipt.ts";
import { checkReceiptAgainst, checkRecordAgainst } from "../../../archive/receipts/receipt-check.ts";
import {
  claimedRecord,
  verifyPublicationRecord,
  verifyReceipt,
  verifyReviewRecord,
} from "../../../archive/receipts/signing.ts";
import { selectedPart } from "../../../domain/selected-part.ts";
import { openFrom } from "../../../publication/rules/access.ts";
import { type Common, commandName } from "../../api-command.ts";
import { readJwks } from "../../client/jwks.ts";
import { Failure, reasonOf, Unsuccessful } from "../../terminal/failure.ts";
import { moment, several, size } from "../../terminal/numbers.ts";
import { Output } from "../../terminal/output.ts";
import { join as joined, pad, type Showable, show, styled } from "../../terminal/text.ts";
import { describeDeletionScope } from "../../terminal/waiting-reason.ts";

/** Verifies a receipt, and an archive against it. */
export async function verify(file: string, { archive, jwks, ...options }: ReceiptOptions): Promise<void> {
  const output = new Output(options);
  const jws = await (file === "-" ? text(process.stdin) : readFile(file, "utf8")).catch((error: unknown) => {
    throw new Failure(2, show`The receipt ${file} cannot be read: ${reasonOf(error)}`);
  });
  const record = claimedRecord(jws);
  if (record === "publication") return verifyRecord(output, jws, archive, await findJwks(jwks, archive));
  if (record === "review") return verifyReview(output, jws, await findJwks(jwks, archive));
  const verified = await verifyReceipt(jws, await findJwks(jwks, archive));
  if (!verified.ok) {
    output.data({ ok: false, message: verified.detail });
    output.say(show`${styled("red", "✗ The receipt is not valid:")} ${verified.detail}`);
    throw new Unsuccessful();
  }
  const { receipt, signer, kid } = verified;
  const disagreements = archive === undefined ? [] : await checkReceiptAgainst(receipt, archive);
  const ok = disagreements.length === 0;
  const message = ok ? verdict(verified) : "the archive does not match the receipt";
  output.data({ ok, message, signer, kid, disagreements, receipt });
  output.say(show`${ok ? styled("green", "✓") : styled("red", "✗")} ${styled("bold", message)}`);
  describeReceipt(output, receipt, { ok, signer });
  for (const { path, detail } of disagreements) output.say(show`${styled("red", "✗")} ${path}: ${detail}`, { hang: 2 });
  if (ok && archive !== undefined) {
    const what = show`The dataset and its lists of files (inventory and source manifest) in ${archive} match the receipt`;
    output.say(show`${styled("green", "✓")} ${what}`, { hang: 2 });
    const unread = show`The contents of the files were not checked. To check them: ${commandName()} verify ${archive}`;
    output.say(show`${styled("yellow", "!")} ${unread}`, { hang: 2 });
  }
  if (!ok) throw new Unsuccessful();
}

/** Verifies a publication record, and that the archive has the inventory that it names. */
async function verifyRecord(
  output: Output,
  jws: string,
  archive: string | undefined,
  jwks: JSONWebKeySet | undefined,
): Promise<void> {
  const verified = await verifyPublicationRecord(jws, jwks);
  if (!verified.ok) {
    output.data({ ok: false, message: verified.detail });
    output.say(show`${styled("red", "✗ The publication record is not valid:")} ${verified.detail}`);
    throw new Unsuccessful();
  }
  const { record, signer, kid } = verified;
  const disagreements = archive === undefined ? [] : await checkRecordAgainst(record, archive);
  const ok = disagreements.length === 0;
  const message = ok ? verdict(verified) : "the archive does not match the publication record";
  output.data({ ok, message, signer, kid, disagreements, record });
  output.say(show`${ok ? styled("green", "✓") : styled("red", "✗")} ${styled("bold", message)}`);
  const row = (name: string, value: Showable) => output.say(show`  ${pad(name, 10)} ${value}`, { hang: 13 });
  const { dataset, identifier, title, state, access, embargoDate, publishedAt, withdrawn, digests, issuer } = record;
  row("identifier", identifier);
  row("dataset", show`${dataset.id}, version ${dataset.version}, metadata revision ${dataset.revision}`);
  row("title", title);
  row("state", show`${state}${withdrawn === undefined ? "" : ` on ${moment(withdrawn.at)}: ${withdrawn.reason}`}`);
  row("access", show`${access}${embargoDate === undefined ? "" : `, ${openFrom(embargoDate)}`}`);
  const at = publishedAt === undefined ? "no" : moment(publishedAt);
  row("published", show`${at} by ${issuer.publisher}, ${issuer.url}`);
  row(
    "reviewed",
    digests.reviewed === digests.inventory.sha512 ? "exactly this state" : "an earlier state of the metadata",
  );
  // The digest that reviewer links show.
  row("digest", digests.inventory.sha512);
  if (digests.reviewed !== digests.inventory.sha512) row("approved", digests.reviewed);
  for (const { path, detail } of disagreements) output.say(show`${styled("red", "✗")} ${path}: ${detail}`, { hang: 2 });
  if (!ok) throw new Unsuccessful();
}

/** Verifies a review record. It names no files of the archive. */
async function verifyReview(output: Output, jws: string, jwks: JSONWebKeySet | undefined): Promise<void> {
  const verified = await verifyReviewRecord(jws, jwks);
  if (!verified.ok) {
    output.data({ ok: false, message: verified.detail });
    output.say(show`${styled("red", "✗ The review record is not valid:")} ${verified.detail}`);
    throw new Unsuccessful();
  }
  const { record, signer, kid } = verified;
  const message = verdict(verified);
  output.data({ ok: true, message, signer, kid, record });
  output.say(show`${styled("green", "✓")} ${styled("bold", message)}`);
  const row = (name: string, value: Showable) => output.say(show`  ${pad(name, 10)} ${value}`, { hang: 13 });
  const { dataset, publication, entries, number, issuedAt, issuer } = record;
  row("dataset", show`${dataset.id}, version ${dataset.version}`);
  row("record", `${number}, with ${several(entries.length, "entry", "entries")} of the history`);
  row("state", `${publication.state} since ${moment(publication.since)}`);
  row("issued", show`${moment(issuedAt)} by ${issuer.publisher}, ${issuer.url}`);
}

function verdict(verified: { signer: "established" | "not established"; kid: string }): string {
  if (verified.signer === "not established")
    return "readable, but the signature was not checked: no public keys are available";
  return `the signature is valid (key ${verified.kid})`;
}

/** Prints the content of a receipt. Its “yes” is qualified unless everything is verified, because users delete data based on it. */
function describeReceipt(output: Output, receipt: Receipt, held: { ok: boolean; signer: string }): void {
  const { dataset, source, counts, exclusionsTotal, driftTotal, issuer } = receipt;
  const row = (name: string, value: Showable) => output.say(show`  ${pad(name, 9)} ${value}`, { hang: 12 });
  row("dataset", show`${dataset.identifier}, version ${dataset.version}`);
  row("title", receipt.title);
  row("source", show`${source.endpoint}, bucket ${source.bucket}`);
  const part = selectedPart(source.selection);
  if (part !== undefined) row("selected", show`only ${part}`);
  row("stored", `${several(counts.stored, "object")} of ${counts.listed}, ${size(receipt.bytes)}`);
  row("verified", joined(Object.entries(receipt.verified).flatMap(([by, n]) => (n > 0 ? [`${n} by ${by}`] : []))));
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

export interface ReceiptOptions extends Common {
  archive?: string;
  jwks?: string;
}
