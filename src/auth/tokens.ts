import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Queries } from "../db/database.ts";
import { addToken, hasAdmin, hasFirst, recordUse, removeFirst, type TokenView, tokenOfHash } from "../db/tokens.ts";
import { Problem } from "../domain/problems.ts";
import type { Caller } from "./caller.ts";
import type { Role } from "./rules.ts";

/** So that people and scanners of leaked secrets know one when they see it. */
const PREFIX = "acc_";
const SECRET_BYTES = 32;
const SHAPE = /^acc_[A-Za-z0-9_-]{43}$/;
/** How exactly it is known when a token was last used. */
const USE_MS = 3_600_000;

export interface NewToken {
  name: string;
  role: Role;
  expiresAt: Date | null;
  /** The one that lets the first admin in. */
  first?: boolean;
  /** Made with that one, which must still be there. */
  byFirst?: boolean;
}

/**
 * Makes a token. Its text is given out here and kept nowhere; `replacedFirst` says that the one that let the first admin
 * in is gone with it.
 */
export async function createToken(
  db: Queries,
  { name, role, expiresAt, first = false, byFirst = false }: NewToken,
): Promise<{ text: string; token: TokenView; replacedFirst: boolean }> {
  const text = PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
  const token = { id: randomUUID(), name, role, first, created_at: new Date(), expires_at: expiresAt };
  const replacedFirst = await addToken(db, { ...token, hash: hashOf(text) }, byFirst);
  if (byFirst && !replacedFirst) throw new Problem("token_invalid", "This token has let the first admin in already");
  return { text, token: { ...token, last_used_at: null }, replacedFirst };
}

/** Whose token this is. @throws Problem `token_invalid` for one that is unknown, revoked or expired */
export async function callerOfToken(db: Queries, text: string): Promise<Caller> {
  // What has not its shape is never looked up.
  const found = SHAPE.test(text) ? await tokenOfHash(db, hashOf(text)) : undefined;
  const now = new Date();
  if (found === undefined || (found.expires_at !== null && found.expires_at <= now)) throw new Problem("token_invalid");
  if (found.last_used_at === null || now.getTime() - found.last_used_at.getTime() > USE_MS) {
    // Nobody is kept waiting or sent away for it, and the next use says it again.
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
 * A plain SHA-256 is right here: the secret has 256 random bits, so there is nothing to guess that a slow hash or a
 * salt would protect, and looking it up by the hash leaks no part of it through time.
 */
export function hashOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

/** A small file that only the operator can read. */
export interface SecretFile {
  /** Undefined when there is none. */
  read(): Promise<string | undefined>;
  /** Durably, with mode 0600. */
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Access for the first admin. While no admin has a token that works, a one-time token lies in a file: it is an admin's until
 * an admin's token is created, and gone from then on. One that still works is never replaced.
 *
 * @param others whether other processes, with files of their own, may have written such a token
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
