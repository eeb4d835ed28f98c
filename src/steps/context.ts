import type { SigningKey } from "../archive/receipts/signing.ts";
import type { ArchiveStore, StagingArea } from "../archive/store.ts";
import type { Queries } from "../db/database.ts";
import { submissionOfVersion } from "../db/datasets/datasets.ts";
import type { Quota } from "../db/submissions/quota.ts";
import type { SubmissionRow } from "../db/submissions/submissions.ts";
import type { Publisher } from "../describe/version-facts.ts";
import type { Vault } from "../domain/source-access/vault.ts";
import type { Selection } from "../domain/submission/selection.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { JobLog } from "../platform/telemetry/job.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import type { Tracing } from "../platform/telemetry/tracing.ts";
import type { DataciteClient } from "../publication/datacite/client.ts";
import type { Scratch } from "../source/lists/scratch.ts";
import type { Sources } from "../source/sources.ts";
import type { UploadFolder } from "../uploads/upload-folder.ts";
import type { TaskCallbacks, TransferTask } from "./transfer/messages.ts";

/** Dependencies of the steps. */
export interface StepContext {
  db: Queries;
  jobs: Jobs;
  store: ArchiveStore;
  /** Makes all processes stop, because the database is older than the archive. */
  reportOlderDatabase: () => Promise<void>;
  /** Opens the sources of submissions; see submission-source.ts. */
  sources: Sources;
  /** The folder of upload areas; undefined if the service accepts no uploads. */
  uploads: UploadFolder | undefined;
  scratch: Scratch;
  /** Reads objects and stores them, off the thread that answers requests. */
  transfers: Transfers;
  vault: Vault;
  signingKey: SigningKey;
  publisher: Publisher;
  /** The quota of each owner. */
  quota: Quota;
  /** Final once the service listens. */
  publicUrl: () => string;
  /** The configured public URL with the base path; undefined if only a local address is known. */
  publicBaseUrl: string | undefined;
  publication: {
    /** Undefined if the service registers no DOIs. */
    datacite: DataciteClient | undefined;
    /** With `off`, nothing more is published, and what is published follows its access and its withdrawal. */
    mode: "off" | "review" | "direct";
    /** Whether datasets get a DOI that stands for all versions. */
    conceptDois: boolean;
    /** Public URL with the base path. Final once the service listens. */
    baseUrl: () => string;
    /** Days after which the party that must act is reminded; 0 for no reminders. */
    reminderDays: number;
  };
  /** Inside a job, it adds the job to every line; see observe.ts. */
  log: JobLog;
  metrics: Metrics;
  tracing: Tracing;
}

/** See transfer/transfer-threads.ts. */
export interface Transfers {
  run(task: TransferTask, own: TaskCallbacks, signal: AbortSignal): Promise<void>;
}

/** One attempt of one submission. Every job of a step belongs to one. */
export interface AttemptRef {
  id: string;
  attempt: number;
}

/** Time after which a job ends so that others can run. The reconciler queues the next slice. */
export const SLICE_MS = 120_000;

/** The dataset that a submission will become. */
export function datasetIdOf(row: Pick<SubmissionRow, "dataset_id" | "id">): string {
  return row.dataset_id ?? row.id;
}

/** The dataset version that a submission will become. */
export function versionOf(row: Pick<SubmissionRow, "dataset_version">): number {
  return row.dataset_version ?? 1;
}

/** The version of the OCFL object that a submission will become or has become. */
export function ocflVersionOf(row: Pick<SubmissionRow, "dataset_version" | "ocfl_version">): number {
  return row.ocfl_version ?? versionOf(row);
}

/** The staging area of a submission. */
export function stagingOf(context: StepContext, row: SubmissionRow): StagingArea {
  return context.store.staging(row.id, datasetIdOf(row), ocflVersionOf(row));
}

/** The submission that became the previous version; undefined for a first version. */
export async function baseOf(db: Queries, row: SubmissionRow): Promise<SubmissionRow | undefined> {
  const version = versionOf(row);
  if (version === 1) return undefined;
  const base = await submissionOfVersion(db, datasetIdOf(row), version - 1);
  if (base === undefined)
    throw new Error(`The database has no version ${version - 1} of the dataset ${datasetIdOf(row)}`);
  return base;
}

/** The selection of a submission. */
export function selectionOf(row: SubmissionRow): Selection {
  return row.selection as Selection;
}
