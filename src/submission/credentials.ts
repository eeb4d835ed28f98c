import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/** The secret part of an S3 access. */
export interface Credentials {
  accessKey: string;
  secretKey: string;
  sessionToken?: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts and decrypts bucket credentials with AES-256-GCM. Every submission has a key of its own, derived from the
 * service's secret key and the submission's id (HKDF, RFC 5869), and the id is authenticated too: what is stored for
 * one submission opens for no other.
 */
export class Vault {
  readonly #key: Uint8Array;

  /** @param key 32 random bytes */
  constructor(key: Uint8Array) {
    if (key.length !== 32) throw new Error("The secret key must have 32 bytes");
    this.#key = key;
  }

  seal(submissionId: string, credentials: Credentials): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#derive("bucket credentials", submissionId), nonce);
    cipher.setAAD(Buffer.from(submissionId));
    const sealed = cipher.update(JSON.stringify(credentials), "utf8");
    return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws Error when the bytes were not sealed for this submission with this key */
  open(submissionId: string, sealed: Uint8Array): Credentials {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", this.#derive("bucket credentials", submissionId), nonce);
    decipher.setAAD(Buffer.from(submissionId));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString("utf8")) as Credentials;
  }

  /** A keyed hash (HMAC-SHA-256, hex) for comparing contents without keeping them. */
  fingerprint(purpose: string, content: string): string {
    return createHmac("sha256", this.#derive(purpose, "")).update(content).digest("hex");
  }

  #derive(purpose: string, salt: string): Buffer {
    return Buffer.from(hkdfSync("sha256", this.#key, salt, purpose, 32));
  }
}
