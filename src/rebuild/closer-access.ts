import type { PublicationRow } from "../db/publication/publications.ts";
import { ACCESS_KINDS } from "../publication/rules/access.ts";

export type Access = Pick<PublicationRow, "access" | "embargo_date">;

/** The one of two accesses that closes more. If two sources differ, it is unknown which one a person has seen last. */
export function closerAccess(one: Access, other: Access): Access {
  const { access, embargo_date } = closedness(other) > closedness(one) ? other : one;
  return { access, embargo_date };
}

/** Orders accesses by how much they close: kinds in the order of `ACCESS_KINDS`, and embargoes by their end. */
function closedness({ access, embargo_date }: Access): string {
  return `${ACCESS_KINDS.indexOf(access)} ${embargo_date ?? ""}`;
}
