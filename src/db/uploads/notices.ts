import { dayNumber, expiryOfUpload } from "../../domain/source-access/upload-expiry.ts";
import type { Queries } from "../database.ts";
import { addMail } from "../notifications/mails.ts";
import type { AreaRow } from "./areas.ts";

/**
 * Records that the owners of uploads which were last used before a time are told that they expire, and adds the mail to those whose address
 * is known. Each is told once by any number of processes. Nobody is told of an upload without files.
 * @returns the number of uploads
 */
export async function warnOwners(db: Queries, { since, limit }: { since: Date; limit: number }): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const due: AreaRow[] = await trx
      .selectFrom("upload_area")
      .selectAll()
      .where("submission_id", "is", null)
      .where("removed_at", "is", null)
      .where("warned_at", "is", null)
      .where("used_at", "<", since)
      .orderBy("used_at")
      .limit(limit)
      .forUpdate()
      // Those that are locked are used now, or told by another process.
      .skipLocked()
      .execute();
    for (const area of due) {
      const warned_at = new Date();
      await trx.updateTable("upload_area").set({ warned_at }).where("id", "=", area.id).execute();
      if (area.address === null || area.files === 0) continue;
      const day = dayNumber(expiryOfUpload({ ...area, warned_at }, warned_at));
      await addMail(trx, { subject_id: area.id, party: "uploader" }, day);
    }
    return due.length;
  });
}
