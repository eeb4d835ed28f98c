/** RFC 6266: the name of a file to save, and an ASCII version for programs that do not read `filename*`. */
interface FileName {
  name: string;
  ascii: string;
}

/**
 * Maximum bytes of the title in UTF-8. With version and extension, the name stays far below the 255 bytes of file
 * systems.
 */
const LONGEST = 100;

/**
 * The file name of a package: title, version and extension, such as `Barley-roots-v2.bag.zip`. Only letters, marks and
 * digits of the title are used, so that the name contains no separator, control character or direction mark. A title
 * without any of them, in Unicode or in ASCII, is replaced by the dataset's id.
 */
export function packageName(
  { id, title, version }: { id: string; title: string; version: number },
  extension: string,
): FileName {
  const end = `-v${version}.${extension}`;
  const words = wordsOf(title.toWellFormed().normalize("NFC"));
  // Letters without their diacritical marks.
  const ascii = wordsOf(
    title
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replaceAll("ß", "ss")
      .replace(/[^\0-\x7f]/g, " "),
  );
  return { name: (words || id) + end, ascii: (ascii || id) + end };
}

/** Words joined by hyphens, truncated between words if possible. */
function wordsOf(text: string): string {
  let joined = "";
  for (const word of text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []) {
    const longer = joined === "" ? cut(word) : `${joined}-${word}`;
    if (Buffer.byteLength(longer) > LONGEST) break;
    joined = longer;
  }
  return joined;
}

/** A word truncated to the maximum number of bytes, in whole characters with their marks. */
function cut(word: string): string {
  let short = "";
  for (const [character] of word.matchAll(/.\p{M}*/gsu)) {
    if (Buffer.byteLength(short + character) > LONGEST) break;
    short += character;
  }
  return short;
}
