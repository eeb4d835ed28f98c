import { Problem } from "../../domain/problems.ts";

/** A folder for temporary files, on a disk of which a reserve is never used. */
export interface Scratch {
  folder: string;
  /**
   * Reserves space for bytes that are about to be written.
   * @param what the beginning of the message if there is not enough
   * @throws Problem `no_space`
   */
  hold(bytes: number, what: string): Promise<HeldSpace>;
}

/** Reserved space. */
export interface HeldSpace {
  /** Reports that this number of bytes is now written. */
  use(bytes: number): void;
  /** Releases the rest. */
  release(): void;
}

/** The problem `no_space` of a folder for temporary files, whose disk need not be that of the archive. */
export class ScratchFull extends Problem {
  /** Of the file for which there is not enough space. */
  readonly bytes: number;
  /** For the log of the operator only. */
  readonly folder: string;

  constructor({ message, cause, bytes, folder }: { message: string; cause: unknown; bytes: number; folder: string }) {
    super("no_space", message, { cause });
    this.bytes = bytes;
    this.folder = folder;
  }
}
