import { S3Error } from "../http/errors.ts";
import type { RawRequest } from "../http/raw-request.ts";

/** The operation of a request, in the terms of rights, faults and the history. */
export type Operation =
  | "listBuckets"
  | "createBucket"
  | "deleteBucket"
  | "headBucket"
  | "location"
  | "list"
  | "listUploads"
  | "get"
  | "head"
  | "put"
  | "delete"
  | "deleteMany"
  | "copy"
  | "copyPart"
  | "createUpload"
  | "uploadPart"
  | "completeUpload"
  | "abortUpload"
  | "unknown";

/** The operation of a request; `unknown` for operations that this server does not support. */
export function operationOf(request: RawRequest): Operation {
  const { method, bucket, key, query } = request;
  if (bucket === "") return method === "GET" ? "listBuckets" : "unknown";
  return key === "" ? bucketOperation(method, query) : objectOperation(method, query, request);
}

/** 501 for an operation that this server does not support. */
export function notImplemented(): S3Error {
  return new S3Error(501, "NotImplemented", "A header or query you provided implies functionality not implemented.");
}

/** Sub-resources that this server does not support. Without the table they would count as a listing. */
const foreignBucketQueries = ["acl", "policy", "versions", "versioning", "tagging", "cors", "lifecycle", "encryption"];

function bucketOperation(method: string, query: ReadonlyMap<string, string>): Operation {
  if (foreignBucketQueries.some((name) => query.has(name))) return "unknown";
  switch (method) {
    case "GET":
      if (query.has("location")) return "location";
      return query.has("uploads") ? "listUploads" : "list";
    case "HEAD":
      return "headBucket";
    case "PUT":
      return "createBucket";
    case "DELETE":
      return "deleteBucket";
    case "POST":
      return query.has("delete") ? "deleteMany" : "unknown";
    default:
      return "unknown";
  }
}

function objectOperation(method: string, query: ReadonlyMap<string, string>, request: RawRequest): Operation {
  if (query.has("acl") || query.has("tagging")) return "unknown";
  const upload = query.has("uploadId");
  if (request.headers["x-amz-copy-source"] !== undefined) {
    if (method !== "PUT") return "unknown";
    return upload ? "copyPart" : "copy";
  }
  switch (method) {
    case "GET":
      return upload ? "unknown" : "get";
    case "HEAD":
      return "head";
    case "PUT":
      return upload ? "uploadPart" : "put";
    case "DELETE":
      return upload ? "abortUpload" : "delete";
    case "POST":
      if (query.has("uploads")) return "createUpload";
      return upload ? "completeUpload" : "unknown";
    default:
      return "unknown";
  }
}
