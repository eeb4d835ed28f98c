import type { Static } from "typebox";
import { publicationsOf } from "../../db/publication/publications.ts";
import type { Problem } from "../../domain/problems.ts";
import type { Tombstone } from "../../site/tombstone.ts";
import type { HttpContext } from "../context.ts";
import { titleOfVersion } from "../responses/tombstone.ts";
import type { ProblemAnswer } from "../schemas.ts";

/**
 * What the public learns of a withdrawn version, or a withdrawn dataset.
 * @param problem `dataset_withdrawn` or `publication_withdrawn`, as the public gets it
 */
export async function tombstoneFor({ db }: HttpContext, id: string, { extra }: Problem): Promise<Tombstone> {
  const dataset = id.replace(/^urn:uuid:/, "");
  const { tombstone, withdrawn } = extra as Pick<Static<typeof ProblemAnswer>, "tombstone" | "withdrawn">;
  const publications = await publicationsOf(db, dataset);
  if (withdrawn !== undefined) {
    const { version, identifier, at, reason } = withdrawn;
    // The title of a version that was never published is not public.
    const wasPublished = publications.some((row) => row.version === version && row.published_at !== null);
    const title = wasPublished ? await titleOfVersion(db, dataset, version) : dataset;
    const visible = publications.filter(({ state }) => state === "published");
    const identifiers = identifier === null ? [] : [identifier];
    return { dataset, title, version, identifiers, at, reason, others: visible.map((row) => row.version) };
  }
  if (tombstone === undefined) throw new Error(`The withdrawal of ${dataset} is not described`);
  const published = publications.filter(({ published_at }) => published_at !== null);
  const identifiers = new Set(published.flatMap(({ identifier }) => identifier ?? []));
  const { withdrawnAt: at, reason } = tombstone;
  const title = tombstone.title === "" ? dataset : tombstone.title;
  return { dataset, title, version: undefined, identifiers: [...identifiers], at, reason, others: [] };
}
