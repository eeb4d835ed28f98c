import type { Queries } from "../db/database.ts";
import { deleteArea } from "../db/uploads/areas.ts";
import type { UploadFolder } from "./upload-folder.ts";

/** Removes the bytes of an area whose removal has begun, and then its row, with which it counts for the quota. May be repeated. */
export async function removeArea({ db, uploads }: { db: Queries; uploads: UploadFolder }, id: string): Promise<void> {
  await uploads.removeArea(id);
  await deleteArea(db, id);
}
