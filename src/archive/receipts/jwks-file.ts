import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JSONWebKeySet, JWK } from "jose";
import { writeDurably } from "../folder/durable-writes.ts";

/** The name of the file in an archive. */
export const JWKS = "jwks.json";

/** A small file in a folder or an object store. Writes are durable. */
export interface SmallFile {
  /** Undefined if the file does not exist. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

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

/** The file in an archive that is stored in a folder. */
export function jwksIn(archive: string): SmallFile {
  const file = join(archive, JWKS);
  return {
    read: () =>
      readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      }),
    write: async (text) => {
      await writeDurably(file, text);
    },
  };
}
