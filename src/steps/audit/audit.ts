import { fingerprintOf } from "../../archive/validation/check-receipts.ts";
import { auditRun, finishRun, issuedReceipts, nextToAudit, recordAudit, takeUpRun } from "../../db/datasets/audits.ts";
import { SLICE_MS, type StepContext } from "../context.ts";
import { Auditor } from "./auditor.ts";

/** Bytes after which the result is recorded, also within a dataset. */
const SLICE_BYTES = 16 * 2 ** 30;

/**
 * Continues the current audit run: re-reads datasets, starting with the one audited longest ago, until the run's share of the
 * archive is used up or every dataset was audited. May be interrupted at any time: recorded slices are not read again, and
 * the next job continues after them, also within a dataset.
 */
export async function audit(context: StepContext, share: number, signal: AbortSignal): Promise<void> {
  const { began_at } = await takeUpRun(context.db, share);
  const end = Date.now() + SLICE_MS;
  const auditor = new Auditor();
  try {
    while (Date.now() < end) {
      const budget = (await auditRun(context.db))?.budget ?? 0;
      const target = budget > 0 ? await nextToAudit(context.db, began_at) : undefined;
      if (target === undefined) return await finishRun(context.db);
      await context.store.proveSame();
      const slice = { from: target.pass?.next ?? 0, bytes: Math.min(budget, SLICE_BYTES) };
      const issued = new Map<string, string>();
      for await (const { version, receipt } of issuedReceipts(context.db, target.dataset)) {
        issued.set(`v${version}`, fingerprintOf(receipt));
      }
      const audited = await auditor.audit({ place: context.store.placeOf(target.dataset), issued, ...slice }, signal);
      // Everything is missing below a bare mount point, which is not damage.
      if (audited.faults.length > 0) await context.store.proveSame();
      await context.db.transaction().execute((trx) => recordAudit(trx, target, audited));
      if (audited.faults.length > 0) {
        const { dataset } = target;
        context.log.error({ dataset, findings: audited.faults.slice(0, 20) }, "the archive is damaged");
      }
    }
  } finally {
    await auditor.close();
  }
}
