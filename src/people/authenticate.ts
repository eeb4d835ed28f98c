import type { Queries } from "../db/database.ts";
import { Problem } from "../domain/problems.ts";
import { type Caller, LOCAL } from "./caller.ts";
import { KnownCurators } from "./known-curators.ts";
import type { OidcIssuer } from "./oidc.ts";
import { callerOfToken } from "./tokens.ts";

/** Maximum length of a token. Longer texts are refused without being parsed. */
const LONGEST = 16 * 1024;

/**
 * Identifies the caller by the `Authorization` header.
 *
 * @throws Problem `unauthenticated`, `token_invalid`, `identity_unavailable`
 */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

/** The configured authentication. Without authentication, the header is ignored. */
export function authenticator(
  auth: "none" | "tokens" | "oidc",
  issuer: OidcIssuer | undefined,
  db: Queries,
): Authenticate {
  if (auth === "none") return async () => LOCAL;
  if (auth === "tokens") return async (authorization) => callerOfToken(db, bearerToken(authorization));
  if (issuer === undefined) throw new Error("Authentication with OpenID Connect requires an issuer");
  const curators = new KnownCurators(db);
  return async (authorization) => {
    const caller = await issuer.caller(bearerToken(authorization));
    await curators.note(caller);
    return caller;
  };
}

/**
 * The token in an `Authorization` header (RFC 6750, section 2.1). Tokens in URLs are not accepted, because URLs are logged.
 *
 * @throws Problem `unauthenticated` if there is none, `token_invalid` if it does not have the form of a token
 */
function bearerToken(authorization: string | undefined): string {
  const [, scheme = "", token = ""] = /^([^ ]*) *(.*)$/s.exec(authorization?.trim() ?? "") ?? [];
  if (scheme.toLowerCase() !== "bearer") throw new Problem("unauthenticated");
  if (token.length > LONGEST || !/^[A-Za-z0-9._~+/-]+=*$/.test(token)) throw new Problem("token_invalid");
  return token;
}
