import type { Queries } from "./database.ts";

const KEYS = ["secret", "signing"] as const;

/**
 * Ties the database to the keys that it was first opened with.
 *
 * @throws Error when a key is another one than before: credentials could not be read, or receipts would be signed by
 * somebody else
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
      throw new Error(`The ${name} key is not the one that this database was made with; restore the key file`);
    }
  }
}

/** Whether the database was ever used with keys. */
export async function hasFingerprints(db: Queries): Promise<boolean> {
  const row = await db.selectFrom("fingerprint").select("name").where("name", "in", KEYS).executeTakeFirst();
  return row !== undefined;
}
