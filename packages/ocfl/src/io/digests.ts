import { createHash, getHashes } from "node:crypto";
import { blake2b } from "@noble/hashes/blake2.js";

/** Receives bytes in order and then returns their digest, in OCFL's notation, in lower case. */
export interface Digester {
  update(bytes: Uint8Array): void;
  digest(): string;
}

interface Algorithm {
  make(): Digester;
  /** Number of hexadecimal digits of a digest; absent if it is a number. */
  digits?: number;
  /** The code for a digest with an invalid form. */
  malformed: "E029" | "E030" | "E031" | "E032" | "E057";
  /** False for an algorithm that this OpenSSL does not offer, such as md5 in FIPS mode. */
  isOffered: boolean;
}

/** OCFL's digest algorithms (OCFL 1.1, section 3.4) and those of its extensions 0001 and 0009. */
const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  md5: openssl("md5", 32),
  sha1: openssl("sha1", 40, "E029"),
  sha256: openssl("sha256", 64, "E030"),
  sha512: openssl("sha512", 128, "E031"),
  "sha512/256": openssl("sha512-256", 64),
  "blake2b-512": openssl("blake2b512", 128, "E032"),
  "blake2b-160": shortBlake(20),
  "blake2b-256": shortBlake(32),
  "blake2b-384": shortBlake(48),
  size: { make: () => new Size(), malformed: "E057", isOffered: true },
};

/** Names of the supported algorithms. A name keeps its position in the list. */
export const KNOWN_ALGORITHMS: readonly string[] = Object.keys(ALGORITHMS).filter(
  (name) => ALGORITHMS[name]?.isOffered,
);

/** @throws Error for an unknown algorithm */
export function digester(algorithm: string): Digester {
  return known(algorithm).make();
}

/** The code for a text that cannot be a digest of this algorithm; undefined if it can be. */
export function malformed(algorithm: string, digest: string): Algorithm["malformed"] | undefined {
  const { digits, malformed: code } = known(algorithm);
  const isFine = digits === undefined ? /^(0|[1-9]\d*)$/.test(digest) : isHex(digest, digits);
  return isFine ? undefined : code;
}

/** Number of hexadecimal digits of a digest of this algorithm. */
export function digitsOf(algorithm: string): number | undefined {
  return ALGORITHMS[algorithm]?.digits;
}

function isHex(text: string, digits: number): boolean {
  return text.length === digits && /^[0-9a-f]+$/i.test(text);
}

function known(algorithm: string): Algorithm {
  const found = Object.hasOwn(ALGORITHMS, algorithm) ? ALGORITHMS[algorithm] : undefined;
  if (found === undefined) throw new Error(`The digest algorithm “${algorithm}” is not supported`);
  return found;
}

function openssl(name: string, digits: number, code: Algorithm["malformed"] = "E057"): Algorithm {
  const make = () => {
    const hash = createHash(name);
    return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest("hex") };
  };
  return { make, digits, malformed: code, isOffered: getHashes().includes(name) };
}

/** OpenSSL has BLAKE2b only at its full length, and a shorter digest is not a prefix of the longer one. */
function shortBlake(bytes: number): Algorithm {
  const make = () => {
    const hash = blake2b.create({ dkLen: bytes });
    return {
      update: (piece: Uint8Array) => void hash.update(piece),
      digest: () => Buffer.from(hash.digest()).toString("hex"),
    };
  };
  return { make, digits: bytes * 2, malformed: "E057", isOffered: true };
}

/** The “digest” `size` of extension 0009: the number of bytes. */
class Size implements Digester {
  #bytes = 0;

  update(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
  }

  digest(): string {
    return String(this.#bytes);
  }
}
