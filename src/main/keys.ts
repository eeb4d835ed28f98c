import { existsSync } from "node:fs";
import { loadSecretKey } from "../archive/receipts/key-file.ts";
import { loadSigningKey, type SigningKey } from "../archive/receipts/signing.ts";
import type { Queries } from "../db/database.ts";
import { checkFingerprints, hasFingerprints } from "../db/key-fingerprints.ts";
import { Vault } from "../domain/source-access/vault.ts";
import type { Config } from "../platform/config/config.ts";

type KeyFiles = Pick<Config, "secretKeyFile" | "signingKeyFile" | "makeKeys">;

/**
 * Loads both keys. Missing key files are created only for a database that was never used with keys. For any other database,
 * new keys could neither decrypt its credentials nor sign with the published key.
 *
 * @throws Error that states what the operator must do; no key file is created then
 */
export async function openKeys(
  { secretKeyFile, signingKeyFile, makeKeys }: KeyFiles,
  db: Queries,
): Promise<{ vault: Vault; signingKey: SigningKey }> {
  const missing = [secretKeyFile, signingKeyFile].find((file) => !existsSync(file));
  if (missing !== undefined && (await hasFingerprints(db))) {
    const withNewKeys = makeKeys
      ? "move the database away and run “accession rebuild”, which creates new keys"
      : "move the other key file away, create both with “accession keys”, make the user of the service their owner, set an empty " +
        "database, and run “accession rebuild”";
    throw new Error(
      `The key file ${missing} is missing, but the database was used with it. Restore it from a backup. Without a backup, ${withNewKeys}; ` +
        "unfinished submissions are lost",
    );
  }
  const vault = new Vault(await loadSecretKey(secretKeyFile, { make: makeKeys }));
  const signingKey = await loadSigningKey(signingKeyFile, { make: makeKeys });
  await checkFingerprints(db, { secret: vault.fingerprint("secret key", ""), signing: signingKey.kid });
  return { vault, signingKey };
}
