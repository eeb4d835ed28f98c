import type { Queries } from "./database.ts";

const KEYS = ["secret", "signing"] as const;

/**
 * Binds the database to the keys with which it was first opened.
 *
 * @throws Error if a key differs from the recorded one: stored credentials could not be decrypted, or receipts would be
 * signed with a different key
 */
export async function checkFingerprints(
  db: Queries,
  fingerprints: Record<(typeof KEYS)[number], string>,
): Promise<void> {
  for (const [name, value] of Object.entries(fingerprints)) {
    await db
      .insertInto("fingerprint")
      .values({ name, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const known = await db.selectFrom("fingerprint").select("value").where("name", "=", name).executeTakeFirstOrThrow();
    if (known.value !== value) {
      throw new Error(
        `The ${name} key differs from the key with which this database was created. Restore the original key file`,
      );
    }
  }
}

/** Whether the database was ever used with keys. */
export async function hasFingerprints(db: Queries): Promise<boolean> {
  const row = await db.selectFrom("fingerprint").select("name").where("name", "in", KEYS).executeTakeFirst();
  return row !== undefined;
}
