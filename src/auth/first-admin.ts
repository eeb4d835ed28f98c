import type { Queries } from "../db/open.ts";
import { hasAdmin, hasFirst, removeFirst, tokenOfHash } from "../db/tokens.ts";
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
 * @param others whether other processes, with files of their own, may have opened the door
 * @returns whether it is open, and whether with the token of this file
 */
export async function keepFirstAdminDoor(
  db: Queries,
  file: SecretFile,
  others: boolean,
): Promise<"shut" | "open" | "open elsewhere"> {
  if (await hasAdmin(db)) {
    await removeFirst(db);
    await file.remove();
    return "shut";
  }
  const text = (await file.read())?.trim();
  if (text !== undefined && (await tokenOfHash(db, hashOf(text)))?.first === true) return "open";
  if (!others) await removeFirst(db);
  else if (await hasFirst(db)) return "open elsewhere";
  const created = await createToken(db, { name: "first admin", role: "admin", expiresAt: null, first: true });
  await file.write(created.text);
  return "open";
}
