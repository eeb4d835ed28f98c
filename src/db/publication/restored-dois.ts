import type { Trx } from "../submissions/submissions.ts";
import type { DoiRow } from "./dois.ts";

/** Stands for the digest of a request of which only the DOI is known. */
const UNKNOWN = "";

/** Stores a DOI that was registered, according to the archive. It is `hidden` if the publication ended before it was complete. */
export async function restoreDoi(
  trx: Trx,
  registered: Pick<DoiRow, "doi" | "dataset_id" | "version" | "created_at"> & { state: "findable" | "hidden" },
): Promise<void> {
  // A reservation of the same version becomes the registered DOI, or was replaced by it.
  const { doi, dataset_id, version, created_at, state } = registered;
  await trx
    .deleteFrom("doi")
    .where((eb) => eb.and({ dataset_id, version }))
    .where("doi", "!=", doi)
    .execute();
  const values = { ...registered, reserved: false, registered_at: created_at };
  await trx
    .insertInto("doi")
    .values(values)
    .onConflict((conflict) => conflict.column("doi").doUpdateSet({ dataset_id, version, state }))
    .execute();
}

/**
 * Stores a DOI that may be public, according to the archive. DataCite is asked for it before anything else is done with it, and it is
 * never given up, like one that DataCite has created for us.
 */
export async function restoreSentDoi(
  trx: Trx,
  sent: Pick<DoiRow, "doi" | "dataset_id" | "version" | "created_at" | "reserved">,
): Promise<void> {
  const { dataset_id, version, doi } = sent;
  // One that was chosen before, or by a service whose database was replaced, was never sent.
  await trx
    .deleteFrom("doi")
    .where((eb) => eb.and({ dataset_id, version }))
    .where("doi", "!=", doi)
    .where("state", "=", "chosen")
    .execute();
  await trx
    .insertInto("doi")
    .values({ ...sent, state: "draft", sent_sha256: UNKNOWN })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await trx
    .updateTable("doi")
    .set({ state: "draft", sent_sha256: UNKNOWN })
    .where("doi", "=", doi)
    .where("state", "in", ["chosen", "draft"])
    .where("sent_sha256", "is", null)
    .execute();
}

/**
 * Stores a DOI that was reserved, according to the archive.
 * @param hasDraft whether DataCite has created it; otherwise the service creates it
 */
export async function restoreReservedDoi(
  trx: Trx,
  reserved: Pick<DoiRow, "doi" | "dataset_id" | "version" | "created_at">,
  hasDraft = true,
): Promise<void> {
  const state = hasDraft ? { state: "draft" as const } : { state: "chosen" as const, next_at: new Date() };
  await trx
    .insertInto("doi")
    .values({ ...reserved, ...state, reserved: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
