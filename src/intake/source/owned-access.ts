import type { SourceAccess } from "../../domain/source-access/access.ts";
import { externalIdOf } from "../../domain/source-access/sealed-access.ts";
import type { IntakeContext } from "../context.ts";

/**
 * The access for an owner: a role is assumed with the external id of this owner, whatever the request says. A user who names the
 * role of another user is therefore refused by that role.
 */
export function ownedAccess(
  { vault }: Pick<IntakeContext, "vault">,
  owner: string,
  access: SourceAccess,
): SourceAccess {
  const { role } = access;
  return role === undefined ? access : { ...access, role: { ...role, externalId: externalIdOf(vault, owner) } };
}
