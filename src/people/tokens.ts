import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Queries } from "../db/database.ts";
import { addToken, hasAdmin, hasFirst, recordUse, removeFirst, type TokenView, tokenOfHash } from "../db/tokens.ts";
import { Problem } from "../domain/problems.ts";
import type { Caller } from "./caller.ts";
import type { Role } from "./route-permissions.ts";

/** Prefix by which people and secret scanners recognise a token. */
const PREFIX = "acc_";
const SECRET_BYTES = 32;
const SHAPE = /^acc_[A-Za-z0-9_-]{43}$/;
/** Precision of the time at which a token was last used. */
const USE_MS = 3_600_000;

export interface NewToken {
  name: string;
  role: Role;
  expiresAt: Date | null;
  /** True for the one-time token of the first admin. */
  first?: boolean;
  /** True if created with the one-time token, which must still exist. */
  byFirst?: boolean;
}

/**
 * Creates a token. Its text is only returned here and never stored. `replacedFirst` is true if it replaced the one-time
 * token of the first admin.
 */
export async function createToken(
  db: Queries,
  { name, role, expiresAt, first = false, byFirst = false }: NewToken,
): Promise<{ text: string; token: TokenView; replacedFirst: boolean }> {
  const text = PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
  const token = { id: randomUUID(), name, role, first, created_at: new Date(), expires_at: expiresAt };
  const replacedFirst = await addToken(db, { ...token, hash: hashOf(text) }, byFirst);
  if (byFirst && !replacedFirst) throw new Problem("token_invalid", "The one-time token has already been used");
  return { text, token: { ...token, last_used_at: null }, replacedFirst };
}

/** The caller of a token. @throws Problem `token_invalid` if the token is unknown, revoked or expired */
export async function callerOfToken(db: Queries, text: string): Promise<Caller> {
  // Texts without the form of a token are not looked up.
  const found = SHAPE.test(text) ? await tokenOfHash(db, hashOf(text)) : undefined;
  const now = new Date();
  if (found === undefined || (found.expires_at !== null && found.expires_at <= now)) throw new Problem("token_invalid");
  if (found.last_used_at === null || now.getTime() - found.last_used_at.getTime() > USE_MS) {
    // Requests neither wait for this record nor fail with it, and the next use repeats it.
    recordUse(db, found.id, now).catch(() => undefined);
  }
  return {
    owner: found.name,
    roles: [found.role as Role],
    token: found.id,
    ...(found.expires_at !== null && { until: found.expires_at }),
    ...(found.first && { isFirst: true }),
  };
}

/**
 * The SHA-256 of a token. The secret has 256 random bits, so it cannot be guessed, and a slow hash or a salt would add no
 * protection. Looking it up by hash does not leak it through timing.
 */
export function hashOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

/** A small file that only the operator can read. */
export interface SecretFile {
  /** Undefined if the file does not exist. */
  read(): Promise<string | undefined>;
  /** Durably, with mode 0600. */
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Provides access for the first admin. While no admin has a valid token, a file contains a one-time token with the role admin.
 * The token is deleted when an admin's token is created. A valid one-time token is never replaced.
 *
 * @param others whether other processes may have written such a token to their own files
 * @returns where the one-time token is, if there is one
 */
export async function maintainFirstAdminToken(
  db: Queries,
  file: SecretFile,
  others: boolean,
): Promise<"has admin" | "in this file" | "in another process’s file"> {
  if (await hasAdmin(db)) {
    await removeFirst(db);
    await file.remove();
    return "has admin";
  }
  const text = (await file.read())?.trim();
  if (text !== undefined && (await tokenOfHash(db, hashOf(text)))?.first === true) return "in this file";
  if (!others) await removeFirst(db);
  else if (await hasFirst(db)) return "in another process’s file";
  const created = await createToken(db, { name: "first admin", role: "admin", expiresAt: null, first: true });
  await file.write(created.text);
  return "in this file";
}
