import type { UploadFileRow } from "../db/uploads/files.ts";
import { inMessage } from "../domain/in-message.ts";
import { Problem } from "../domain/problems.ts";

/** The number of bytes of a file that count for a client. The last byte counts when the whole file is compared with its digest. */
export function offsetOf({ bytes, received, completed_at }: UploadFileRow): number {
  return completed_at === null ? Math.min(received, Math.max(0, bytes - 1)) : bytes;
}

/** The client has sent another number of bytes than it thinks. */
export function wrongOffset(row: UploadFileRow, from: number): Problem {
  // A client that waited for the comparison, and has not learned its result.
  if (row.is_damaged && row.received === 0) return damaged(row);
  return new Problem("upload_offset_wrong", `The service has ${offsetOf(row)} bytes of the file, and not ${from}`);
}

/** The bytes of a file are not those of the digest that its client has stated. They are removed. */
export function damaged({ path }: Pick<UploadFileRow, "path">): Problem {
  return new Problem("upload_digest_wrong", `The bytes of “${inMessage(path)}” do not have their digest`);
}
