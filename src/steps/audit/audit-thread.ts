/** A thread that re-reads archived datasets, so that the thread that answers requests stays free; see auditor.ts. */
import { validateStoredDataset } from "../../archive/store.ts";
import { serveCalls } from "../../platform/threads/serve-calls.ts";
import type { AuditMessages } from "./auditor.ts";

serveCalls<AuditMessages>({
  call: async ({ place, from, bytes: most, issued }) => {
    // One file at a time: an audit is not urgent.
    const options = { from, bytes: most, readers: 1, receipts: { issued } };
    const { findings, files, bytes, next } = await validateStoredDataset(place, options);
    return { faults: findings, files, bytes, ...(next !== undefined && { next }) };
  },
});
