import type { PublicationRow } from "../../db/publication/publications.ts";
import type { PublicationAccess } from "../../domain/publication/access.ts";

/** What of a publication decides who may read its version. */
export function accessOfRow({
  state,
  announced_at,
  access,
  embargo_date,
}: Pick<PublicationRow, "state" | "announced_at" | "access" | "embargo_date">): PublicationAccess {
  return { state, announced: announced_at !== null, access, embargoDate: embargo_date };
}
