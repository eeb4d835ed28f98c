import { type Bucket, decodedKey } from "../bucket.ts";

/** A part that was sent, in the form that the completion needs. */
export interface SentPart {
  PartNumber: number;
  ETag: string;
}

/** Begins a multipart upload. @returns its id */
export async function beginUpload(bucket: Bucket, path: string, signal?: AbortSignal): Promise<string> {
  const { UploadId } = await bucket.ask(new bucket.sdk.CreateMultipartUploadCommand(bucket.at(path)), signal);
  if (UploadId === undefined) throw bucket.unexpected("an upload without an id");
  return UploadId;
}

/** Sends a part. @param number from 1 */
export async function sendPart(
  bucket: Bucket,
  upload: { path: string; id: string; number: number },
  Body: Uint8Array,
  signal?: AbortSignal,
): Promise<SentPart> {
  const { id: UploadId, number: PartNumber } = upload;
  const part = { ...bucket.at(upload.path), UploadId, PartNumber, Body };
  const { ETag } = await bucket.ask(new bucket.sdk.UploadPartCommand(part), signal);
  if (ETag === undefined) throw bucket.unexpected("a part without an ETag");
  return { PartNumber, ETag };
}

/**
 * Joins the parts in their order and verifies the size of the object.
 * @throws Error if another worker has aborted the upload
 */
export async function completeUpload(
  bucket: Bucket,
  upload: { path: string; id: string; bytes: number },
  parts: readonly SentPart[],
  signal?: AbortSignal,
): Promise<void> {
  const { path, id: UploadId } = upload;
  const MultipartUpload = { Parts: parts.toSorted((a, b) => a.PartNumber - b.PartNumber) };
  // If an earlier response was lost, the upload is unknown when it is completed again. The object's size tells whether
  // it exists.
  const completed = await bucket.askOnce(
    new bucket.sdk.CompleteMultipartUploadCommand({ ...bucket.at(path), UploadId, MultipartUpload }),
    signal,
  );
  const bytes = await bucket.size(path, signal);
  if (bytes === upload.bytes) return;
  // The upload was not completed, or the object was removed since. The work is tried again.
  if (completed === undefined || bytes === undefined) throw new Error("The upload was aborted by another process");
  throw bucket.unexpected(`an object of ${bytes} bytes for parts of ${upload.bytes}`);
}

export async function abortUpload(bucket: Bucket, path: string, UploadId: string): Promise<void> {
  await bucket.askMaybe(new bucket.sdk.AbortMultipartUploadCommand({ ...bucket.at(path), UploadId }));
}

/** Maximum bytes that one request copies. For many more, the store would be silent for longer than the timeout. */
const COPIED_BYTES = 2 ** 30;

/** Copies an object of any size within the bucket. @param most maximum bytes that one request copies */
export async function copyObject(
  bucket: Bucket,
  { from, to, bytes }: { from: string; to: string; bytes: number },
  most = COPIED_BYTES,
): Promise<void> {
  if (bytes <= most) return bucket.copy(from, to);
  const id = await beginUpload(bucket, to);
  try {
    const sent: SentPart[] = [];
    for (let at = 0; at < bytes; at += most) {
      const part = { UploadId: id, PartNumber: sent.length + 1, CopySource: bucket.sourceOf(from) };
      const CopySourceRange = `bytes=${at}-${Math.min(at + most, bytes) - 1}`;
      const { CopyPartResult } = await bucket.ask(
        new bucket.sdk.UploadPartCopyCommand({ ...bucket.at(to), ...part, CopySourceRange }),
      );
      if (CopyPartResult?.ETag === undefined) throw bucket.unexpected("an invalid response to a copy request");
      sent.push({ PartNumber: part.PartNumber, ETag: CopyPartResult.ETag });
    }
    await completeUpload(bucket, { path: to, id, bytes }, sent);
  } catch (error) {
    await abortUpload(bucket, to, id).catch(() => undefined);
    throw error;
  }
}

/** Aborts uploads below a path, or of exactly this path. */
export async function abortUploads(bucket: Bucket, below: string, match: "below" | "exactly"): Promise<void> {
  const Prefix = bucket.keyOf(below);
  for (let from: { KeyMarker?: string; UploadIdMarker?: string } = {}; ; ) {
    const page = await bucket.ask(
      new bucket.sdk.ListMultipartUploadsCommand({ Bucket: bucket.place.bucket, Prefix, EncodingType: "url", ...from }),
    );
    if (page.Bucket === undefined && page.Uploads === undefined)
      throw bucket.unexpected("a response that is not a listing");
    const decode = page.EncodingType === "url" ? decodedKey : (key: string) => key;
    for (const { Key: key = "", UploadId = "" } of page.Uploads ?? []) {
      const Key = decode(key);
      const isMeant = match === "exactly" ? Key === Prefix : Key.startsWith(Prefix);
      if (isMeant) await abortUpload(bucket, bucket.pathOf(Key), UploadId);
    }
    if (!page.IsTruncated) return;
    if (page.NextKeyMarker === undefined) throw bucket.unexpected("a truncated listing without a continuation token");
    from = {
      KeyMarker: decode(page.NextKeyMarker),
      ...(page.NextUploadIdMarker !== undefined && { UploadIdMarker: page.NextUploadIdMarker }),
    };
  }
}
