/** The algorithms of digest lists, with the number of hexadecimal digits of a digest; strongest first. */
export const DIGEST_ALGORITHMS = { sha512: 128, sha384: 96, sha256: 64, sha1: 40, md5: 32 } as const;

export type DigestAlgorithm = keyof typeof DIGEST_ALGORITHMS;

const byLength = new Map(Object.entries(DIGEST_ALGORITHMS).map(([name, digits]) => [digits as number, name]));

/** The algorithm of a hexadecimal digest by its length; undefined if none has it. */
export function algorithmOfDigest(hex: string): DigestAlgorithm | undefined {
  return /^[0-9a-f]+$/i.test(hex) ? (byLength.get(hex.length) as DigestAlgorithm | undefined) : undefined;
}

/** The algorithm with a name such as `SHA-256`, `sha256` or `SHA2_256`; undefined if lists of it are not supported. */
export function algorithmNamed(name: string): DigestAlgorithm | undefined {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^sha2[-_](?=\d{3}$)/, "sha")
    .replaceAll(/[-_ ]/g, "");
  return Object.hasOwn(DIGEST_ALGORITHMS, plain) ? (plain as DigestAlgorithm) : undefined;
}

/** The strongest of these algorithms. */
export function strongestOf(algorithms: Iterable<string>): DigestAlgorithm | undefined {
  const given = new Set(algorithms);
  return (Object.keys(DIGEST_ALGORITHMS) as DigestAlgorithm[]).find((name) => given.has(name));
}
