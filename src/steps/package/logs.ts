import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../../archive/durable.ts";
import { HashedFile } from "../../archive/ocfl/hashed-file.ts";
import { eventsAfter } from "../../db/events.ts";
import type { SubmissionRow } from "../../db/submissions.ts";
import type { StepContext } from "../context.ts";

/**
 * Writes what stands outside the versions, in the object's `logs/v1/`: the receipt, the submission as it was sent,
 * and the events. With the package they are enough to rebuild the database.
 */
export async function writeLogs(
  context: StepContext,
  row: SubmissionRow,
  folder: string,
  receipt: string,
): Promise<void> {
  const logs = join(folder, "logs/v1");
  await mkdir(logs, { recursive: true });
  await writeDurably(join(logs, "receipt.jws"), `${receipt}\n`);
  const submission = {
    id: row.id,
    attempt: row.attempt,
    owner: row.owner,
    createdAt: row.created_at.toISOString(),
    publishedAt: new Date().toISOString(),
    sent: row.sent,
    metadata: row.metadata,
    warnings: row.warnings,
    source: { endpoint: row.endpoint, region: row.region, bucket: row.bucket, selection: row.selection },
  };
  await writeDurably(join(logs, "submission.json"), `${JSON.stringify(submission, null, 2)}\n`);
  const events = await HashedFile.create(join(logs, "events.jsonl"));
  try {
    for (let after = 0; ; ) {
      const page = await eventsAfter(context.db, row.id, after, 1000);
      if (page.length === 0) break;
      for (const event of page) await events.write(`${JSON.stringify(event)}\n`);
      after = page.at(-1)?.seq ?? after;
    }
    await events.finish();
  } finally {
    await events.close();
  }
}
