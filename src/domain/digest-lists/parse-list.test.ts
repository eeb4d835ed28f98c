import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { fetchedPath } from "./bag.ts";
import type { DigestFormat } from "./format.ts";
import { DigestListParser, type LineFault, type ListOptions, MOST_LINE, type StatedDigest } from "./parse-list.ts";

function parse(text: string, options: Partial<ListOptions> = {}): { entries: StatedDigest[]; faults: LineFault[] } {
  const reader = { selects: () => true, mostFaults: Number.POSITIVE_INFINITY };
  const parser = new DigestListParser({ name: "", base: "", ...options }, reader);
  const entries = text.split("\n").flatMap((line) => parser.take(line));
  parser.end();
  return { entries, faults: parser.faults };
}

const digestOf = (algorithm: string, of = "x") => createHash(algorithm).update(of).digest("hex");
const [md5, sha1, sha256, sha512] = ["md5", "sha1", "sha256", "sha512"].map((name) => digestOf(name)) as [
  string,
  string,
  string,
  string,
];
const keysOf = (text: string, options: Partial<ListOptions> = {}) => {
  const { entries, faults } = parse(text, options);
  expect(faults).toEqual([]);
  return entries.map(({ key }) => key);
};
const faultsOf = (text: string, options: Partial<ListOptions> = {}) =>
  parse(text, options).faults.map(({ line, code }) => [line, code]);

describe("lists of GNU coreutils", () => {
  test("text and binary marks, folders, spaces, and CRLF with a byte order mark are read", () => {
    const text = `\u{FEFF}${sha256}  a.csv\r\n${sha256} *./b/c d.bin\r\n\r\n# comment\r\n${sha256.toUpperCase()}   leading\r\n`;
    expect(parse(text).entries).toEqual([
      { key: "a.csv", algorithm: "sha256", digest: sha256 },
      { key: "b/c d.bin", algorithm: "sha256", digest: sha256 },
      { key: " leading", algorithm: "sha256", digest: sha256 },
    ]);
  });

  test("escaped names are restored, and backslashes of other lines are part of the name", () => {
    expect(keysOf(`\\${md5}  a\\nb\\\\c\\rd\n${md5}  a\\nb`)).toEqual(["a\nb\\c\rd", "a\\nb"]);
  });

  test("lines with the algorithm are read, also with parentheses in the name", () => {
    expect(parse(`SHA256 (a (1).txt) = ${sha256}\nMD5 (b) = ${md5}\n\\SHA512 (c\\nd) = ${sha512}`).entries).toEqual([
      { key: "a (1).txt", algorithm: "sha256", digest: sha256 },
      { key: "b", algorithm: "md5", digest: md5 },
      { key: "c\nd", algorithm: "sha512", digest: sha512 },
    ]);
  });

  test("carriage returns and the line separators of Unicode are part of a name", () => {
    const key = "a\rb\u2028c\u2029d";
    expect(keysOf(`${sha256}  ${key}`)).toEqual([key]);
    expect(keysOf(`SHA256 (${key}) = ${sha256}`)).toEqual([key]);
    expect(keysOf(`${sha256} ${key}`, { name: `${key}/manifest-sha256.txt` })).toEqual([key]);
    expect(fetchedPath(`https://example.org/a 3 data/${key}\r`)).toBe(`data/${key}`);
  });

  test("lines that are no checksum, or one of another algorithm, are refused with their number", () => {
    expect(
      faultsOf(`${sha256}  a\nabc\n${md5}  b\n${sha256}\n${sha256.slice(1)}x  c`, { format: "sha256sum" }),
    ).toEqual([
      [2, "digest_line_invalid"],
      [3, "digest_line_invalid"],
      [4, "digest_line_invalid"],
      [5, "digest_line_invalid"],
    ]);
    expect(faultsOf(`${sha256}  ${"a".repeat(MOST_LINE)}`)).toEqual([[1, "digest_line_invalid"]]);
  });

  test("paths that leave the folder are refused, and folders are put before the others", () => {
    const hostile = ["/etc/passwd", "../a", "a/../../b", "..", "./../c", "C:\\x", "a/", "./", "\0"];
    const text = hostile.map((path) => `${md5}  ${path}`).join("\n");
    expect(faultsOf(text).map(([, code]) => code)).toEqual(hostile.map(() => "digest_path_invalid"));
    expect(faultsOf(`${md5}  ${"ä".repeat(512)}`)).toEqual([]);
    expect(faultsOf(`${md5}  ${"ä".repeat(513)}`)).toEqual([[1, "digest_path_invalid"]]);
    expect(keysOf(`${md5}  ././a..b/..c`, { base: "run 7/" })).toEqual(["run 7/a..b/..c"]);
  });
});

test("manifests of bags have percent-encoded line breaks, and other signs as they are", () => {
  const text = `${sha1} data/a%0Ab%0d%25c%20d\n${sha1}\t *data/e`;
  expect(keysOf(text, { format: "bagit" })).toEqual(["data/a\nb\r%c%20d", "data/e"]);
  expect(keysOf(`${sha1}  data/100%25`, { format: "bagit", isOldBag: true })).toEqual(["data/100%25"]);
  expect(faultsOf(`${sha1}  data/a`, { name: "bag/manifest-sha256.txt" })).toEqual([[1, "digest_line_invalid"]]);
});

describe("tables", () => {
  test("columns are found by their names, in any order and with any separator", () => {
    const comma = `Size,SHA-256,Path,MD5\r\n3,${sha256},"a, ""b"".csv",${md5}\r\n4,,"c\nd",${md5}\r\n`;
    expect(parse(comma).entries).toEqual([
      { key: 'a, "b".csv', algorithm: "sha256", digest: sha256 },
      { key: 'a, "b".csv', algorithm: "md5", digest: md5 },
      { key: "c\nd", algorithm: "md5", digest: md5 },
    ]);
    expect(keysOf(`filename;sha512\na,b;${sha512}`)).toEqual(["a,b"]);
    expect(keysOf(`sha1\tfile\n${sha1}\ta`, { name: "list.tsv" })).toEqual(["a"]);
  });

  test("rows whose path begins like a comment are rows, and lines before the header may be comments", () => {
    expect(keysOf(`# made by x\n;y\npath,md5\n#recycle/a,${md5}\n; b,${md5}\n`)).toEqual(["#recycle/a", "; b"]);
    const bag = `# ${md5} data/x`;
    expect(faultsOf(bag, { format: "bagit" })).toEqual([[1, "digest_line_invalid"]]);
    expect(faultsOf(bag, { name: "manifest-md5.txt" })).toEqual([[1, "digest_line_invalid"]]);
  });

  test("spaces are part of a path, and text behind a quoted value is refused", () => {
    expect(keysOf(`path , md5\n a , ${md5} \n"b ","${md5}"\r\n`)).toEqual([" a ", "b "]);
    expect(faultsOf(`path,md5\n"q"junk,${md5}\n"q" ,${md5}\nok,${md5}`)).toEqual([
      [2, "digest_line_invalid"],
      [3, "digest_line_invalid"],
    ]);
    expect(keysOf(`path,md5\n"a""\r\n""b",${md5}\nc"d,${md5}`)).toEqual(['a"\r\n"b', 'c"d']);
  });

  test("each line is scanned once, also in a quoted value with thousands of lines", () => {
    const indexOf = vi.spyOn(String.prototype, "indexOf");
    const row = `f,${md5},"${"\n".repeat(7_900)}"\n`;
    expect(keysOf(`path,md5,note\n${row.repeat(3)}`)).toEqual(["f", "f", "f"]);
    // Characters that are searched: a few times those of the list.
    const searched = indexOf.mock.contexts.reduce((sum: number, text) => sum + String(text).length, 0);
    expect(searched).toBeLessThan(10 * 3 * row.length);
    vi.restoreAllMocks();
    const endless = faultsOf(`path,md5\n"${"\n".repeat(MOST_LINE)}`, { format: "csv" });
    expect(endless).toEqual([[MOST_LINE + 2, "digest_line_invalid"]]);
  });

  test("a missing column, a row without checksum and an open quote are refused", () => {
    expect(faultsOf("path,size\na,3", { format: "csv" })[0]).toEqual([1, "digest_format_unknown"]);
    expect(faultsOf(`path,md5\na,\nb,${sha1}\n"c,${md5}`, { format: "csv" })).toEqual([
      [2, "digest_line_invalid"],
      [3, "digest_line_invalid"],
      [4, "digest_line_invalid"],
    ]);
  });
});

test("the format is told from the name or the first line, else it must be stated", () => {
  for (const name of ["SHA256SUMS", "run/sha256sums.txt", "files.sha256", "manifest-sha256.txt", "list"])
    expect(keysOf(`${sha256}  data/a`, { name })).toEqual(["data/a"]);
  expect(faultsOf(`${sha256}  a`, { name: "MD5SUMS" })).toEqual([[1, "digest_line_invalid"]]);
  expect(faultsOf("hello world")).toEqual([[1, "digest_format_unknown"]]);
  expect(parse("").entries).toEqual([]);
});

test("any name that GNU coreutils and bags write is read back", () => {
  const name = fc
    .string({ unit: fc.constantFrom("a", " ", "\\", "\n", "\r", "%", "n", "*", "(", "é", "😀", "/", ".", '"', ",") })
    .filter((text) => !/^\/|^\.\/|(^|\/)\.\.(\/|$)|\/$/.test(text) && text !== "" && text !== ".");
  fc.assert(
    fc.property(name, (key) => {
      const isEscaped = /[\\\n\r]/.test(key);
      const gnu = key.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
      expect(keysOf(`${isEscaped ? "\\" : ""}${sha256}  ${gnu}`)).toEqual([key]);
      const bag = key.replaceAll("%", "%25").replaceAll("\n", "%0A").replaceAll("\r", "%0D");
      expect(keysOf(`${sha256}  data/${bag}`, { format: "bagit" })).toEqual([`data/${key}`]);
      expect(keysOf(`path,md5\n"${key.replaceAll('"', '""')}",${md5}`, { format: "csv" })).toEqual([key]);
    }),
  );
});

test("no text makes the parser fail", () => {
  const line = fc.string({
    unit: fc.constantFrom("a", "0", md5, " ", "*", "\\", '"', ",", ";", "(", ")", "=", "%", "\r"),
  });
  const formats: DigestFormat[] = ["md5sum", "bagit", "csv"];
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom(undefined, ...formats), (lines, format) => {
      for (const { key } of parse(lines.join("\n"), { format }).entries) expect(key).not.toBe("");
    }),
  );
});
