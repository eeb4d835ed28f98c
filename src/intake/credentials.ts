import { editNotable } from "../db/chunks/edit.ts";
import { addToCounts } from "../db/submissions/counts.ts";
import { addEvent } from "../db/submissions/events.ts";
import { lockSubmission, type SubmissionRow, setCredentials, type Trx } from "../db/submissions/submissions.ts";
import { resume } from "../db/submissions/waiting.ts";
import { type Code, Problem, SOURCE_CODES } from "../domain/problems.ts";
import { isAnonymous, type SourceAccess } from "../domain/source-access/access.ts";
import { openAccess, sealAccess } from "../domain/source-access/sealed-access.ts";
import type { Selection } from "../domain/submission/selection.ts";
import { FINAL, type Status } from "../domain/submission/states.ts";
import { checkBucket } from "./check.ts";
import type { IntakeContext } from "./context.ts";

/**
 * Replaces a submission's credentials, after a check. A submission that waits for credentials or for its source resumes.
 * Objects that the old credentials could not read are read again.
 *
 * @throws Problem `wrong_state` if the submission has ended, `source_check_failed`
 */
export async function replaceCredentials(
  context: IntakeContext,
  found: SubmissionRow,
  sent: SourceAccess,
  signal: AbortSignal,
): Promise<void> {
  if (isOver(found)) throw over(found);
  const access = withPayer(context, found, sent);
  await requireReadableBucket(context, found, access, signal);
  await context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, found.id);
    if (row === undefined || isOver(row)) throw over(row ?? found);
    if (row.published_at !== null) throw new Problem("too_late");
    await setCredentials(trx, row.id, sealAccess(context.vault, row.id, access));
    await addEvent(trx, row.id, {
      type: "credentials_replaced",
      message: "The credentials for the bucket were replaced",
    });
    if (row.status === "waiting") await goOn(trx, row);
  });
}

/**
 * The new access to the bucket of a submission. That requesters pay need not be stated again for the same access key or role, as long
 * as it is stored. Another account is never charged because of what was stated for the first one.
 */
export function withPayer({ vault }: IntakeContext, row: SubmissionRow, access: SourceAccess): SourceAccess {
  if (isAnonymous(access) || access.requesterPays !== undefined || row.credentials === null) return access;
  const before = openAccess(vault, row);
  const isSame =
    before.role?.arn === access.role?.arn && before.credentials?.accessKey === access.credentials?.accessKey;
  return isSame && before.requesterPays ? { ...access, requesterPays: true } : access;
}

/** @throws Problem `source_check_failed`, `source_timeout` */
export async function requireReadableBucket(
  context: IntakeContext,
  row: SubmissionRow,
  access: SourceAccess,
  signal: AbortSignal,
): Promise<void> {
  const known = row.region === null || access.region !== undefined ? access : { ...access, region: row.region };
  const { report, problem } = await checkBucket(
    context,
    { access: known, selection: row.selection as Selection, owner: row.owner },
    signal,
  );
  if (problem === undefined) return;
  const code = problem.code === "source_timeout" ? "source_timeout" : "source_check_failed";
  throw new Problem(code, report.message, { extra: { report }, cause: problem });
}

async function goOn(trx: Trx, row: SubmissionRow): Promise<void> {
  const { code } = row.waiting as { code: string };
  if ((SOURCE_CODES as readonly string[]).includes(code)) {
    await resume(trx, row, "The new credentials work; the submission resumes");
  } else if (code === "objects_unreadable" && (await rereadDenied(trx, row)) > 0) {
    await resume(trx, row, "Reading again the objects that the old credentials could not read");
  }
}

/** Problems of objects that other credentials can solve. */
const DENIED: readonly string[] = ["object_denied", "object_key_denied"] satisfies Code[];

/** Marks the objects that failed only for lack of access rights to be read again. Returns their number. */
async function rereadDenied(trx: Trx, row: SubmissionRow): Promise<number> {
  let count = 0;
  await editNotable(trx, row.id, row.attempt, "failed", (object) => {
    if (object.state !== "failed" || !DENIED.includes(object.error?.code ?? "")) return false;
    Object.assign(object, { state: "listed", error: null });
    count++;
    return true;
  });
  if (count === 0) return 0;
  await addToCounts(trx, row.id, { objects_failed: -count });
  return count;
}

function isOver(row: SubmissionRow): boolean {
  return (FINAL as readonly Status[]).includes(row.status as Status);
}

function over(row: SubmissionRow): Problem {
  return new Problem("wrong_state", `A submission with the status ${row.status} needs no credentials`);
}
