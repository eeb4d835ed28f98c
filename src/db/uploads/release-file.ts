import type { Queries } from "../database.ts";
import { lockArea } from "./areas.ts";
import { type FileRef, findFile, RELEASED, type UploadFileRow } from "./files.ts";

/**
 * Ends the right of any request to add bytes to a file. Writes nothing if no request has it: then the number of bytes is recorded, durable
 * and final until another request takes the file.
 * @returns the file; undefined if it does not exist
 */
export async function releaseFile(db: Queries, ref: FileRef): Promise<UploadFileRow | undefined> {
  const row = await findFile(db, ref);
  // Of a file that has all bytes, none are missing.
  if (row === undefined || row.writer === null || row.writer === RELEASED || row.received === row.bytes) return row;
  return db.transaction().execute(async (trx) => {
    if ((await lockArea(trx, ref.area)) === undefined) return undefined;
    await trx
      .updateTable("upload_file")
      .set({ writer: RELEASED })
      .where((eb) => eb.and({ area_id: ref.area, no: ref.no }))
      .execute();
    return findFile(trx, ref);
  });
}
