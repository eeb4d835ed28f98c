import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Kinds of encrypted data. Each kind has separate keys. */
type Sealed = "bucket credentials" | "webhook keys" | "mail address";

/**
 * Encrypts and decrypts secrets in the database, with AES-256-GCM. Each kind of secret of each record has a separate key,
 * derived from the service's secret key, the kind and the record's id (HKDF, RFC 5869). The id is also authenticated, so
 * data stored for one record cannot be decrypted for another.
 */
export class Vault {
  readonly #key: Uint8Array;

  /** @param key 32 random bytes */
  constructor(key: Uint8Array) {
    if (key.length !== 32) throw new Error("The secret key must have 32 bytes");
    this.#key = key;
  }

  /** Encrypts a JSON value for the record with this id. */
  sealAs(kind: Sealed, id: string, value: unknown): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#derive(kind, id), nonce);
    cipher.setAAD(Buffer.from(id));
    const sealed = cipher.update(JSON.stringify(value), "utf8");
    return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()]);
  }

  /** Decrypts a value. @throws Error if the bytes were not encrypted as this kind, for this id, with this key */
  openAs<Value>(kind: Sealed, id: string, sealed: Uint8Array): Value {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", this.#derive(kind, id), nonce);
    decipher.setAAD(Buffer.from(id));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString("utf8")) as Value;
  }

  /** A keyed hash (HMAC-SHA-256, hex) for comparing contents without keeping them. */
  fingerprint(purpose: string, content: string): string {
    return createHmac("sha256", this.#derive(purpose, "")).update(content).digest("hex");
  }

  #derive(purpose: string, salt: string): Buffer {
    return Buffer.from(hkdfSync("sha256", this.#key, salt, purpose, 32));
  }
}
