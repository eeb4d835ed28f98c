import type { Queries } from "../db/database.ts";
import { type GrantRow, grantOfHash } from "../db/publication/access-grants.ts";
import { Problem } from "../domain/problems.ts";
import { isInForce } from "../publication/rules/grants.ts";
import { linkSecrets } from "./link-secrets.ts";

const secrets = linkSecrets("grant_");

/** A new secret for a link, and its hash, which alone is stored. */
export const newGrantSecret = secrets.create;

/** Whether an `Authorization` header contains the secret of a link instead of a token. */
export const namesGrant = secrets.isIn;

/**
 * The grant of a link, whose secret is in an `Authorization` header.
 * @throws Problem `token_invalid` if the link is unknown, was revoked or has expired
 */
export async function grantOfLink(db: Queries, authorization: string | undefined): Promise<GrantRow> {
  const hash = secrets.hashIn(authorization);
  const found = hash && (await grantOfHash(db, hash));
  if (found !== undefined && isInForce(found, new Date())) return found;
  throw new Problem("token_invalid", "The link for access is not complete, was revoked, or has expired");
}
