import { Problem } from "../submission/problems.ts";

/** No token is longer; what is longer is not looked at. */
const LONGEST = 16 * 1024;

/**
 * The token of an `Authorization` header (RFC 6750, section 2.1). Tokens count nowhere else: addresses end up in logs.
 *
 * @throws Problem `unauthenticated` when there is none, `token_invalid` when it cannot be one
 */
export function bearerToken(authorization: string | undefined): string {
  const [, scheme = "", token = ""] = /^([^ ]*) *(.*)$/s.exec(authorization?.trim() ?? "") ?? [];
  if (scheme.toLowerCase() !== "bearer") throw new Problem("unauthenticated");
  if (token.length > LONGEST || !/^[A-Za-z0-9._~+/-]+=*$/.test(token)) throw new Problem("token_invalid");
  return token;
}
