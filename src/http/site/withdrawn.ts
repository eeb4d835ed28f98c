import type { Static } from "typebox";
import { publicationsOf } from "../../db/publication/publications.ts";
import type { Problem } from "../../domain/problems.ts";
import { publicVisibility } from "../../domain/publication/access.ts";
import type { Tombstone } from "../../site/tombstone.ts";
import type { HttpContext } from "../context.ts";
import { accessOfRow } from "../dataset/publication.ts";
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
    const title = await titleOfVersion(db, dataset, version);
    const visible = publications.filter((row) => publicVisibility(accessOfRow(row), new Date()) !== "none");
    const identifiers = identifier === null ? [] : [identifier];
    return { dataset, title, version, identifiers, at, reason, others: visible.map((row) => row.version) };
  }
  if (tombstone === undefined) throw new Error(`The withdrawal of ${dataset} is not described`);
  const published = publications.filter(({ state }) => state === "withdrawn");
  const identifiers = new Set(published.flatMap(({ identifier }) => identifier ?? []));
  const { title, withdrawnAt: at, reason } = tombstone;
  return { dataset, title, version: undefined, identifiers: [...identifiers], at, reason, others: [] };
}
