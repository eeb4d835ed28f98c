import { Problem } from "../domain/problems.ts";
import { type Access, GRANTS, type Role } from "./rules.ts";

/** Who is calling: whose submissions are theirs, and what they may do. */
export interface Caller {
  readonly owner: string;
  /** One, or several where an identity provider says so: what any of them may do is allowed. */
  readonly roles: readonly Role[];
  /** Their e-mail address, where the identity provider says that it is theirs. */
  readonly email?: string;
  /** Id of the token of this service that the caller came with. */
  readonly token?: string;
  /** When the caller's token expires, where that is known. */
  readonly until?: Date;
  /** Holds the one-time token, which one admin's token can be made with. */
  readonly isFirst?: true;
}

/** Without sign-in everybody who reaches the service is the same person, and it is theirs. */
export const LOCAL: Caller = { owner: "local", roles: ["admin"] };

/** @throws Problem `forbidden` when none of the caller's roles has this access */
export function requireAccess(caller: Caller, access: Exclude<Access, "open">): void {
  if (caller.roles.some((role) => (GRANTS[access] as readonly Role[]).includes(role))) return;
  const what = caller.roles.length === 0 ? "You have no role here" : `You are ${caller.roles.join(" and ")} here`;
  throw new Problem("forbidden", `${what}; this needs ${GRANTS[access].join(" or ")}`);
}

/** Whether the caller may know of what belongs to this owner. */
export function maySee(caller: Caller, owner: string): boolean {
  return caller.owner === owner || caller.roles.includes("curator") || caller.roles.includes("admin");
}

/** Whether the caller may change what belongs to this owner. */
export function mayChange(caller: Caller, owner: string): boolean {
  return caller.owner === owner || caller.roles.includes("admin");
}

/** Whose submissions the caller sees; undefined stands for everybody's. */
export function visibleOwner(caller: Caller): string | undefined {
  return caller.roles.some((role) => role !== "submitter") ? undefined : caller.owner;
}
