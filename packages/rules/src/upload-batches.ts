/** Files up to this size are sent to an upload in batches. The service accepts larger ones, but their progress would be unknown. */
export const BATCH_FILE_BYTES = 1 << 20;
/** Bytes and files of a batch, which is sent from memory. The service accepts 10,000 files. */
export const BATCH_BYTES = 4 << 20;
export const BATCH_FILES = 500;

/** Bytes of the longest path of a file in UTF-8, which is that of a key in S3. */
export const LONGEST_PATH_BYTES = 1_024;
const utf8 = new TextEncoder();
/**
 * The service refuses control characters, and cannot name them in its answer without changing them. The replacement character may stand
 * for other bytes.
 */
const UNFIT = /[\p{Cc}\p{Cs}\ufffd]/u;

/** Whether a file can be sent in a batch. The other files are sent one by one, so that each gets an answer of the service. */
export function fitsBatch({ path, bytes }: { path: string; bytes: number }): boolean {
  return bytes <= BATCH_FILE_BYTES && utf8.encode(path).length <= LONGEST_PATH_BYTES && !UNFIT.test(path);
}
