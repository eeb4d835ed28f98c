/** A key of a listing, by its length: it is the beginning of the listing's last key. */
export interface OpenKey {
  length: number;
  /** Its place in the listing. */
  seq: number;
}

/**
 * Finds, while a listing goes by in byte order, the keys that are folders of later ones: `a` beside `a/b`. Between a
 * folder and what lies in it every key begins with the folder's, so that only the keys with which the last one begins
 * are still open. A key that was found once is not told again.
 */
export class OpenFolders {
  #last: string;
  readonly #open: OpenKey[];

  /** Begins anew, or goes on where {@link state} was taken. */
  constructor(last = "", open: readonly OpenKey[] = []) {
    this.#last = last;
    this.#open = [...open];
  }

  /**
   * Takes the next key, which comes after all before it. Gives those before it that prove to be its folders; `watch`
   * says whether it is of interest itself when others turn out to lie below it.
   */
  next(key: string, seq: number, watch = true): (OpenKey & { key: string })[] {
    const found: (OpenKey & { key: string })[] = [];
    for (let at = this.#open.length - 1; at >= 0; at--) {
      const open = this.#open[at] as OpenKey;
      const isBeginning = key.startsWith(this.#last.slice(0, open.length));
      if (isBeginning && key[open.length] !== "/") continue;
      if (isBeginning) found.push({ ...open, key: key.slice(0, open.length) });
      this.#open.splice(at, 1);
    }
    this.#last = key;
    if (watch) this.#open.push({ length: key.length, seq });
    return found;
  }

  /** The keys that later ones can still make folders, shortest first; at most one a character of the last key. */
  get state(): readonly OpenKey[] {
    return this.#open;
  }
}
