import { lockDataset } from "../../db/datasets/datasets.ts";
import type { MailRow } from "../../db/notifications/mails.ts";
import { recordRefused } from "../../db/notifications/publication-recipients.ts";
import { addEntry, hasEntry } from "../../db/publication/history.ts";
import { findPublication } from "../../db/publication/publications.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import { SERVICE } from "../../publication/rules/states.ts";
import type { NotifyContext } from "../context.ts";
import type { PublicationIn, Recipients } from "./recipients.ts";

/** Action of the entry that states that a party does not receive mail. */
const UNDELIVERED = "mail-undelivered";

interface Undelivered {
  of: PublicationIn | undefined;
  recipients: Recipients;
  /** The last status of SMTP, such as 550; undefined without a response to the address. */
  status: number | undefined;
}

/**
 * Notes in the history of a publication that a party does not receive mail, so that owner and curators can tell it otherwise. It
 * contains no address. Noted once for each address of owner and curator, for configured addresses once for each publication.
 */
export async function noteUndelivered(
  { db }: NotifyContext,
  { party }: MailRow,
  { of, recipients, status }: Undelivered,
): Promise<void> {
  // The log and the metrics tell the operator. A submission has no history that others read.
  if (of === undefined || party === "operator" || party === "submitter" || party === "uploader") return;
  const { dataset: dataset_id, version } = of;
  await db.transaction().execute(async (trx) => {
    const dataset = await lockDataset(trx, dataset_id);
    const row = await findPublication(trx, dataset_id, version);
    if (dataset === undefined || dataset.withdrawn_at !== null || row === undefined) return;
    const side = party === "former_curator" ? "curator" : party;
    if (!(await isNew(trx, { dataset_id, version, party, ...recipients }, status))) return;
    const entry = { dataset_id, version, actor: SERVICE, action: UNDELIVERED, state: row.state };
    const data = { party: side, status: status ?? null, isShared: recipients.isConfigured };
    await addEntry(trx, { ...entry, revision: row.revision ?? 1, data });
  });
}

async function isNew(
  trx: Trx,
  {
    dataset_id,
    version,
    party,
    fingerprint,
    isConfigured,
  }: { dataset_id: string; version: number; party: Party } & Recipients,
  status: number | undefined,
): Promise<boolean> {
  // Each answer to a request for access has its own recipient.
  if (party === "reader") return true;
  if (isConfigured) return !(await hasEntry(trx, dataset_id, version, { action: UNDELIVERED }));
  return recordRefused(trx, { dataset_id, version, party, fingerprint }, status ?? null);
}

type Party = Exclude<MailRow["party"], "operator" | "submitter" | "uploader">;
