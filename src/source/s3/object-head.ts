import { Problem } from "../../domain/problems.ts";
import { sameEtag } from "./etag.ts";
import type { S3Bucket } from "./s3-bucket.ts";

/** The listed facts about an object that its head must repeat. */
interface Listed {
  key: string;
  bytes: number;
  etag: string | null;
}

/**
 * Whether an object exists with this size and ETag.
 * @throws Problem if the server does not say, for example `object_denied`
 */
export async function objectAt(source: S3Bucket, object: Listed, signal: AbortSignal): Promise<boolean> {
  try {
    const head = await requestHead(source, object, signal);
    const isSame = object.etag === null || head.etag === undefined || sameEtag(object.etag, head.etag);
    return isSame && (head.bytes === undefined || head.bytes === object.bytes);
  } catch (error) {
    if (error instanceof Problem && error.code === "object_gone") return false;
    throw error;
  }
}

/** The size and ETag of an object, by HEAD, or by GET of one byte if the server does not answer HEAD. */
async function requestHead(
  source: S3Bucket,
  { key }: Listed,
  signal: AbortSignal,
): Promise<{ bytes: number | undefined; etag: string | undefined }> {
  const request = { operation: "read", key, signal } as const;
  const reply = await source.request({ ...request, method: "HEAD" }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code === "object_gone") throw error;
    return source.request({ ...request, headers: { range: "bytes=0-0" } });
  });
  reply.body.destroy();
  const total = /\/(\d+)$/.exec(reply.headers["content-range"] ?? "")?.[1] ?? reply.headers["content-length"];
  return { bytes: total === undefined ? undefined : Number(total), etag: reply.headers.etag };
}
