import { queryOptions } from "@tanstack/react-query";
import { addressOf, type DatasetFile } from "../../api/datasets.ts";
import { MOST_PICTURE, pictureType, readFrom } from "../../rendered/pictures.ts";
import type { Source } from "../download/DownloadButton.tsx";

/** The number of bytes that a preview of a text reads. */
const MOST_TEXT = 256 * 1024;

/** The content of a preview. It is never treated as a document, only as text, cells or an image. */
export type Shown =
  | { kind: "text"; text: string; encoding: string; isWhole: boolean }
  | { kind: "table"; rows: string[][]; encoding: string; isWhole: boolean }
  | { kind: "picture"; picture: Blob }
  | { kind: "none"; because: "empty" | "binary" | "large" };

/** The query for the preview of a file. */
export function previewQuery({ id, version }: Source, file: DatasetFile) {
  return queryOptions({
    queryKey: ["dataset", id, version, "preview", file.path],
    queryFn: ({ signal }) => previewOf(addressOf(id, version, { path: file.path }), file, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    // Images are not JSON.
    structuralSharing: false,
  });
}

async function previewOf(url: string, file: DatasetFile, signal: AbortSignal): Promise<Shown> {
  if (file.bytes === 0) return { kind: "none", because: "empty" };
  const bytes = await readFrom(url, Math.min(file.bytes, MOST_TEXT), signal);
  const type = pictureType(bytes);
  if (type !== undefined) {
    if (file.bytes > MOST_PICTURE) return { kind: "none", because: "large" };
    const whole = bytes.length < file.bytes ? await readFrom(url, file.bytes, signal) : bytes;
    return { kind: "picture", picture: new Blob([whole], { type }) };
  }
  const read = decode(bytes);
  if (read === undefined) return { kind: "none", because: "binary" };
  const isWhole = bytes.length === file.bytes;
  if (!/\.(csv|tsv|tab)$/i.test(file.path)) return { kind: "text", ...read, isWhole };
  const { rowsOf } = await import("./table.ts");
  const { rows, isCut } = rowsOf(read.text, isWhole);
  return { kind: "table", rows, encoding: read.encoding, isWhole: isWhole && !isCut };
}

const MARKS: [encoding: string, mark: number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** Decodes text by its byte order mark, else as UTF-8, else as Windows-1252; undefined if it is not text. */
function decode(bytes: Uint8Array): { text: string; encoding: string } | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, place) => bytes[place] === byte))?.[0];
  if (marked !== undefined) return { text: decodeAs(marked, bytes), encoding: marked };
  if (bytes.includes(0)) return undefined;
  try {
    return { text: decodeAs("utf-8", bytes, true), encoding: "utf-8" };
  } catch {
    return { text: decodeAs("windows-1252", bytes), encoding: "windows-1252" };
  }
}

/** Omits an incomplete character at the end. */
function decodeAs(encoding: string, bytes: Uint8Array, fatal = false): string {
  return new TextDecoder(encoding, { fatal }).decode(bytes, { stream: true });
}
