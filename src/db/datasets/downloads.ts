import type { Selectable } from "kysely";
import { Problem } from "../../domain/problems.ts";
import type { Queries } from "../database.ts";
import type { DownloadLinkTable } from "../tables/dataset-tables.ts";
import { holdToken } from "../tokens.ts";

export type DownloadLink = Selectable<DownloadLinkTable>;

/**
 * Records a link, and deletes expired links.
 * @throws Problem `token_invalid` if the token was revoked after the request was authenticated
 */
export async function addDownloadLink(db: Queries, link: DownloadLink): Promise<void> {
  await db.deleteFrom("download_link").where("expires_at", "<=", new Date()).execute();
  await db.transaction().execute(async (trx) => {
    const { token_id: token } = link;
    const held = token === null || (await holdToken(trx, token));
    if (!held) throw new Problem("token_invalid");
    await trx.insertInto("download_link").values(link).execute();
  });
}

/** Returns and deletes the link with this hash, so that only one of several requests gets it. Undefined if it has expired. */
export async function takeDownloadLink(db: Queries, hash: Uint8Array): Promise<DownloadLink | undefined> {
  const link = await db.deleteFrom("download_link").where("hash", "=", hash).returningAll().executeTakeFirst();
  return link !== undefined && link.expires_at > new Date() ? link : undefined;
}
