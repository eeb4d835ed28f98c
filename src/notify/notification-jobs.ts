import { dueDeliveryQueues, forgetDeliveries } from "../db/notifications/deliveries.ts";
import { dueDigests, dueMails, eraseRecipients } from "../db/notifications/mails.ts";
import { forgetWebhooks } from "../db/notifications/webhooks.ts";
import { forgetAccessRequests } from "../db/publication/access-requests.ts";
import { forgetGrantUses } from "../db/publication/grant-uses.ts";
import type { MailParty } from "../domain/submission/mailed-events.ts";
import { fairShareGroup, QUEUES } from "../domain/submission/queues.ts";
import type { Queue, Run } from "../platform/jobs/queue.ts";
import { type About, observeJob } from "../platform/telemetry/job.ts";
import type { NotifyContext } from "./context.ts";
import { sendMails } from "./mail/deliver.ts";
import { sendDigest } from "./mail/digest.ts";
import { deliverQueue } from "./webhook/deliver.ts";

/** Parallel deliveries in one process. They spend most of their time waiting for an answer. */
const DELIVERIES = 8;
const MAILS = 2;
/** Maximum number of jobs queued in one round; the next round queues more. */
const MOST_QUEUED = 500;
const FORGET_MS = 60_000;
/** How long deliveries can be viewed and replayed, and how long webhooks of single submissions are kept after the submission ends. */
const KEPT_MS = 30 * 86_400_000;

/** Defines the queues that deliver webhooks and mails. */
export function defineNotificationJobs(context: NotifyContext): void {
  const { mailer } = context;
  // The workers are shared fairly between webhooks, so a slow endpoint does not block the others.
  defineJob<{ webhook: string; submission?: string }>(
    context,
    { name: QUEUES.webhook, concurrency: DELIVERIES, shared: true },
    (own, { data, isHeld, signal }) => deliverQueue(own, { submission: null, ...data }, isHeld, signal),
  );
  if (mailer === undefined) return;
  // Jobs of earlier releases have no party.
  defineJob<{ submission?: string; upload?: string; party?: MailParty; digest?: string }>(
    context,
    { name: QUEUES.mail, concurrency: MAILS },
    (own, { data: { submission = "", upload, party = "submitter", digest }, isHeld, signal }) =>
      digest === undefined
        ? sendMails(own, mailer, { subject_id: upload ?? submission, party }, { isHeld, signal })
        : sendDigest(own, mailer, digest, { isHeld, signal }),
  );
}

/** Defines one queue. If a job fails for good, the tables still list its work as due, and it is queued again. */
function defineJob<Data extends About>(
  context: NotifyContext,
  queue: Pick<Queue<Data>, "name" | "concurrency" | "shared">,
  run: (context: NotifyContext, job: Run<Data>) => Promise<void>,
): void {
  context.jobs.define<Data>({
    ...queue,
    about: (data) => data,
    run: (job) =>
      observeJob(context, { queue: queue.name, about: job.data, ...job }, async (log) => {
        await run({ ...context, log }, job);
        return undefined;
      }),
    exhausted: async () => undefined,
  });
}

/** Queues what the tables list as due, and deletes deliveries, webhooks and requests for access whose retention has ended. */
export async function queueDueNotifications(context: NotifyContext): Promise<void> {
  const { db, jobs, mailer, periodicLock } = context;
  const now = new Date();
  const lanes = await dueDeliveryQueues(db, now, MOST_QUEUED);
  await jobs.enqueueAll(
    QUEUES.webhook,
    lanes.map(({ webhook, submission, owner, url }) => ({
      key: `${webhook} ${submission}`,
      data: { webhook, ...(submission !== null && { submission }) },
      group: fairShareGroup({ owner, endpoint: new URL(url).origin }),
    })),
  );
  if (lanes.length > 0) jobs.wake(QUEUES.webhook);
  if (mailer !== undefined) {
    const queues = await dueMails(db, now, MOST_QUEUED);
    await jobs.enqueueAll(
      QUEUES.mail,
      queues.map(({ subject_id: id, party }) => ({
        key: party === "submitter" ? id : `${id} ${party}`,
        data: { ...(party === "uploader" ? { upload: id } : { submission: id }), party },
      })),
    );
    const digests = await dueDigests(db, now, MOST_QUEUED);
    await jobs.enqueueAll(
      QUEUES.mail,
      digests.map(({ fingerprint, submission }) => ({
        key: `digest ${fingerprint}`,
        data: { submission, digest: fingerprint },
      })),
    );
    if (queues.length + digests.length > 0) jobs.wake(QUEUES.mail);
  }
  if (await periodicLock.acquire("notices", FORGET_MS)) await forget(context);
}

async function forget({ db }: NotifyContext): Promise<void> {
  const before = new Date(Date.now() - KEPT_MS);
  await forgetDeliveries(db, before);
  await forgetWebhooks(db, before);
  await eraseRecipients(db);
  await forgetAccessRequests(db);
  await forgetGrantUses(db);
}
