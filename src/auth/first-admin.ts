import type { Queries } from "../db/open.ts";
import { hasAdmin, removeFirst, tokenOfHash } from "../db/tokens.ts";
import { createToken, hashOf } from "./tokens.ts";

/** A small file that only the operator can read. */
export interface SecretFile {
  /** Undefined when there is none. */
  read(): Promise<string | undefined>;
  /** Durably, with mode 0600. */
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

/**
 * The first admin's door. While no admin has a token that works, a one-time token lies in a file: it is an admin's until
 * an admin's token is created, and gone from then on. One that still works is never replaced.
 *
 * @returns whether the door is open
 */
export async function keepFirstAdminDoor(db: Queries, file: SecretFile): Promise<boolean> {
  if (await hasAdmin(db)) {
    await removeFirst(db);
    await file.remove();
    return false;
  }
  const text = (await file.read())?.trim();
  if (text !== undefined && (await tokenOfHash(db, hashOf(text)))?.first === true) return true;
  await removeFirst(db);
  const created = await createToken(db, { name: "first admin", role: "admin", expiresAt: null, first: true });
  await file.write(created.text);
  return true;
}
