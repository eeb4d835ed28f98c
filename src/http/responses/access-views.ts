import type { Static } from "typebox";
import type { GrantRow } from "../../db/publication/access-grants.ts";
import type { AccessRequestRow } from "../../db/publication/access-requests.ts";
import type { GrantUseRow } from "../../db/publication/grant-uses.ts";
import { isInForce } from "../../publication/rules/grants.ts";
import type { AccessGrantUseView, AccessGrantView, AccessRequestView } from "../schemas/access.ts";

/** Returns the API view of a grant. It never contains the secret of a link. */
export function viewGrant(row: GrantRow): Static<typeof AccessGrantView> {
  return {
    id: row.id,
    dataset: row.dataset_id,
    version: row.version,
    kind: row.kind,
    person: row.subject ?? row.email,
    note: row.note,
    grantedBy: row.granted_by,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    revokedBy: row.revoked_by,
    uses: row.uses,
    firstUsedAt: row.first_used_at?.toISOString() ?? null,
    usedAt: row.used_at?.toISOString() ?? null,
    inForce: isInForce(row, new Date()),
  };
}

/** Returns the API view of what was read with a grant. */
export function viewGrantUse(row: GrantUseRow): Static<typeof AccessGrantUseView> {
  const { kind, path, version, uses } = row;
  return {
    ...{ kind, version, uses },
    path: path === "" ? null : path,
    firstUsedAt: row.first_at.toISOString(),
    lastUsedAt: row.last_at.toISOString(),
  };
}

/** Returns the API view of a request for access, for owner and curators. */
export function viewAccessRequest(row: AccessRequestRow): Static<typeof AccessRequestView> {
  return {
    id: row.id,
    dataset: row.dataset_id,
    version: row.version,
    account: row.account,
    name: row.name,
    email: row.email,
    emailVerified: row.email_verified,
    reason: row.reason,
    createdAt: row.created_at.toISOString(),
    state: row.state,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at?.toISOString() ?? null,
    answer: row.answer,
    grant: row.grant_id,
  };
}

/** Returns the API view of a request for the person who made it. It does not name who answered. */
export function viewOwnRequest(row: AccessRequestRow): Static<typeof AccessRequestView> {
  return { ...viewAccessRequest(row), decidedBy: null, grant: null };
}
