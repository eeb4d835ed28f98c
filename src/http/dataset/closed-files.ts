import type { FastifyRequest } from "fastify";
import { type GrantRow, grantsTo } from "../../db/publication/access-grants.ts";
import type { PublicationRow } from "../../db/publication/publications.ts";
import { Problem } from "../../domain/problems.ts";
import { openFrom } from "../../publication/rules/access.ts";
import { comparableEmail, opensFiles } from "../../publication/rules/grants.ts";
import type { HttpContext } from "../context.ts";
import { visibilityOf } from "./row-visibility.ts";

/** Why the public may not read the files now, with the page to ask for access; null if it may. */
export function filesClosedProblem(context: HttpContext, row: PublicationRow): Problem | null {
  if (visibilityOf(row) === "files") return null;
  if (row.state === "registering") {
    return new Problem("not_public", "The version is being published. Its files follow when its DOI is registered");
  }
  const requestAccess = accessPage(context, row.dataset_id, row.version);
  if (row.access === "embargoed") {
    return new Problem("embargoed", `The files are under embargo. They are ${openFrom(row.embargo_date)}`, {
      extra: { embargoDate: row.embargo_date, requestAccess },
    });
  }
  return new Problem("not_public", "The access to the files is restricted", { extra: { requestAccess } });
}

/** The address of the page on which readers ask for access, and to which links of grants lead. */
export function accessPage({ publicUrl, basePath }: HttpContext, dataset: string, version: number): string {
  return `${publicUrl()}${basePath}/app/datasets/${dataset}/access?version=${version}`;
}

/**
 * The grant that opens the files of a published version to the reader; undefined if none does. Decided for each request: by
 * the link with which they came, their account, or their e-mail address, if the identity provider has verified it.
 * If the request succeeds, the use is recorded.
 */
export async function grantFor(
  { db }: HttpContext,
  request: FastifyRequest,
  dataset: string,
  version: number,
): Promise<GrantRow | undefined> {
  const { grant, caller } = request;
  const email = caller?.email === undefined ? undefined : comparableEmail(caller.email);
  const named = caller === null ? [] : await grantsTo(db, dataset, { subject: caller.owner, email });
  const now = new Date();
  const found = [...(grant === null ? [] : [grant]), ...named].find((one) => opensFiles(one, dataset, version, now));
  if (found !== undefined) request.grantUse = { grant: found.id, version };
  return found;
}
