import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

/** The checksums that S3 stores with an object, as named in `x-amz-checksum-…`. */
export const checksumAlgorithms = ["sha256", "sha1", "crc32", "crc32c", "crc64nvme"] as const;
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

/** Checksum over all pieces, as the raw bytes that S3 sends in base64. */
export function checksum(algorithm: ChecksumAlgorithm, chunks: Iterable<Buffer>): Buffer {
  switch (algorithm) {
    case "sha256":
    case "sha1": {
      const hash = createHash(algorithm);
      for (const chunk of chunks) hash.update(chunk);
      return hash.digest();
    }
    case "crc32": {
      let value = 0;
      for (const chunk of chunks) value = crc32(chunk, value);
      return bigEndian(value);
    }
    case "crc32c":
      return crc32c(chunks);
    case "crc64nvme":
      return crc64nvme(chunks);
  }
}

/** MD5 over all pieces, as raw bytes. */
export function md5(chunks: Iterable<Buffer>): Buffer {
  const hash = createHash("md5");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest();
}

function bigEndian(...words: number[]): Buffer {
  const out = Buffer.alloc(words.length * 4);
  words.forEach((word, index) => {
    out.writeUInt32BE(word >>> 0, index * 4);
  });
  return out;
}

/** Reflected CRC-32C (Castagnoli), byte by byte. */
function crc32c(chunks: Iterable<Buffer>): Buffer {
  let crc = 0xffffffff;
  for (const chunk of chunks) {
    for (let i = 0; i < chunk.length; i++) {
      crc = (castagnoli[(crc ^ (chunk[i] as number)) & 0xff] as number) ^ (crc >>> 8);
    }
  }
  return bigEndian(crc ^ 0xffffffff);
}

const castagnoli = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** Reflected CRC-64/NVME, in two 32-bit words, because BigInt is a hundred times slower. */
function crc64nvme(chunks: Iterable<Buffer>): Buffer {
  let high = 0xffffffff;
  let low = 0xffffffff;
  for (const chunk of chunks) {
    for (let i = 0; i < chunk.length; i++) {
      const index = (low ^ (chunk[i] as number)) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (nvmeLow[index] as number);
      high = (high >>> 8) ^ (nvmeHigh[index] as number);
    }
  }
  return bigEndian(~high, ~low);
}

const nvmeHigh = new Uint32Array(256);
const nvmeLow = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let value = BigInt(byte);
  for (let bit = 0; bit < 8; bit++) value = value & 1n ? (value >> 1n) ^ 0x9a6c9329ac4bc9b5n : value >> 1n;
  nvmeHigh[byte] = Number(value >> 32n);
  nvmeLow[byte] = Number(value & 0xffffffffn);
}
