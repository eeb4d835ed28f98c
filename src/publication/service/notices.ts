import { addVersionEvent, lockDataset } from "../../db/datasets/datasets.ts";
import { addEntry } from "../../db/publication/history.ts";
import {
  endingEmbargoes,
  openRequestsOf,
  recordNotice,
  recordRequestReminder,
  unansweredRequests,
  waitingPublications,
} from "../../db/publication/notices.ts";
import { findPublication, type PublicationRow } from "../../db/publication/publications.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import type { LogEntry } from "../../domain/submission/events.ts";
import type { StepContext } from "../../steps/context.ts";
import { dueReminder, isReminderDue, MOST_REMINDERS } from "../rules/due-reminder.ts";
import { dueEmbargoNotice, embargoNoticeKey } from "../rules/embargo-notices.ts";
import { accessReminded, embargoNoticed, reminded } from "../rules/events.ts";
import { SERVICE } from "../rules/states.ts";

const DAY_MS = 86_400_000;
/** Maximum number of each kind in one round; the next round continues. */
const MOST_IN_ROUND = 200;

/**
 * Reminds the parties that must act in publications and answer requests for access, and tells owners that an embargo ends or has ended. Each notice is decided
 * and recorded under the lock of the dataset, in the transaction of its event, so that it is given once by any number of
 * processes. Visibility never depends on it.
 */
export async function giveNotices(context: StepContext): Promise<void> {
  const { db, publication } = context;
  const now = new Date();
  const periodMs = publication.reminderDays * DAY_MS;
  const bounds = { now, periodMs, most: MOST_REMINDERS, limit: MOST_IN_ROUND };
  const waiting = periodMs === 0 ? [] : await waitingPublications(db, bounds);
  for (const one of waiting) await locked(context, one, (trx, row) => remind(trx, row, periodMs));
  const unanswered = periodMs === 0 ? [] : await unansweredRequests(db, bounds);
  for (const one of unanswered) await locked(context, one, (trx, row) => remindOfRequests(trx, row, periodMs));
  for (const one of await endingEmbargoes(db, now, MOST_IN_ROUND)) await locked(context, one, tellEmbargo);
}

type Key = Pick<PublicationRow, "dataset_id" | "version">;

async function locked({ db }: StepContext, key: Key, give: (trx: Trx, row: PublicationRow) => Promise<void>) {
  await db.transaction().execute(async (trx) => {
    const dataset = await lockDataset(trx, key.dataset_id);
    if (dataset === undefined || dataset.withdrawn_at !== null) return;
    const row = await findPublication(trx, key.dataset_id, key.version);
    if (row !== undefined) await give(trx, row);
  });
}

async function remind(trx: Trx, row: PublicationRow, periodMs: number): Promise<void> {
  const now = new Date();
  const waitingFor = dueReminder(row, periodMs, now);
  if (waitingFor === undefined) return;
  const { dataset_id: dataset, version, state, since } = row;
  await recordNotice(trx, row, { reminded_at: now, reminders: row.reminders + 1 });
  const event = reminded({ dataset, version, state, waitingFor, since: since.toISOString() });
  await record(trx, row, { action: "reminded", event });
}

/** One reminder of all open requests for a version, when the first of them is due. */
async function remindOfRequests(trx: Trx, row: PublicationRow, periodMs: number): Promise<void> {
  const now = new Date();
  const { dataset_id: dataset, version } = row;
  const open = await openRequestsOf(trx, row);
  const [oldest] = open;
  const isDue = open.some(({ created_at: since, ...one }) => isReminderDue({ since, ...one }, periodMs, now));
  if (row.state !== "published" || oldest === undefined || !isDue) return;
  const ids = open.map(({ id }) => id);
  await recordRequestReminder(trx, ids, now);
  const event = accessReminded({ dataset, version, open: open.length, since: oldest.created_at.toISOString() });
  await addVersionEvent(trx, dataset, version, event);
}

async function tellEmbargo(trx: Trx, row: PublicationRow): Promise<void> {
  const { dataset_id: dataset, version, state, access, embargo_date: date, embargo_notice: last } = row;
  const now = new Date();
  const notice = dueEmbargoNotice(date, last, now);
  if (state !== "published" || access !== "embargoed" || notice === undefined) return;
  await recordNotice(trx, row, { embargo_notice: embargoNoticeKey(date, now) });
  const action = notice.days === 0 ? "embargo-ended" : "embargo-ending";
  await record(trx, row, { action, event: embargoNoticed({ dataset, version }, notice) });
}

/** Adds a notice to the history and to the log of the version’s submission. */
async function record(trx: Trx, row: PublicationRow, { action, event }: { action: string; event: LogEntry }) {
  const { dataset_id, version, state, revision, embargo_date: embargoDate } = row;
  const data = action === "reminded" ? null : { embargoDate };
  await addEntry(trx, { dataset_id, version, actor: SERVICE, action, state, revision: revision ?? 1, data }, event);
}
