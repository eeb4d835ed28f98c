import type { Queries } from "../database.ts";
import { documentsOf } from "../submissions/documents.ts";
import { submissionOfVersion } from "./datasets.ts";
import { latestRevision, type RevisionDocuments, revisionDocuments } from "./revisions.ts";

/** The newest metadata of a version: those of its last revision, or of its submission. Undefined if there is no such version. */
export async function currentDocuments(
  db: Queries,
  dataset: string,
  version: number,
): Promise<RevisionDocuments | undefined> {
  const revision = await latestRevision(db, dataset, version);
  if (revision !== undefined) return revisionDocuments(db, revision.id);
  const submission = await submissionOfVersion(db, dataset, version);
  return submission && documentsOf(db, submission.id);
}
