import { type Static, Type } from "typebox";
import { COLLECTION_ID } from "../domain/collection.ts";
import { ArchiveCorrupt, readJsonOf } from "./read-archived.ts";
import type { ArchiveReader } from "./reader.ts";
import type { SmallFile } from "./small-file.ts";

/** The name of the file in an archive. */
export const COLLECTIONS = "collections.json";

const LocalText = Type.Object({ en: Type.String(), de: Type.Optional(Type.String()) });

/** A collection as the archive keeps it. Which datasets belong to it is in the review records of the datasets. */
const ArchivedCollection = Type.Object({
  id: Type.String({ pattern: COLLECTION_ID }),
  name: LocalText,
  description: LocalText,
  curators: Type.Array(Type.String()),
  licences: Type.Array(Type.String()),
  /** ISO 8601, UTC. Members of an earlier collection with the same id do not belong to this one. */
  createdAt: Type.String(),
});
export type ArchivedCollection = Static<typeof ArchivedCollection>;

const ArchivedCollections = Type.Object({ collections: Type.Array(ArchivedCollection) });

/** Replaces `<archive>/collections.json`. Durable when it resolves. */
export async function writeCollections(file: SmallFile, collections: readonly ArchivedCollection[]): Promise<void> {
  await file.write(`${JSON.stringify({ collections }, null, 2)}\n`);
}

/** The collections of an archive; none if it has no such file. @throws ArchiveCorrupt */
export async function readCollections(reader: ArchiveReader): Promise<ArchivedCollection[]> {
  if ((await reader.size(COLLECTIONS)) === undefined) return [];
  const { collections } = await readJsonOf(ArchivedCollections, reader, COLLECTIONS);
  const invalid = collections.find(({ createdAt }) => Number.isNaN(Date.parse(createdAt)));
  if (invalid !== undefined) throw new ArchiveCorrupt(`${COLLECTIONS}: the time of ${invalid.id} is invalid`);
  return collections;
}
