import { readUpload, readUploadFiles, type Upload } from "../../api/uploads.ts";
import type { FileTable } from "./sending/file-table.ts";

/** Compares the files of the page with those of the upload, which other programs and tabs can change. */
export class UploadCheck {
  readonly #id: string;
  readonly #files: FileTable;
  /** How often this page has changed the upload, and how often it had when they were compared last. */
  #changes = 0;
  #compared = -1;

  constructor(id: string, files: FileTable) {
    this.#id = id;
    this.#files = files;
  }

  /** Whether the upload was changed, or may have been, since the files were compared. */
  get isDue(): boolean {
    return this.#changes !== this.#compared;
  }

  /** Notes that the upload is changed, or may be. */
  note(): void {
    this.#changes += 1;
  }

  /**
   * Reads the upload, and compares the files. The comparison stays due if the page changes the upload meanwhile.
   * @returns the upload as it was before its files were read, so that its revision is not newer than they are
   * @throws ProblemError, the error of the network
   */
  async run(signal: AbortSignal): Promise<Upload> {
    const before = this.#changes;
    const upload = await readUpload(this.#id, signal);
    if (upload.submission !== null) return upload;
    const files = await readUploadFiles(this.#id, signal);
    if (before !== this.#changes) return upload;
    this.#files.compare(files);
    this.#compared = before;
    return upload;
  }
}
