/** How a package names a file of a dataset, or a folder: a path that ends with a slash. */
export type NameOf = (path: string) => string;

/** A `..` between separators, where a backslash counts as one: on Windows such a name leads out of its folder. */
const CLIMBS = /(?:^|[\\/]|%(?:25)*5C)\.\.(?:[\\/]|%(?:25)*5C|$)/i;
/** RFC 6266: the name of a file to save, and one in ASCII for programs that do not read `filename*`. */
interface FileName {
  name: string;
  ascii: string;
}

/** Bytes of the title in UTF-8: with version and extension, the name stays far below the 255 bytes of file systems. */
const LONGEST = 100;

/**
 * The file name of a package: title, version and extension, such as `Barley-roots-v2.bag.zip`. Of the title only letters,
 * marks and digits are used, so that the name holds no separator, control character or mark of direction. A title
 * without any, in Unicode or in ASCII, is replaced by the dataset's id.
 */
export function packageName(
  { id, title, version }: { id: string; title: string; version: number },
  extension: string,
): FileName {
  const end = `-v${version}.${extension}`;
  const words = wordsOf(title.toWellFormed().normalize("NFC"));
  // Letters without their marks.
  const ascii = wordsOf(
    title
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replaceAll("ß", "ss")
      .replace(/[^\0-\x7f]/g, " "),
  );
  return { name: (words || id) + end, ascii: (ascii || id) + end };
}

/** Words joined by hyphens, cut off between words where there is a place. */
function wordsOf(text: string): string {
  let joined = "";
  for (const word of text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []) {
    const longer = joined === "" ? cut(word) : `${joined}-${word}`;
    if (Buffer.byteLength(longer) > LONGEST) break;
    joined = longer;
  }
  return joined;
}

/** A word of at most so many bytes, in whole characters with their marks. */
function cut(word: string): string {
  let short = "";
  for (const [character] of word.matchAll(/.\p{M}*/gsu)) {
    if (Buffer.byteLength(short + character) > LONGEST) break;
    short += character;
  }
  return short;
}

/** Whether a path would lead out of its folder where a backslash is a separator, or looks as if that had been escaped. */
export function climbs(path: string): boolean {
  return CLIMBS.test(path);
}

/**
 * The name of a file in a ZIP: its path, whatever it holds, because RO-Crate and manifests speak of paths. Only one
 * that would climb out of its folder where backslashes separate gets `%5C` for `\` and `%25` for `%`; names that look as if
 * that had been done to them get it, too, so that no two files have the same name.
 */
export function nameInPackage(path: string): string {
  if (!climbs(path)) return path;
  return path.replaceAll("%", "%25").replaceAll("\\", "%5C");
}
