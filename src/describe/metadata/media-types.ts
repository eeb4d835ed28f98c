const TOKEN = "[a-z0-9!#$&^_.+-]{1,100}";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}$`);
/** Default media types that servers give to unknown files. */
const UNKNOWN = new Set(["application/octet-stream", "binary/octet-stream"]);

/** Maximum number of files considered: as many as an RO-Crate lists. */
export const LOOKED_AT = 10_000;
const MOST = 50;

/**
 * The media types of a dataset's files: of the first 10,000 in the order of the listing, at most 50 types, without
 * parameters. Default types that sources give to unknown files are omitted, and so are invalid media types.
 */
export class MediaTypes {
  readonly #found = new Set<string>();
  #files = 0;

  /** Adds the `Content-Type` of one stored file. */
  add(contentType: string | undefined): void {
    if (this.#files++ >= LOOKED_AT || this.#found.size >= MOST) return;
    const [type = ""] = (contentType ?? "").toLowerCase().split(";", 1);
    if (MEDIA_TYPE.test(type.trim()) && !UNKNOWN.has(type.trim())) this.#found.add(type.trim());
  }

  /** In alphabetical order. */
  list(): string[] {
    return [...this.#found].sort();
  }
}
