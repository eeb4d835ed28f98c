import { type ArchivedCollection, readCollections } from "../archive/collections-file.ts";
import type { ArchiveReader } from "../archive/reader.ts";
import { collectionsById, restoreCollection } from "../db/collections/collections.ts";
import { addMember, lockForMembers, removeMember } from "../db/collections/members.ts";
import type { Queries } from "../db/database.ts";
import { entriesOfDataset } from "../db/publication/history.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { ADDED_TO_COLLECTION, REMOVED_FROM_COLLECTION } from "../domain/collection.ts";

/** Adds the collections of the archive that the database lacks, before the datasets that belong to them. @throws ArchiveCorrupt */
export async function restoreCollections(db: Queries, reader: ArchiveReader): Promise<void> {
  const archived = await readCollections(reader);
  const known = await collectionsById(
    db,
    archived.map(({ id }) => id),
  );
  const missing = archived.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return;
  await db.transaction().execute(async (trx) => {
    for (const one of missing) await restoreCollection(trx, contentOf(one));
  });
}

function contentOf({ createdAt, ...collection }: ArchivedCollection) {
  return { ...collection, created_at: new Date(createdAt) };
}

/** What the history says about the collections of a dataset, by the action of the entry. */
const MEMBERSHIP = ["request", "published", ADDED_TO_COLLECTION, REMOVED_FROM_COLLECTION];

/**
 * Restores to which collections a dataset belongs, according to the restored history of its versions: those of the last request before
 * each publication, and those to which curators have added it and from which they have not removed it since. Collections that do
 * not exist any more, and entries before a collection was created, are left out.
 */
export async function restoreMembers(trx: Trx, dataset: string): Promise<void> {
  const members = new Map<string, { isMember: boolean; by: string; at: Date }>();
  const asked = new Map<number, { collections: string[]; by: string }>();
  for (const { version, action, actor, at, data } of await entriesOfDataset(trx, dataset, MEMBERSHIP)) {
    const { collection, collections = [] } = (data ?? {}) as { collection?: string; collections?: string[] };
    if (action === "request") asked.set(version, { collections, by: actor });
    else if (action === "published") {
      const { collections: joined = [], by = "" } = asked.get(version) ?? {};
      for (const id of joined) members.set(id, { isMember: true, by, at });
    } else if (collection !== undefined) {
      members.set(collection, { isMember: action === ADDED_TO_COLLECTION, by: actor, at });
    }
  }
  for (const { id, created_at } of await lockForMembers(trx, [...members.keys()])) {
    const found = members.get(id);
    if (found === undefined || found.at < created_at) continue;
    if (found.isMember) await addMember(trx, { dataset, collection: id, by: found.by });
    else await removeMember(trx, dataset, id);
  }
}
