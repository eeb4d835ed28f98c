import { Problem } from "../domain/problems.ts";
import type { Party } from "../publication/rules/states.ts";
import { GRANTS, type Role, type RolePermission } from "./route-permissions.ts";

/** The caller: the owner whose submissions are theirs, and their roles. */
export interface Caller {
  readonly owner: string;
  /** One role, or several from an identity provider. The caller has the access of all of them. */
  readonly roles: readonly Role[];
  /** The caller's e-mail address, if the identity provider has verified it. */
  readonly email?: string;
  /** Id of the service's own token, if the caller used one. */
  readonly token?: string;
  /** When the caller's token expires, if known. */
  readonly until?: Date;
  /** True for the one-time token, which can create the first token of an admin. */
  readonly isFirst?: true;
}

/** The caller of every request without authentication. */
export const LOCAL: Caller = { owner: "local", roles: ["admin"] };

/** @throws Problem `forbidden` if none of the caller's roles has this access */
export function requireAccess(caller: Caller, access: RolePermission): void {
  if (hasAccess(caller, access)) return;
  const what =
    caller.roles.length === 0 ? "Your account has no role" : `Your account has the role ${caller.roles.join(" and ")}`;
  throw new Problem("forbidden", `${what}. This operation requires the role ${GRANTS[access].join(" or ")}`);
}

/** Whether one of the caller's roles has this access. */
export function hasAccess({ roles }: Caller, access: RolePermission): boolean {
  return roles.some((role) => (GRANTS[access] as readonly Role[]).includes(role));
}

/** Whether the caller may see the submissions and datasets of this owner. */
export function maySee(caller: Caller, owner: string): boolean {
  return caller.owner === owner || caller.roles.includes("curator") || caller.roles.includes("admin");
}

/** Whether the caller may change the submissions and datasets of this owner. */
export function mayChange(caller: Caller, owner: string): boolean {
  return caller.owner === owner || caller.roles.includes("admin");
}

/** The caller's relations to a dataset of this owner, for the decisions about its publication. */
export function partiesOf(caller: Caller, owner: string): Party[] {
  return [
    ...(caller.owner === owner ? (["owner"] as const) : []),
    ...(caller.roles.includes("curator") ? (["curator"] as const) : []),
    ...(caller.roles.includes("admin") ? (["admin"] as const) : []),
  ];
}

/** The owner whose submissions the caller sees; undefined for all owners. */
export function visibleOwner(caller: Caller): string | undefined {
  return caller.roles.some((role) => role !== "submitter") ? undefined : caller.owner;
}
