import type { Queries } from "../db/database.ts";
import { Problem } from "../domain/problems.ts";
import { type Caller, LOCAL } from "./caller.ts";
import type { OidcIssuer } from "./oidc.ts";
import { callerOfToken } from "./tokens.ts";

/** No token is longer; what is longer is not looked at. */
const LONGEST = 16 * 1024;

/**
 * Says who is calling, from the `Authorization` header.
 *
 * @throws Problem `unauthenticated`, `token_invalid`, `identity_unavailable`
 */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

/** How callers sign in. Without sign-in a header is ignored, whatever it holds. */
export function authenticator(
  auth: "none" | "tokens" | "oidc",
  issuer: OidcIssuer | undefined,
  db: Queries,
): Authenticate {
  if (auth === "none") return async () => LOCAL;
  if (auth === "tokens") return async (authorization) => callerOfToken(db, bearerToken(authorization));
  if (issuer === undefined) throw new Error("Sign-in with OpenID Connect needs an issuer");
  return async (authorization) => issuer.caller(bearerToken(authorization));
}

/**
 * The token of an `Authorization` header (RFC 6750, section 2.1). Tokens count nowhere else: addresses end up in logs.
 *
 * @throws Problem `unauthenticated` when there is none, `token_invalid` when it cannot be one
 */
function bearerToken(authorization: string | undefined): string {
  const [, scheme = "", token = ""] = /^([^ ]*) *(.*)$/s.exec(authorization?.trim() ?? "") ?? [];
  if (scheme.toLowerCase() !== "bearer") throw new Problem("unauthenticated");
  if (token.length > LONGEST || !/^[A-Za-z0-9._~+/-]+=*$/.test(token)) throw new Problem("token_invalid");
  return token;
}
