import { byPrecedence, type FileKind, metadataFileKind } from "./file-kinds.ts";

/** Maximum number of metadata files of one dataset. */
export const MAX_METADATA_FILES = 10;

/** A metadata file in a listing. */
export interface FoundFile<T extends { key: string }> {
  object: T;
  kind: FileKind;
}

/** The metadata files at the top level of a prefix, collected from a listing: at most {@link MAX_METADATA_FILES}. */
export class FoundFiles<T extends { key: string }> {
  readonly #prefix: string;
  #files: FoundFile<T>[] = [];

  constructor(prefix = "") {
    this.#prefix = prefix;
  }

  take(object: T): void {
    const kind = kindAtTop(object.key, this.#prefix);
    if (kind === undefined) return;
    this.#files = [...this.#files, { object, kind }]
      .sort((one, other) => byPrecedence(keyed(one), keyed(other)))
      .slice(0, MAX_METADATA_FILES);
  }

  /** In the order of precedence, then of the keys. */
  get files(): readonly FoundFile<T>[] {
    return this.#files;
  }
}

/**
 * The kind of a metadata file at the top level of a prefix. A prefix can be a folder with or without its last slash, or the
 * beginning of names.
 */
export function kindAtTop(key: string, prefix: string): FileKind | undefined {
  const start = key.lastIndexOf("/") + 1;
  const folder = key.slice(0, start);
  const ownFolder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const isTop = folder === ownFolder || (ownFolder !== prefix && folder === `${prefix}/`);
  return isTop && key.startsWith(prefix) ? metadataFileKind(key.slice(start)) : undefined;
}

function keyed({ object: { key }, kind }: FoundFile<{ key: string }>): { key: string; kind: FileKind } {
  return { key, kind };
}
