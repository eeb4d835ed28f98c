import type { Quirks } from "../faults/quirks.ts";
import type { Payload } from "../http/payload.ts";
import type { RawRequest } from "../http/raw-request.ts";
import type { Reply } from "../http/reply.ts";
import type { Bucket, Store } from "../store.ts";
import type { Operation } from "./operations.ts";

/** A request that is authenticated, authorised and completely read; the input of handlers. */
export interface Call {
  readonly request: RawRequest;
  readonly store: Store;
  readonly payload: Payload;
  readonly quirks: Quirks;
  /** Whether the caller has permission for another operation. */
  may(operation: Operation, bucket: string, key: string): boolean;
}

/** Answers one operation. Throws S3Error. */
export type Handler = (call: Call) => Reply;

/** Answers one operation on an existing bucket. */
export type BucketHandler = (call: Call, bucket: Bucket) => Reply;
