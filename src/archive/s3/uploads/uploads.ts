import { type Bucket, decodedKey } from "../bucket.ts";

/** A part that was sent, as the completion names it. */
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
 * Makes the parts, in their order, one object; it then has so many bytes.
 * @throws Error when somebody has aborted the upload
 */
export async function completeUpload(
  bucket: Bucket,
  upload: { path: string; id: string; bytes: number },
  parts: readonly SentPart[],
  signal?: AbortSignal,
): Promise<void> {
  const { path, id: UploadId } = upload;
  const MultipartUpload = { Parts: parts.toSorted((a, b) => a.PartNumber - b.PartNumber) };
  // Asked for again after an answer that was lost, it is done and unknown: the size tells.
  const completed = await bucket.askOnce(
    new bucket.sdk.CompleteMultipartUploadCommand({ ...bucket.at(path), UploadId, MultipartUpload }),
    signal,
  );
  const bytes = await bucket.size(path, signal);
  if (bytes === upload.bytes) return;
  // Then it was not done after all, or the object was removed since: the work is tried again.
  if (completed === undefined || bytes === undefined) throw new Error("An upload was aborted by somebody else");
  throw bucket.unexpected(`an object of ${bytes} bytes for parts of ${upload.bytes}`);
}

export async function abortUpload(bucket: Bucket, path: string, UploadId: string): Promise<void> {
  await bucket.askMaybe(new bucket.sdk.AbortMultipartUploadCommand({ ...bucket.at(path), UploadId }));
}

/** The most that one request copies: much more, and the store is silent for longer than is waited for it. */
const COPIED_BYTES = 2 ** 30;

/** Copies an object of any size within the bucket. @param most bytes that one request copies */
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
      if (CopyPartResult?.ETag === undefined) throw bucket.unexpected("an answer that is no copy’s");
      sent.push({ PartNumber: part.PartNumber, ETag: CopyPartResult.ETag });
    }
    await completeUpload(bucket, { path: to, id, bytes }, sent);
  } catch (error) {
    await abortUpload(bucket, to, id).catch(() => undefined);
    throw error;
  }
}

/** Aborts what is under way below a path, or of this very path. */
export async function abortUploads(bucket: Bucket, below: string, match: "below" | "exactly"): Promise<void> {
  const Prefix = bucket.keyOf(below);
  for (let from: { KeyMarker?: string; UploadIdMarker?: string } = {}; ; ) {
    const page = await bucket.ask(
      new bucket.sdk.ListMultipartUploadsCommand({ Bucket: bucket.place.bucket, Prefix, EncodingType: "url", ...from }),
    );
    if (page.Bucket === undefined && page.Uploads === undefined)
      throw bucket.unexpected("an answer that is no listing");
    const decode = page.EncodingType === "url" ? decodedKey : (key: string) => key;
    for (const { Key: key = "", UploadId = "" } of page.Uploads ?? []) {
      const Key = decode(key);
      const isMeant = match === "exactly" ? Key === Prefix : Key.startsWith(Prefix);
      if (isMeant) await abortUpload(bucket, bucket.pathOf(Key), UploadId);
    }
    if (!page.IsTruncated) return;
    if (page.NextKeyMarker === undefined) throw bucket.unexpected("a listing that ends in the middle");
    from = {
      KeyMarker: decode(page.NextKeyMarker),
      ...(page.NextUploadIdMarker !== undefined && { UploadIdMarker: page.NextUploadIdMarker }),
    };
  }
}
