import { type Code, Problem } from "../../../domain/problems.ts";
import type { AssumedRole, S3Credentials, SourceAccess } from "../../../domain/source-access/access.ts";
import type { Refusal } from "../refused-parts.ts";
import type { RoleKeys } from "./role-keys.ts";

/**
 * Performs an attempt with keys of the access that are valid now; without keys if it is anonymous. A server can refuse temporary
 * keys before they expire, because the owner of the role has ended all sessions, or has replaced the role: the attempt is then
 * repeated once, with new ones, unless keys of this role were replaced a moment ago.
 *
 * @returns the outcome of the attempt, or the Problem for which there are no keys
 * @throws what the attempt throws; the signal’s reason
 */
export async function withKeys<T>(
  { credentials, role }: Pick<SourceAccess, "credentials" | "role">,
  { roles, signal }: { roles: RoleKeys; signal: AbortSignal },
  attempt: (keys: S3Credentials | undefined) => Promise<T>,
): Promise<T | Problem> {
  if (role === undefined) return attempt(credentials);
  const keys = await keysOrProblem(roles, role, signal);
  if (keys instanceof Problem) return keys;
  const outcome = await attempt(keys);
  if (!mayBeRevoked(outcome) || !roles.forget(role, keys)) return outcome;
  const renewed = await keysOrProblem(roles, role, signal);
  return renewed instanceof Problem ? renewed : attempt(renewed);
}

async function keysOrProblem(
  roles: RoleKeys,
  role: AssumedRole,
  signal: AbortSignal,
): Promise<S3Credentials | Problem> {
  try {
    return await roles.of(role, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** With a deny policy on the time of the session, AWS refuses revoked keys like any that lack a permission. */
const REVOKED: ReadonlySet<Code> = new Set([
  "credentials_expired",
  "access_key_unknown",
  "secret_key_wrong",
  "list_denied",
  "read_denied",
  "object_denied",
]);

function mayBeRevoked(outcome: unknown): boolean {
  const isRefusal = typeof outcome === "object" && outcome !== null && "refusedWith" in outcome;
  return isRefusal && REVOKED.has((outcome as Refusal).problem.code);
}
