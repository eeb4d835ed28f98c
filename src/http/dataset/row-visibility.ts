import type { PublicationRow } from "../../db/publication/publications.ts";
import { type PublicationAccess, publicVisibility, type Visibility } from "../../publication/rules/access.ts";

/** The columns that decide who may read a version. */
type AccessColumns = Pick<
  PublicationRow,
  "state" | "announced_at" | "published_at" | "retracted_at" | "access" | "embargo_date"
>;

/** What of a publication decides who may read its version. */
export function accessOfRow({
  state,
  announced_at,
  published_at,
  retracted_at,
  access,
  embargo_date,
}: AccessColumns): PublicationAccess {
  return {
    state,
    announced: announced_at !== null,
    wasPublished: published_at !== null,
    retracted: retracted_at !== null,
    access,
    embargoDate: embargo_date,
  };
}

/** What the public may read of a version now. */
export function visibilityOf(row: AccessColumns): Visibility {
  return publicVisibility(accessOfRow(row), new Date());
}
