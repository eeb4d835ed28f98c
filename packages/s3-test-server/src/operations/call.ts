import type { Quirks } from "../faults/quirks.ts";
import type { Payload } from "../http/payload.ts";
import type { RawRequest } from "../http/raw-request.ts";
import type { Reply } from "../http/reply.ts";
import type { Bucket, Store } from "../store.ts";
import type { Operation } from "./operations.ts";

/** A request that is authenticated, allowed and wholly read: what a handler works on. */
export interface Call {
  readonly request: RawRequest;
  readonly store: Store;
  readonly payload: Payload;
  readonly quirks: Quirks;
  /** Whether the caller might do something else, too. */
  may(operation: Operation, bucket: string, key: string): boolean;
}

/** Answers one operation; throws S3Error. */
export type Handler = (call: Call) => Reply;

/** Answers one operation on an existing bucket. */
export type BucketHandler = (call: Call, bucket: Bucket) => Reply;
