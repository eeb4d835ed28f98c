import type { Static } from "typebox";
import { newestDocuments } from "../../db/datasets/revisions.ts";
import { publicDois } from "../../db/publication/dois.ts";
import { type PublicationRow, publicationsOf } from "../../db/publication/publications.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import { creatorsOf } from "../../describe/metadata/normalized.ts";
import type { Problem } from "../../domain/problems.ts";
import { uuidOf } from "../../domain/uuid.ts";
import type { Tombstone } from "../../public/site/tombstone.ts";
import type { HttpContext } from "../context.ts";
import { exportInputFrom } from "../dataset/export-input.ts";
import type { ProblemAnswer } from "../schemas.ts";

/**
 * What the public learns of a withdrawn version, or a withdrawn dataset.
 * @param problem `dataset_withdrawn` or `publication_withdrawn`, as the public gets it
 */
export async function tombstoneFor(
  context: HttpContext,
  id: string,
  { extra }: Problem,
): Promise<Omit<Tombstone, "signposting" | "copy">> {
  const dataset = uuidOf(id);
  const { tombstone, withdrawn } = extra as Pick<Static<typeof ProblemAnswer>, "tombstone" | "withdrawn">;
  const publications = await publicationsOf(context.db, dataset);
  const cited = (version: number | undefined) =>
    citedVersion(
      context,
      publications.find((row) => row.version === version),
    );
  if (withdrawn !== undefined) {
    const { version, title, authors, identifier, publishedAt, at, reason } = withdrawn;
    const visible = publications.filter(({ state }) => state === "published");
    return {
      ...{ dataset, title: title || dataset, authors, version, publishedAt, at, reason },
      identifiers: identifier === null ? [] : [identifier],
      others: visible.map((row) => row.version),
      cited: await cited(version),
    };
  }
  if (tombstone === undefined) throw new Error(`The withdrawal of ${dataset} is not described`);
  const { title, authors, identifiers, versions, withdrawnAt: at, reason } = tombstone;
  return {
    ...{ dataset, title: title || dataset, authors, version: undefined, at, reason, identifiers },
    publishedAt: versions[0]?.publication?.publishedAt ?? null,
    others: [],
    cited: await cited(versions[0]?.version),
  };
}

/** What a citation of a version states: its other metadata are not public any more. Undefined if it was never published. */
async function citedVersion(
  context: HttpContext,
  publication: PublicationRow | undefined,
): Promise<ExportInput | undefined> {
  if (publication === undefined || publication.published_at === null) return undefined;
  const { dataset_id: datasetId, version: number, published_at } = publication;
  const { metadata } = await newestDocuments(context.db, datasetId, number);
  const { title, authors, versionLabel } = metadata;
  return exportInputFrom(context, {
    ...{ datasetId, number, latest: number, versions: [number], revision: undefined, publication },
    ...{ archivedAt: published_at, objects: 0, bytes: 0 },
    submission: { id: "", endpoint: "", region: null, bucket: "", selection: {} },
    metadata: {
      title,
      authors: creatorsOf(authors),
      subjects: [],
      ...(versionLabel !== undefined && { versionLabel }),
    },
    dois: await publicDois(context.db, [datasetId]),
  });
}
