import type { Queries } from "../db/open.ts";
import { bearerToken } from "./bearer.ts";
import { type Caller, LOCAL } from "./caller.ts";
import type { OidcIssuer } from "./oidc.ts";
import { callerOfToken } from "./tokens.ts";

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
