import { randomBytes } from "node:crypto";
import { hashOf } from "./tokens.ts";

const SECRET_BYTES = 32;

/** The secrets of one kind of link. */
export interface LinkSecrets {
  /** A new secret, and its hash, which alone is stored. */
  create(): { secret: string; hash: Uint8Array };
  /** Whether an `Authorization` header contains such a secret, or the beginning of one. */
  isIn(authorization: string | undefined): boolean;
  /** The hash of the secret in an `Authorization` header; undefined if there is none that is complete. */
  hashIn(authorization: string | undefined): Uint8Array | undefined;
}

/** Secrets of links that are sent as bearer tokens. @param prefix by which people and secret scanners recognise them */
export function linkSecrets(prefix: `${string}_`): LinkSecrets {
  // Any case of the scheme, as for tokens. The prefix is enough, so that a damaged secret is not taken for a token.
  const header = new RegExp(`^bearer +(${prefix}.*)$`, "is");
  const complete = new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`);
  const find = (authorization: string | undefined) => header.exec(authorization?.trim() ?? "")?.[1];
  return {
    create() {
      const secret = prefix + randomBytes(SECRET_BYTES).toString("base64url");
      return { secret, hash: hashOf(secret) };
    },
    isIn: (authorization) => find(authorization) !== undefined,
    hashIn(authorization) {
      const secret = find(authorization);
      return secret !== undefined && complete.test(secret) ? hashOf(secret) : undefined;
    },
  };
}
