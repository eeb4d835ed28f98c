import { dueLanes, forgetDeliveries, type Lane } from "../db/deliveries.ts";
import { dueMails, eraseRecipients } from "../db/mails.ts";
import { forgetWebhooks } from "../db/webhooks.ts";
import { shareOf } from "../submission/share.ts";
import { QUEUES } from "../submission/states.ts";
import type { NotifyContext } from "./context.ts";
import { sendMails } from "./mail/deliver.ts";
import { deliverLane } from "./webhook/deliver.ts";

/** Deliveries under way in one process; most of their time they wait for an answer. */
const DELIVERIES = 8;
const MAILS = 2;
/** Jobs that are queued at a time; the next round queues the next ones. */
const MOST_QUEUED = 500;
const FORGET_MS = 60_000;
/** How long deliveries can be looked at and replayed, and webhooks of single submissions outlast them. */
const KEPT_MS = 30 * 86_400_000;

/** Makes telling others the work of its queues. */
export function defineNotices(context: NotifyContext): void {
  const { jobs, mailer } = context;
  jobs.define<Lane>({
    name: QUEUES.webhook,
    concurrency: DELIVERIES,
    // One endpoint that hardly answers keeps the others’ workers from nobody.
    shared: true,
    run: ({ data, isHeld, signal }) => deliverLane(context, data, isHeld, signal),
    // The tables say that it is still due, and it is queued again.
    exhausted: async () => undefined,
  });
  if (mailer === undefined) return;
  jobs.define<{ submission: string }>({
    name: QUEUES.mail,
    concurrency: MAILS,
    run: ({ data, isHeld, signal }) => sendMails(context, mailer, data.submission, isHeld, signal),
    exhausted: async () => undefined,
  });
}

/** Queues what the tables say is due, and forgets what has been kept long enough. */
export async function queueNotices(context: NotifyContext): Promise<void> {
  const { db, jobs, mailer, turns } = context;
  const now = new Date();
  const lanes = await dueLanes(db, now, MOST_QUEUED);
  await jobs.enqueueAll(
    QUEUES.webhook,
    lanes.map(({ webhook, submission, owner, url }) => ({
      key: `${webhook} ${submission}`,
      data: { webhook, submission } satisfies Lane,
      group: shareOf({ owner, endpoint: new URL(url).origin }),
    })),
  );
  if (lanes.length > 0) jobs.wake(QUEUES.webhook);
  if (mailer !== undefined) {
    const submissions = await dueMails(db, now, MOST_QUEUED);
    await jobs.enqueueAll(
      QUEUES.mail,
      submissions.map((submission) => ({ key: submission, data: { submission } })),
    );
    if (submissions.length > 0) jobs.wake(QUEUES.mail);
  }
  if (await turns.take("notices", FORGET_MS)) await forget(context);
}

async function forget({ db }: NotifyContext): Promise<void> {
  const before = new Date(Date.now() - KEPT_MS);
  await forgetDeliveries(db, before);
  await forgetWebhooks(db, before);
  await eraseRecipients(db);
}
