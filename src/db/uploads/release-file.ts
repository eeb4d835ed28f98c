import type { Queries } from "../database.ts";
import { lockArea } from "./areas.ts";
import { type FileRef, findFile, type UploadFileRow } from "./files.ts";

/**
 * Ends the right of any request to add bytes to a file.
 * @param writer a new name, which no request has
 * @returns the file; undefined if it does not exist
 */
export async function releaseFile(db: Queries, ref: FileRef, writer: string): Promise<UploadFileRow | undefined> {
  const row = await findFile(db, ref);
  // Without a writer, no request adds bytes. Of a file that has all of them, none are missing.
  if (row === undefined || row.writer === null || row.received === row.bytes) return row;
  return db.transaction().execute(async (trx) => {
    if ((await lockArea(trx, ref.area)) === undefined) return undefined;
    await trx
      .updateTable("upload_file")
      .set({ writer })
      .where((eb) => eb.and({ area_id: ref.area, no: ref.no }))
      .execute();
    return findFile(trx, ref);
  });
}
