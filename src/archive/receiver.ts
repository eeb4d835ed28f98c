import { FolderReceiver, type FolderReceiving } from "./folder/receiver.ts";
import type { Lease } from "./lease.ts";
import type { S3Links } from "./s3/links.ts";
import type { S3Receiver, S3Receiving } from "./s3/receiver.ts";

/** Where an attempt's content is received: plain data, so that it can be sent to the thread that receives. */
export type Receiving = FolderReceiving | S3Receiving;

/**
 * Takes content of one attempt in. What counts is what is recorded: a place that is not counts for nothing, whatever
 * lies there.
 */
export type Receiver = FolderReceiver | S3Receiver;

/**
 * Makes the receiver of an attempt.
 * @param links this thread's way to the object store
 * @param lease without which nothing is written there
 */
export function openReceiver(receiving: Receiving, links: S3Links, lease: Lease): Receiver | Promise<Receiver> {
  return receiving.kind === "folder" ? new FolderReceiver(receiving) : links.receiver(receiving, lease);
}
