import { algorithmNamed, algorithmOfDigest, type DigestAlgorithm } from "./algorithms.ts";

/** The formats of digest lists: those of GNU coreutils, manifests of bags (RFC 8493), and tables. */
export const DIGEST_FORMATS = ["md5sum", "sha1sum", "sha256sum", "sha384sum", "sha512sum", "bagit", "csv"] as const;

export type DigestFormat = (typeof DIGEST_FORMATS)[number];

/** How the lines of a list are read. */
export type ListForm =
  /** `algorithm` undefined: that of each digest's length. */
  | { kind: "sums"; algorithm: DigestAlgorithm | undefined }
  /** `isOld`: before BagIt 1.0, where “%” in a path is not encoded. */
  | { kind: "bagit"; algorithm: DigestAlgorithm | undefined; isOld?: boolean }
  | { kind: "csv" };

/** The form of a stated format. @param name the file's name or key, which can state the algorithm of a bag's manifest */
export function formOfFormat(format: DigestFormat, name: string): ListForm {
  if (format === "csv") return { kind: "csv" };
  if (format === "bagit") return { kind: "bagit", algorithm: manifestOf(name)?.algorithm };
  return { kind: "sums", algorithm: algorithmNamed(format.slice(0, -"sum".length)) };
}

/**
 * The form of a list whose format is not stated, from the file's name, else from its first line that is not empty or a comment.
 * @returns undefined if neither tells
 */
export function detectForm(name: string, line: string): ListForm | undefined {
  const file = name.slice(name.lastIndexOf("/") + 1);
  const manifest = manifestOf(file);
  if (manifest !== undefined) return { kind: "bagit", algorithm: manifest.algorithm };
  if (/\.[ct]sv$/i.test(file)) return { kind: "csv" };
  const sums = /^(md5|sha-?1|sha-?256|sha-?384|sha-?512)sums?\b|\.(md5|sha1|sha256|sha384|sha512)(?:sums?)?$/i.exec(
    file,
  );
  const named = sums?.[1] ?? sums?.[2];
  if (named !== undefined) return { kind: "sums", algorithm: algorithmNamed(named) };
  const first = line.replace(/^\\/, "").split(/[ \t]/)[0] ?? "";
  if (algorithmOfDigest(first) !== undefined || TAGGED.test(line)) return { kind: "sums", algorithm: undefined };
  const cells = line.split(/[,;\t]/);
  if (cells.length > 1 && cells.some((cell) => algorithmNamed(cell.replaceAll('"', "")) !== undefined))
    return { kind: "csv" };
  return undefined;
}

/** A line of `sha256sum --tag` and of BSD systems. */
export const TAGGED = /^\\?([A-Za-z0-9-]+) \((.+)\) = ([0-9A-Fa-f]+)$/s;

/** The manifest of a bag with this file name; its algorithm is undefined if lists of it are not supported. */
export function manifestOf(
  name: string,
): { kind: "payload" | "tags"; algorithm: DigestAlgorithm | undefined } | undefined {
  const [, tag, algorithm] = /^(?:.*\/)?(tag)?manifest-([a-z0-9]+)\.txt$/is.exec(name) ?? [];
  if (algorithm === undefined) return undefined;
  return { kind: tag === undefined ? "payload" : "tags", algorithm: algorithmNamed(algorithm) };
}
