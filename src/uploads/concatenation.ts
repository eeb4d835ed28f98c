/**
 * What a client has said about the concatenation of a file (https://tus.io/protocols/resumable-upload#concatenation). It is kept before
 * the metadata of the file, in a line, which no header can contain.
 */
export type Concatenation = "partial" | { final: readonly number[] };

/** Parts that an upload can have which were not joined. */
export const MOST_PARTS = 1_000;

/** Parts that a file can be joined from: their addresses are in one header, and servers accept 8 KiB. */
export const MOST_JOINED = 100;

/** The text of a file’s metadata with what is known of its concatenation. */
export function withConcatenation(concatenation: Concatenation, metadata: string): string {
  const said = concatenation === "partial" ? "partial" : `final ${concatenation.final.join(" ")}`;
  return `${said}\n${metadata}`;
}

/** Reads what {@link withConcatenation} has written. Files that were sent as a whole have no concatenation. */
export function concatenationOf({ metadata }: { metadata: string }): {
  concatenation: Concatenation | undefined;
  /** `Upload-Metadata` as it was sent. */
  metadata: string;
} {
  const end = metadata.indexOf("\n");
  if (end < 0) return { concatenation: undefined, metadata };
  const [kind, ...nos] = metadata.slice(0, end).split(" ");
  const concatenation = kind === "partial" ? kind : { final: nos.map(Number) };
  return { concatenation, metadata: metadata.slice(end + 1) };
}
