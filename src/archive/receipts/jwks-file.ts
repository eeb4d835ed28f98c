import type { JSONWebKeySet, JWK } from "jose";
import type { SmallFile } from "../small-file.ts";

/** The name of the file in an archive. */
export const JWKS = "jwks.json";

/**
 * Maintains `<archive>/jwks.json`: the current public key first, then every key that ever signed a receipt here.
 *
 * @returns the whole set
 */
export async function keepJwks(file: SmallFile, present: JWK): Promise<JSONWebKeySet> {
  const text = await file.read();
  const known = text === undefined ? [] : (JSON.parse(text) as JSONWebKeySet).keys;
  const jwks = { keys: [present, ...known.filter(({ kid }) => kid !== present.kid)] };
  if (known[0]?.kid !== present.kid) await file.write(`${JSON.stringify(jwks, null, 2)}\n`);
  return jwks;
}
