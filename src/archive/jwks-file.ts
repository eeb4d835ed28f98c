import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JSONWebKeySet, JWK } from "jose";
import { writeDurably } from "./durable.ts";

/**
 * Keeps `<archive>/jwks.json`: the present public key first, then every one that ever signed a receipt here.
 *
 * @returns the whole set
 */
export async function keepJwks(archive: string, present: JWK): Promise<JSONWebKeySet> {
  const file = join(archive, "jwks.json");
  const known = await readFile(file, "utf8").then(
    (text) => (JSON.parse(text) as JSONWebKeySet).keys,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
  const jwks = { keys: [present, ...known.filter(({ kid }) => kid !== present.kid)] };
  if (known[0]?.kid !== present.kid) await writeDurably(file, `${JSON.stringify(jwks, null, 2)}\n`);
  return jwks;
}
