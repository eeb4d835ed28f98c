import { FolderContentWriter, type FolderContentWriterOptions } from "./folder/content-writer.ts";
import type { Lease } from "./lease.ts";
import type { S3ContentWriter, S3ContentWriterOptions } from "./s3/content-writer.ts";
import type { S3Links } from "./s3/links.ts";

/** Where a thread stores the content of an attempt. Plain data, so that it can be sent to the thread. */
export type ContentWriterOptions = FolderContentWriterOptions | S3ContentWriterOptions;

/** Receives content of one attempt. A file belongs to the package only after it is recorded in the database. */
export type ContentWriter = FolderContentWriter | S3ContentWriter;

/**
 * Makes the writer of an attempt.
 * @param links this thread's connections to the object store
 * @param lease must hold whenever something is written to the object store
 */
export function openContentWriter(
  writerOptions: ContentWriterOptions,
  links: S3Links,
  lease: Lease,
): ContentWriter | Promise<ContentWriter> {
  return writerOptions.kind === "folder" ? new FolderContentWriter(writerOptions) : links.writer(writerOptions, lease);
}
