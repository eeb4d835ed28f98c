import { existsSync } from "node:fs";
import { loadSecretKey } from "../archive/receipts/key-file.ts";
import { loadSigningKey, type SigningKey } from "../archive/receipts/signing.ts";
import type { Config } from "../config/config.ts";
import type { Queries } from "../db/database.ts";
import { checkFingerprints, hasFingerprints } from "../db/key-fingerprints.ts";
import { Vault } from "../domain/vault.ts";

type KeyFiles = Pick<Config, "secretKeyFile" | "signingKeyFile" | "makeKeys">;

/**
 * Loads both keys. Missing key files are made for a database that was never used with keys; for any other, new keys would
 * neither read its credentials nor sign as before.
 *
 * @throws Error that says what the operator has to do; no key file is made then
 */
export async function openKeys(
  { secretKeyFile, signingKeyFile, makeKeys }: KeyFiles,
  db: Queries,
): Promise<{ vault: Vault; signingKey: SigningKey }> {
  const missing = [secretKeyFile, signingKeyFile].find((file) => !existsSync(file));
  if (missing !== undefined && (await hasFingerprints(db))) {
    throw new Error(
      `The key file ${missing} is missing, and the database was used with it. Restore it from a backup. If there is none, move ` +
        "the database away and run “accession rebuild”: it makes new keys, and unfinished submissions are lost",
    );
  }
  const vault = new Vault(await loadSecretKey(secretKeyFile, { make: makeKeys }));
  const signingKey = await loadSigningKey(signingKeyFile, { make: makeKeys });
  await checkFingerprints(db, { secret: vault.fingerprint("secret key", ""), signing: signingKey.kid });
  return { vault, signingKey };
}
