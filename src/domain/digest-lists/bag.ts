import { folderOf } from "./listed-path.ts";

/** The declaration of a bag (RFC 8493, section 2.1.1). */
export interface BagDeclaration {
  /** Before BagIt 1.0, where “%” in a path is not encoded. */
  isOld: boolean;
  /** In lower case. */
  encoding: string;
}

export const BAG_DECLARATION = "bagit.txt";
/** Largest declaration in bytes. Those of bags have about 60. */
export const MOST_DECLARATION = 10_000;

/** Reads `bagit.txt`. @returns undefined if the text declares no bag */
export function readBagDeclaration(text: string): BagDeclaration | undefined {
  const version = /^\u{FEFF}?BagIt-Version\s*:\s*(\d+)\.\d+\s*$/mu.exec(text)?.[1];
  const encoding = /^Tag-File-Character-Encoding\s*:\s*(\S+)\s*$/m.exec(text)?.[1];
  if (version === undefined || encoding === undefined) return undefined;
  return { isOld: Number(version) < 1, encoding: encoding.toLowerCase() };
}

/** The root of a bag whose files are selected by a prefix. A bag has its declaration in its root. */
export function bagRootOf(prefix: string | undefined): string | undefined {
  const root = folderOf(prefix ?? "");
  return root === (prefix ?? "") ? root : undefined;
}

/** A path of a bag: line breaks and “%” are percent-encoded, and nothing else (RFC 8493, section 2.1.3). */
export function decodedPath(path: string, isOld: boolean): string {
  return path.replaceAll(isOld ? /%0[ad]/gi : /%(?:0[ad]|25)/gi, decodeURIComponent);
}

/** The path of a line of `fetch.txt`: URL, length, path (RFC 8493, section 2.2.3). */
export function fetchedPath(line: string): string | undefined {
  const path = /^\S+[ \t]+(?:\d+|-)[ \t]+(.+?)\r?$/s.exec(line)?.[1];
  return path === undefined ? undefined : decodedPath(path, false);
}
