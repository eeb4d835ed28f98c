import { type Selectable, sql } from "kysely";
import type { LogEntry } from "../../domain/submission/events.ts";
import type { Queries } from "../database.ts";
import { addEvent } from "../submissions/events.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { AuditRunTable, AuditTable } from "../tables/dataset-tables.ts";

export type AuditRow = Selectable<AuditTable>;
type AuditRun = Selectable<AuditRunTable>;

/** One fault that an audit found. */
export interface AuditFinding {
  code: string;
  path: string;
  detail: string;
}

/** An audit of a dataset in progress. Content is read in slices. */
interface Pass {
  /** The newest version of the OCFL object. If it changes, the audit of the dataset starts again. */
  version: number;
  /** Start of the next slice. */
  next: number;
  files: number;
  bytes: number;
  faults: AuditFinding[];
}

/** The result of auditing a slice. `next` is absent after the last slice. */
export interface Audited {
  faults: AuditFinding[];
  files: number;
  bytes: number;
  next?: number;
}

/** Maximum number of faults recorded by name per dataset. */
const NAMED = 100;
/** Minimum cost of a file for a run, in bytes. */
const LEAST_COST = 4_096;

/** The current or last run; undefined before the first. */
export async function auditRun(db: Queries): Promise<AuditRun | undefined> {
  return db.selectFrom("audit_run").selectAll().executeTakeFirst();
}

/** Whether a run is in progress, or the next run is due and there are datasets to audit. */
export async function isAuditDue(db: Queries, intervalMs: number): Promise<boolean> {
  const run = await auditRun(db);
  if (run !== undefined && run.finished_at === null) return true;
  if (run !== undefined && Date.now() - run.began_at.getTime() < intervalMs) return false;
  return (await nextToAudit(db, new Date())) !== undefined;
}

/** Continues the current run, or starts one with a share of the total cost of all datasets. */
export async function takeUpRun(db: Queries, share: number): Promise<AuditRun> {
  const present = await auditRun(db);
  if (present !== undefined && present.finished_at === null) return present;
  const { rows } = await sql<{ cost: number | null }>`
    select sum(v.bytes - s.bytes_unchanged + (v.objects - s.objects_unchanged) * ${sql.lit(LEAST_COST)})::bigint as cost
    from dataset_version v join dataset d on d.id = v.dataset_id join submission s on s.id = v.submission_id
    where d.withdrawn_at is null`.execute(db);
  const begun = {
    began_at: new Date(),
    finished_at: null,
    budget: Math.max(1, Math.ceil(Number(rows[0]?.cost ?? 0) * share)),
  };
  return db
    .insertInto("audit_run")
    .values({ only_one: true, ...begun })
    .onConflict((conflict) => conflict.column("only_one").doUpdateSet(begun))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function finishRun(db: Queries): Promise<void> {
  await db.updateTable("audit_run").set({ finished_at: new Date() }).execute();
}

/** A dataset to audit, and the progress of its audit. */
interface AuditTarget {
  dataset: string;
  submission: string;
  version: number;
  pass: Pass | null;
}

/** The next dataset to audit: the one in progress, then those never audited, then the one audited longest ago. */
export async function nextToAudit(db: Queries, before: Date): Promise<AuditTarget | undefined> {
  const found = await db
    .selectFrom("dataset")
    .innerJoin("dataset_version", (join) =>
      join
        .onRef("dataset_version.dataset_id", "=", "dataset.id")
        .onRef("dataset_version.version", "=", "dataset.latest_version"),
    )
    .innerJoin("submission", "submission.id", "dataset_version.submission_id")
    .leftJoin("audit", "audit.dataset_id", "dataset.id")
    .select(["dataset.id as dataset", "submission.id as submission", "latest_ocfl_version as version", "audit.pass"])
    .where("submission.status", "=", "completed")
    .where("dataset.withdrawn_at", "is", null)
    .where((eb) => eb.or([eb("audit.at", "is", null), eb("audit.pass", "is not", null), eb("audit.at", "<", before)]))
    .orderBy(sql`audit.pass is null`)
    .orderBy(sql`audit.at asc nulls first`)
    .orderBy("dataset.created_at")
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const pass = found.pass as Pass | null;
  return { ...found, pass: pass?.version === found.version ? pass : null };
}

/**
 * The receipts of a dataset's published versions and metadata revisions, by the version of the OCFL object; one at a time,
 * because each may have several megabytes.
 */
export async function* issuedReceipts(
  db: Queries,
  dataset: string,
): AsyncGenerator<{ version: number; receipt: string }> {
  for (let version = 0; ; ) {
    const found = await db
      .selectFrom("dataset_version")
      .innerJoin("submission", "submission.id", "dataset_version.submission_id")
      .select(["dataset_version.ocfl_version as version", "submission.receipt"])
      .where("dataset_version.dataset_id", "=", dataset)
      .where("dataset_version.ocfl_version", ">", version)
      .where("submission.status", "=", "completed")
      .unionAll(
        db
          .selectFrom("metadata_revision")
          .select(["ocfl_version as version", "receipt"])
          .where("dataset_id", "=", dataset)
          .where("ocfl_version", ">", version)
          .where("published_at", "is not", null)
          .where("finished_at", "is not", null),
      )
      .orderBy("version")
      .limit(1)
      .executeTakeFirst();
    if (found === undefined) return;
    version = found.version;
    if (found.receipt !== null) yield { version, receipt: found.receipt };
  }
}

/**
 * Records a slice: the dataset's audit if this was its last slice or found a fault, the remaining budget of the run, and an
 * event if the dataset passed or the first fault was found. Records nothing if the dataset was withdrawn or received a new
 * version in the meantime, because the slice may have read an incomplete state.
 */
export async function recordAudit(
  trx: Trx,
  { dataset, submission, version, pass }: AuditTarget,
  audited: Audited,
): Promise<void> {
  const row = await trx
    .selectFrom("dataset")
    .select(["withdrawn_at", "latest_ocfl_version"])
    .where("id", "=", dataset)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined || row.withdrawn_at !== null || row.latest_ocfl_version !== version) return;
  const faults = distinct([...(pass?.faults ?? []), ...audited.faults]);
  const files = (pass?.files ?? 0) + audited.files;
  const bytes = (pass?.bytes ?? 0) + audited.bytes;
  const { next } = audited;
  const isOver = next === undefined;
  const now = isOver ? null : JSON.stringify({ version, next, files, bytes, faults } satisfies Pass);
  const isFound = faults.length > 0 && (pass?.faults.length ?? 0) === 0;
  const last =
    isOver || isFound
      ? { at: new Date(), ok: faults.length === 0, files, bytes, findings: JSON.stringify(faults) }
      : {};
  await trx
    .insertInto("audit")
    .values({ dataset_id: dataset, findings: "[]", pass: now, ...last })
    .onConflict((conflict) => conflict.column("dataset_id").doUpdateSet({ pass: now, ...last }))
    .execute();
  const cost = audited.bytes + audited.files * LEAST_COST;
  await trx
    .updateTable("audit_run")
    .set((eb) => ({
      budget: eb("budget", "-", Math.max(1, cost)),
      bytes: eb("bytes", "+", audited.bytes),
      objects: eb("objects", "+", isOver ? 1 : 0),
      faults: eb("faults", "+", faults.length - (pass?.faults.length ?? 0)),
    }))
    .execute();
  if (isFound) await addEvent(trx, submission, failed(faults));
  else if (isOver && faults.length === 0) await addEvent(trx, submission, passed(files, bytes));
}

/** The last audit of a dataset; undefined if there was none. */
export async function lastAudit(db: Queries, dataset: string): Promise<AuditRow | undefined> {
  return db
    .selectFrom("audit")
    .selectAll()
    .where("dataset_id", "=", dataset)
    .where("at", "is not", null)
    .executeTakeFirst();
}

/** How many datasets that are not withdrawn have faults. */
export async function damagedDatasets(db: Queries): Promise<number> {
  const { count } = await db
    .selectFrom("audit")
    .innerJoin("dataset", "dataset.id", "audit.dataset_id")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("audit.ok", "=", false)
    .where("dataset.withdrawn_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

function passed(files: number, bytes: number): LogEntry {
  return {
    type: "audit_passed",
    message: "The audit read all files of the dataset; none has changed",
    data: { files, bytes },
  };
}

function failed(faults: readonly AuditFinding[]): LogEntry {
  const [first] = faults;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : "";
  return {
    type: "audit_failed",
    message: `The archive is damaged: ${first?.path || "the dataset"} (${first?.code})${more}`,
    data: { findings: faults.slice(0, 20), count: faults.length },
  };
}

function distinct(faults: readonly AuditFinding[]): AuditFinding[] {
  const known = new Map(faults.map((fault) => [`${fault.code} ${fault.path}`, fault]));
  return [...known.values()].slice(0, NAMED);
}
