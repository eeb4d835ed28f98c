import { decoded } from "./decode.ts";
import { indentedJson } from "./json.ts";
import { isTable, type Table, tableOf } from "./table.ts";

/** Bytes from the beginning of a file that a preview shows. */
export const PREVIEW_BYTES = 100_000;

/** What a preview shows of a file. */
export type Preview =
  | ({ kind: "table"; encoding: string } & Table)
  | { kind: "text"; text: string; encoding: string; isCut: boolean }
  | { kind: "image" }
  | { kind: "pdf" }
  | { kind: "none"; because: "empty" | "binary" };

/** Media types by the first bytes of a file: formats that browsers show, and that cannot contain scripts of this site. */
const INLINE: readonly [type: string, at: number, beginning: string][] = [
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF87a"],
  ["image/gif", 0, "GIF89a"],
  ["image/webp", 8, "WEBP"],
  ["image/avif", 4, "ftypavif"],
  ["application/pdf", 0, "%PDF-"],
];
/** Bytes in which the first bytes above are. */
export const MAGIC_BYTES = 16;

/** The media type with which a browser may show a file itself; undefined if it must not. @param head its first bytes */
export function inlineType(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.subarray(0, MAGIC_BYTES)).toString("latin1");
  return INLINE.find(([, at, beginning]) => text.startsWith(beginning, at))?.[0];
}

/** Endings of names of files that can probably be shown. */
const SHOWN =
  /\.(?:csv|tsv|tab|txt|text|log|md|markdown|rst|json|jsonl|geojson|jsonld|xml|html?|xhtml|svg|ya?ml|toml|ini|cfg|conf|properties|bib|ris|tex|r|rmd|qmd|py|ipynb|jl|m|sql|sh|bash|c|h|cpp|hpp|java|js|ts|css|pl|rb|do|sas|sps|stan|f90|go|rs|kt|scala|fa|fasta|fastq|gff3?|gtf|vcf|bed|sam|nwk|newick|phy|nex|cif|pdb|xyz|mol|sdf|png|jpe?g|gif|webp|avif|pdf)$/i;
const NAMES = /(?:^|\/)(?:readme|licen[cs]e|changelog|changes|authors|copying|citation|makefile|dockerfile)$/i;

/** Whether a file can probably be shown, by its name and the media type that the source stated. */
export function isProbablyShown(path: string, mediaType: string): boolean {
  return SHOWN.test(path) || NAMES.test(path) || mediaType.startsWith("text/");
}

/**
 * What a preview shows of a file. Formats with scripts, such as HTML and SVG, are text.
 * @param head the first {@link PREVIEW_BYTES} of the file, or all of it
 */
export function previewOf(path: string, head: Uint8Array, isWhole: boolean): Preview {
  if (head.length === 0) return { kind: "none", because: "empty" };
  const type = inlineType(head);
  if (type !== undefined) return type === "application/pdf" ? { kind: "pdf" } : { kind: "image" };
  const found = decoded(head);
  if (found === undefined) return { kind: "none", because: "binary" };
  const { text, encoding } = found;
  const table = isTable(path) ? tableOf(path, text, isWhole) : undefined;
  if (table !== undefined) return { kind: "table", encoding, ...table };
  const isJson = isWhole && /\.(?:json|geojson|jsonld|ipynb)$/i.test(path);
  return { kind: "text", text: (isJson ? indentedJson(text) : undefined) ?? text, encoding, isCut: !isWhole };
}
