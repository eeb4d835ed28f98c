import type { IncomingMessage } from "node:http";
import type { FaultRegistry } from "../faults/fault-registry.ts";
import type { Quirks } from "../faults/quirks.ts";
import { accessDenied, S3Error } from "../http/errors.ts";
import type { RequestRecord } from "../http/history.ts";
import { emptyPayload, type Payload, readPayload } from "../http/payload.ts";
import type { Addressing, RawRequest } from "../http/raw-request.ts";
import type { Reply } from "../http/reply.ts";
import { type Account, type Signed, verifySignature } from "../http/signature.ts";
import type { Bucket, Store } from "../store.ts";
import { bucketLocation, createBucket, deleteBucket, headBucket, listBuckets } from "./buckets.ts";
import type { BucketHandler, Call, Handler } from "./call.ts";
import { listObjects } from "./listing.ts";
import { abortUpload, completeUpload, copyPart, createUpload, listUploads, uploadPart } from "./multipart.ts";
import { copyObject, deleteObject, deleteObjects, putObject, readObject } from "./objects.ts";
import { notImplemented, type Operation } from "./operations.ts";

/** The data of the server that requests need. */
export interface Service {
  readonly store: Store;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly quirks: Quirks;
  /** Answers 301 for buckets of other regions; by default the server serves them all. */
  readonly redirectRegions: boolean;
  readonly faults: FaultRegistry;
  readonly addressing: Addressing;
  readonly domains: readonly string[];
  /** Aborted when the server closes. */
  readonly stopped: AbortSignal;
  record(record: RequestRecord): void;
}

const serviceHandlers: Partial<Record<Operation, Handler>> = { listBuckets, createBucket };

const bucketHandlers: Partial<Record<Operation, BucketHandler>> = {
  headBucket,
  deleteBucket,
  location: bucketLocation,
  list: listObjects,
  listUploads,
  get: readObject,
  head: readObject,
  put: putObject,
  delete: deleteObject,
  deleteMany: deleteObjects,
  copy: copyObject,
  copyPart,
  createUpload,
  uploadPart,
  completeUpload,
  abortUpload,
};

/** The operations that anonymous callers may use on a public bucket. */
const publicOperations: readonly Operation[] = ["list", "get", "head", "headBucket", "location"];

/** Authenticates, authorises and answers one request. Throws S3Error in the order of S3's checks. */
export async function answer(
  service: Service,
  incoming: IncomingMessage,
  request: RawRequest,
  operation: Operation,
): Promise<Reply> {
  const { store } = service;
  refuseParts(request, service.quirks);
  const bucket = store.buckets.get(request.bucket);
  if (bucket !== undefined && service.redirectRegions && bucket.region !== store.region)
    throw elsewhere(service, bucket);
  const signed = verifySignature(request, service.accounts, bucket?.region ?? store.region, store.now());
  const payload = await payloadOf(incoming, request, signed);
  const call: Call = {
    request,
    store,
    payload,
    quirks: service.quirks,
    may: (what, name, key) => allowed(signed, store.buckets.get(name), what, name, key),
  };
  const serviceHandler = serviceHandlers[operation];
  if (serviceHandler !== undefined) {
    if (!call.may(operation, request.bucket, "")) throw accessDenied();
    return serviceHandler(call);
  }
  const bucketHandler = bucketHandlers[operation];
  if (bucketHandler === undefined) throw notImplemented();
  const existing = bucket ?? store.bucket(request.bucket);
  if (!call.may(operation, request.bucket, request.key)) throw accessDenied();
  if (existing.options.requesterPays && request.headers["x-amz-request-payer"] !== "requester") throw accessDenied();
  return bucketHandler(call, existing);
}

/** Quirks: the server does not support a header or a query parameter. */
function refuseParts({ headers, query, key }: RawRequest, quirks: Quirks): void {
  const part = quirks.refusedParts?.find((name) => headers[name] !== undefined || query.has(name));
  if (part !== undefined) {
    const message = `A header or parameter you provided (${part}) is not implemented.`;
    throw new S3Error(quirks.refusedStatus ?? 501, quirks.refusedCode ?? "NotImplemented", message);
  }
  if (quirks.ifMatchNeverMatches && key !== "" && headers["if-match"] !== undefined) {
    throw new S3Error(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
  }
}

function payloadOf(
  incoming: IncomingMessage,
  request: RawRequest,
  signed: Signed | undefined,
): Payload | Promise<Payload> {
  if (request.method === "GET" || request.method === "HEAD") {
    return emptyPayload(request.headers["x-amz-content-sha256"]);
  }
  return readPayload(incoming, signed);
}

function allowed(
  signed: Signed | undefined,
  bucket: Bucket | undefined,
  operation: Operation,
  name: string,
  key: string,
): boolean {
  if (bucket?.options.public && publicOperations.includes(operation)) return true;
  if (signed === undefined) return false;
  return signed.account.rights?.(operation, name, key) ?? true;
}

function elsewhere(service: Service, bucket: Bucket): S3Error {
  const message =
    "The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint.";
  const endpoint = `${bucket.name}.s3.${bucket.region}.${service.domains[0] ?? "localhost"}`;
  return new S3Error(301, "PermanentRedirect", message, { fields: { Endpoint: endpoint, Bucket: bucket.name } });
}
