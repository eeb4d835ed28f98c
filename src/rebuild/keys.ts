import type { JSONWebKeySet } from "jose";
import { Type } from "typebox";
import { readJsonOf, readText } from "../archive/read-archived.ts";
import type { ArchiveReader } from "../archive/reader.ts";
import { Unsound } from "../archive/unsound.ts";

const Jwks = Type.Object({ keys: Type.Array(Type.Object({ kty: Type.String(), kid: Type.String() })) });

/**
 * The keys with which the archive's receipts may be signed.
 * @param name of the archive, for people
 * @throws Error when there is no archive, or its keys cannot be read
 */
export async function knownKeys(reader: ArchiveReader, name: string): Promise<JSONWebKeySet> {
  try {
    await readText(reader, "ocfl/0=ocfl_1.1");
    return await readJsonOf(Jwks, reader, "jwks.json");
  } catch (error) {
    if (!(error instanceof Unsound)) throw error;
    throw new Error(`${name} is not an archive of Accession: ${error.message}`, { cause: error });
  }
}
