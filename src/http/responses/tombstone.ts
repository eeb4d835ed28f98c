import type { Static } from "typebox";
import type { Queries } from "../../db/database.ts";
import { type DatasetRow, tombstoneOf } from "../../db/datasets/datasets.ts";
import { newestDocuments } from "../../db/datasets/revisions.ts";
import { type PublicationRow, publicationsOf } from "../../db/publication/publications.ts";
import { agentOf } from "../../describe/metadata/agent.ts";
import { creatorsOf } from "../../describe/metadata/normalized.ts";
import type { HttpContext } from "../context.ts";
import type { WithdrawnPublicationView } from "../schemas/problem.ts";
import type { TombstoneView } from "../schemas.ts";
import { identifierOf, identifierTypeOf } from "./identifier.ts";

/** Returns the API view of a withdrawn dataset, for its owner and curators. The authors are those of the newest published version. */
export async function viewTombstone(context: HttpContext, row: DatasetRow): Promise<Static<typeof TombstoneView>> {
  const { db, basePath } = context;
  const { dataset, versions, withdrawn } = await tombstoneOf(db, row);
  const { id, title, createdAt } = dataset;
  const rows = await publicationsOf(db, id);
  const publications = new Map(rows.map((one) => [one.version, one]));
  // The rows are in order, newest version first.
  const newest = rows.find(({ published_at }) => published_at !== null);
  return {
    id,
    ...identifierOf(id, newest),
    title,
    authors: newest === undefined ? [] : (await citedOf(db, id, newest.version)).authors,
    identifiers: identifiersOf(rows),
    createdAt,
    withdrawnAt: withdrawn.at,
    withdrawnBy: withdrawn.by,
    reason: withdrawn.reason,
    removedAt: row.removed_at?.toISOString() ?? null,
    versions: versions.map(({ version, submission, publishedAt, objects, bytes }) => ({
      version,
      submission,
      publishedAt,
      publication: viewPublished(publications.get(version)),
      objects,
      bytes,
      receipt: `${basePath}/submission/${submission}/receipt`,
    })),
  };
}

/**
 * Returns what the public may know of a withdrawn dataset: only the versions that were published, and title and authors of the
 * newest of them. Accounts, submissions and receipts are for owner and curators.
 *
 * @param published numbers of the versions that were published. Without one, only an identifier was public, and not the title
 */
export async function viewPublicTombstone(
  context: HttpContext,
  row: DatasetRow,
  published: ReadonlySet<number>,
): Promise<Static<typeof TombstoneView>> {
  const view = await viewTombstone(context, row);
  const versions = view.versions.filter(({ version }) => published.has(version));
  return {
    ...view,
    ...(published.size === 0 ? UNNAMED : await citedOf(context.db, row.id, Math.max(...published))),
    createdAt: versions.at(-1)?.publishedAt ?? view.withdrawnAt,
    withdrawnBy: null,
    versions: versions.map((version) => ({ ...version, submission: null, receipt: null })),
  };
}

/** Title and authors of a version that was never published are not public, also if its DOI became public. */
const UNNAMED = { title: "", authors: [] };
/** The reason that the public learns of a version whose publication was taken back after its DOI had become public. */
const TAKEN_BACK = "The publication was taken back before it was complete";

/** Returns what the public may know of a version whose publication was withdrawn, or taken back after its DOI had become public. */
export async function viewWithdrawnPublication(
  db: Queries,
  row: PublicationRow,
): Promise<Static<typeof WithdrawnPublicationView>> {
  const { dataset_id, version, identifier, published_at, withdrawn_at, withdrawn_reason, retracted_at } = row;
  return {
    version,
    ...(published_at === null ? UNNAMED : await citedOf(db, dataset_id, version)),
    identifier,
    identifierType: identifierTypeOf(identifier),
    publishedAt: published_at?.toISOString() ?? null,
    at: (withdrawn_at ?? retracted_at)?.toISOString() ?? null,
    reason: withdrawn_reason ?? TAKEN_BACK,
  };
}

/** Title and authors of a version according to its newest metadata. */
async function citedOf(db: Queries, dataset: string, version: number): Promise<{ title: string; authors: string[] }> {
  const { metadata } = await newestDocuments(db, dataset, version);
  const { title, authors } = metadata;
  return { title, authors: creatorsOf(authors).map((author) => agentOf(author).name) };
}

/** Identifiers under which versions were published, newest version first. */
function identifiersOf(publications: readonly PublicationRow[]): string[] {
  return [
    ...new Set(publications.flatMap(({ state, identifier }) => (state === "withdrawn" ? (identifier ?? []) : []))),
  ];
}

/** Null if the version was not published. */
function viewPublished(row: PublicationRow | undefined) {
  if (row === undefined || row.published_at === null) return null;
  const { identifier, published_at } = row;
  return { identifier, identifierType: identifierTypeOf(identifier), publishedAt: published_at.toISOString() };
}
