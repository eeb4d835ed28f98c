import type { UploadFileRow } from "../db/uploads/files.ts";

/** The number of bytes of a file that count for a client. The last byte counts when the whole file is compared with its digest. */
export function offsetOf({ bytes, received, completed_at }: UploadFileRow): number {
  return completed_at === null ? Math.min(received, Math.max(0, bytes - 1)) : bytes;
}
