import { FolderReceiver, type FolderReceiving } from "./folder/receiver.ts";
import type { Lease } from "./lease.ts";
import type { S3Links } from "./s3/links.ts";
import type { S3Receiver, S3Receiving } from "./s3/receiver.ts";

/** Where a thread stores the content of an attempt. Plain data, so that it can be sent to the thread. */
export type Receiving = FolderReceiving | S3Receiving;

/** Receives content of one attempt. A file belongs to the package only after it is recorded in the database. */
export type Receiver = FolderReceiver | S3Receiver;

/**
 * Makes the receiver of an attempt.
 * @param links this thread's connections to the object store
 * @param lease must hold whenever something is written to the object store
 */
export function openReceiver(receiving: Receiving, links: S3Links, lease: Lease): Receiver | Promise<Receiver> {
  return receiving.kind === "folder" ? new FolderReceiver(receiving) : links.receiver(receiving, lease);
}
