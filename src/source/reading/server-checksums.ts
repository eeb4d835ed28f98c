import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { Crc32c } from "@aws-crypto/crc32c";
import { Crc64Nvme } from "@aws-sdk/crc64-nvme";

/** A digest that is computed while bytes arrive, and compared with a stated one. */
export interface Digest {
  update(chunk: Uint8Array): void;
  /** True if the digest matches the stated one. */
  matches(): boolean | Promise<boolean>;
}

const checksums: { name: string; make: (expected: string) => Digest }[] = [
  { name: "sha256", make: (expected) => hashDigest("sha256", expected) },
  { name: "crc64nvme", make: crc64Digest },
  { name: "sha1", make: (expected) => hashDigest("sha1", expected) },
  { name: "crc32c", make: crc32cDigest },
  { name: "crc32", make: crc32Digest },
];

/** The checksums of the whole object (`x-amz-checksum-*`) that the headers of a server state. */
export function serverChecksums(headers: Readonly<Record<string, string>>): { algorithm: string; digest: Digest }[] {
  // A composite checksum is computed from the parts' checksums, not from the bytes.
  if (headers["x-amz-checksum-type"] === "COMPOSITE") return [];
  return checksums.flatMap(({ name, make }) => {
    const expected = headers[`x-amz-checksum-${name}`];
    if (expected === undefined || /-\d+$/.test(expected)) return [];
    return [{ algorithm: name, digest: make(expected) }];
  });
}

function hashDigest(algorithm: string, expected: string): Digest {
  const streaming = createHash(algorithm);
  return { update: (chunk) => void streaming.update(chunk), matches: () => streaming.digest("base64") === expected };
}

function uint32Digest(update: (chunk: Uint8Array) => void, value: () => number, expected: string): Digest {
  return {
    update,
    matches() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value());
      return bytes.toString("base64") === expected;
    },
  };
}

function crc32Digest(expected: string): Digest {
  let value = 0;
  return uint32Digest(
    (chunk) => {
      value = crc32(chunk, value);
    },
    () => value,
    expected,
  );
}

function crc32cDigest(expected: string): Digest {
  const hash = new Crc32c();
  return uint32Digest(
    (chunk) => void hash.update(chunk),
    () => hash.digest(),
    expected,
  );
}

function crc64Digest(expected: string): Digest {
  const hash = new Crc64Nvme();
  return {
    update: (chunk) => hash.update(chunk),
    matches: async () => Buffer.from(await hash.digest()).toString("base64") === expected,
  };
}
