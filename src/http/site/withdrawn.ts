import type { Static } from "typebox";
import { publicationsOf } from "../../db/publication/publications.ts";
import type { Problem } from "../../domain/problems.ts";
import type { Tombstone } from "../../public/site/tombstone.ts";
import type { HttpContext } from "../context.ts";
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
    const { version, title, authors, identifier, publishedAt, at, reason } = withdrawn;
    const visible = publications.filter(({ state }) => state === "published");
    const identifiers = identifier === null ? [] : [identifier];
    const others = visible.map((row) => row.version);
    return { dataset, title: title || dataset, authors, version, identifiers, publishedAt, at, reason, others };
  }
  if (tombstone === undefined) throw new Error(`The withdrawal of ${dataset} is not described`);
  const { title, authors, identifiers, versions, withdrawnAt: at, reason } = tombstone;
  const publishedAt = versions[0]?.publication?.publishedAt ?? null;
  return {
    dataset,
    title: title || dataset,
    authors,
    version: undefined,
    identifiers,
    publishedAt,
    at,
    reason,
    others: [],
  };
}
