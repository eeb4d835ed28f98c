import { join } from "node:path";
import { HashedFile } from "../../../packages/ocfl/src/index.ts";
import { writeDurably } from "../../archive/folder/durable-writes.ts";
import {
  digestListFile,
  type LoggedRead,
  type LoggedSubmission,
  READS,
  writeLogsManifest,
} from "../../archive/receipts/logs.ts";
import type { Drift } from "../../archive/receipts/receipt.ts";
import { logsOf } from "../../archive/versions.ts";
import type { ObjectRecord } from "../../db/chunks/objects.ts";
import type { DigestListRow } from "../../db/submissions/digests.ts";
import type { Documents } from "../../db/submissions/documents.ts";
import { eventsAfter } from "../../db/submissions/events.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import { ocflVersionOf, type StepContext } from "../context.ts";
import { loggedSource } from "../submission-source.ts";
import type { BuiltPackage } from "./make-visible.ts";

/**
 * Writes the files in the object's `logs/`, outside the versions: the receipt, the submission and its digest lists as they were sent, the
 * events, and the digests of these files and of the log of reads. Together with the package they are sufficient to rebuild the
 * database.
 */
export async function writeLogs(
  context: StepContext,
  row: SubmissionRow,
  folder: string,
  {
    receipt,
    publishedAt,
    readsSha512,
    documents,
    lists,
  }: BuiltPackage & { readsSha512: string; documents: Documents; lists: readonly DigestListRow[] },
): Promise<void> {
  const logs = join(folder, logsOf(ocflVersionOf(row)));
  const digests = new Map([[READS, readsSha512]]);
  digests.set("receipt.jws", await writeDurably(join(logs, "receipt.jws"), receipt));
  const submission: LoggedSubmission = {
    id: row.id,
    attempt: row.attempt,
    owner: row.owner,
    createdAt: row.created_at.toISOString(),
    publishedAt: publishedAt.toISOString(),
    sent: documents.sent,
    metadata: documents.metadata,
    warnings: documents.warnings,
    source: loggedSource(row),
    drift: row.drift as Drift[],
    driftTotal: row.drift_total,
  };
  const text = `${JSON.stringify(submission, null, 2)}\n`;
  digests.set("submission.json", await writeDurably(join(logs, "submission.json"), text));
  for (const { no, content } of lists) {
    const name = digestListFile(no);
    if (content !== null) digests.set(name, await writeDurably(join(logs, name), content));
  }
  const events = await HashedFile.create(join(logs, "events.jsonl"));
  try {
    for (let after = 0; ; ) {
      const page = await eventsAfter(context.db, row.id, after, 1000);
      if (page.length === 0) break;
      for (const event of page) await events.write(`${JSON.stringify(event)}\n`);
      after = page.at(-1)?.seq ?? after;
    }
    digests.set("events.jsonl", (await events.finish()).sha512);
  } finally {
    await events.close();
  }
  await writeLogsManifest(logs, digests);
}

/** Opens the log of reads in a package that has its `logs/`. It is not part of the dataset, because read errors are not research data. */
export async function openReads(folder: string, version: number): Promise<HashedFile> {
  return HashedFile.create(join(folder, logsOf(version), READS));
}

/** Logs an object that was read more than once, or whose content was read for an earlier version. Others are not logged. */
export async function noteReads(reads: HashedFile, { key, attempts, error, verifiedIn }: ObjectRecord): Promise<void> {
  if (attempts === (verifiedIn === null ? 1 : 0) && error === null) return;
  await reads.write(`${JSON.stringify({ key, attempts, error } satisfies LoggedRead)}\n`);
}
