/** A folder for temporary files, on a disk of which a reserve is never used. */
export interface Scratch {
  folder: string;
  /**
   * Reserves space for bytes that are about to be written.
   * @throws Problem `no_space`
   */
  hold(bytes: number): Promise<HeldSpace>;
}

/** Reserved space. */
export interface HeldSpace {
  /** Reports that this number of bytes is now written. */
  use(bytes: number): void;
  /** Releases the rest. */
  release(): void;
}
