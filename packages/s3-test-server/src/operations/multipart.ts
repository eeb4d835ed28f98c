import { randomUUID } from "node:crypto";
import { wholeBody } from "../http/bodies.ts";
import { type ChecksumAlgorithm, checksumAlgorithms, md5 } from "../http/checksums.ts";
import { escapeXml, invalidArgument, S3Error, xmlReply } from "../http/errors.ts";
import { emptyReply, type Reply } from "../http/reply.ts";
import { type Bucket, compareBytes, type Upload } from "../store.ts";
import type { Call } from "./call.ts";
import { checkWriteConditions, copySource, putOptions } from "./objects.ts";

const smallestPart = 5 * 1024 * 1024;

/** CreateMultipartUpload. */
export function createUpload(call: Call, bucket: Bucket): Reply {
  const { request, store } = call;
  const options = putOptions(call);
  const algorithm = String(request.headers["x-amz-checksum-algorithm"] ?? "").toLowerCase();
  if (isChecksum(algorithm)) options.checksum = algorithm;
  if (request.headers["x-amz-checksum-type"] === "FULL_OBJECT") options.checksumType = "FULL_OBJECT";
  const id = randomUUID();
  bucket.uploads.set(id, { id, key: request.key, options, startedAt: store.now(), parts: new Map() });
  return xmlReply(
    "InitiateMultipartUploadResult",
    `<Bucket>${bucket.name}</Bucket><Key>${escapeXml(request.key)}</Key><UploadId>${id}</UploadId>`,
  );
}

/** UploadPart. A repeated number replaces the part. */
export function uploadPart(call: Call, bucket: Bucket): Reply {
  const { etag } = addPart(call, bucket, call.payload.bytes);
  return emptyReply(200, { etag });
}

/** UploadPartCopy: a part that is a range of another object, or the whole object. */
export function copyPart(call: Call, bucket: Bucket): Reply {
  const source = copySource(call);
  const range = String(call.request.headers["x-amz-copy-source-range"] ?? "");
  const [, first = "0", last = String(source.body.size - 1)] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  if (Number(last) >= source.body.size) throw invalidArgument("x-amz-copy-source-range", range);
  const { etag } = addPart(call, bucket, wholeBody(source.body, Number(first), Number(last) + 1));
  return xmlReply("CopyPartResult", `<ETag>${escapeXml(etag)}</ETag>`);
}

function addPart(call: Call, bucket: Bucket, bytes: Buffer): { etag: string } {
  const upload = uploadOf(call, bucket);
  const text = call.request.query.get("partNumber") ?? "";
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number < 1 || number > 10_000) throw invalidArgument("partNumber", text);
  const etag = `"${md5([bytes]).toString("hex")}"`;
  upload.parts.set(number, { bytes, etag });
  return { etag };
}

/** CompleteMultipartUpload: joins the named parts in the order of their numbers. */
export function completeUpload(call: Call, bucket: Bucket): Reply {
  const upload = uploadOf(call, bucket);
  checkWriteConditions(call, bucket);
  const chosen = namedParts(call.payload.bytes.toString());
  const parts = chosen.map(({ number, etag }, index) => {
    const part = upload.parts.get(number);
    if (part === undefined || part.etag.replaceAll('"', "") !== etag) {
      throw new S3Error(400, "InvalidPart", "One or more of the specified parts could not be found.");
    }
    if (index > 0 && number <= (chosen[index - 1]?.number ?? 0)) {
      throw new S3Error(400, "InvalidPartOrder", "The list of parts was not in ascending order.");
    }
    if (index < chosen.length - 1 && part.bytes.length < smallestPart) {
      throw new S3Error(400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size");
    }
    return part.bytes;
  });
  const options = { ...upload.options, partSizes: parts.map((part) => part.length) };
  const object = call.store.put(bucket.name, upload.key, Buffer.concat(parts), options);
  bucket.uploads.delete(upload.id);
  return xmlReply(
    "CompleteMultipartUploadResult",
    `<Bucket>${bucket.name}</Bucket><Key>${escapeXml(upload.key)}</Key><ETag>${escapeXml(object.etag)}</ETag>`,
  );
}

/** AbortMultipartUpload. */
export function abortUpload(call: Call, bucket: Bucket): Reply {
  bucket.uploads.delete(uploadOf(call, bucket).id);
  return emptyReply(204);
}

/** ListMultipartUploads: by key and then by upload, page by page. */
export function listUploads(call: Call, bucket: Bucket): Reply {
  const { query } = call.request;
  const prefix = query.get("prefix") ?? "";
  const marker = { key: query.get("key-marker") ?? "", id: query.get("upload-id-marker") ?? "" };
  const most = Math.min(1_000, Number(query.get("max-uploads") ?? 1_000), call.quirks.pageLimit ?? 1_000);
  const isUrl = query.get("encoding-type") === "url" && !call.quirks.ignoresEncodingType;
  const show = (key: string) => (isUrl ? encodeURIComponent(key) : escapeXml(key));
  const all = [...bucket.uploads.values()]
    .filter(({ key }) => key.startsWith(prefix))
    .sort((a, b) => compareBytes(a.key, b.key) || compareBytes(a.id, b.id))
    .filter(({ key, id }) => {
      const order = compareBytes(key, marker.key);
      return order > 0 || (order === 0 && marker.id !== "" && compareBytes(id, marker.id) > 0);
    });
  const page = all.slice(0, most);
  const last = page.at(-1);
  let xml = `<Bucket>${bucket.name}</Bucket>`;
  if (isUrl) xml += "<EncodingType>url</EncodingType>";
  if (all.length > page.length && last !== undefined) {
    xml += `<IsTruncated>true</IsTruncated><NextKeyMarker>${show(last.key)}</NextKeyMarker><NextUploadIdMarker>${last.id}</NextUploadIdMarker>`;
  } else xml += "<IsTruncated>false</IsTruncated>";
  for (const { id, key, startedAt } of page) {
    xml += `<Upload><Key>${show(key)}</Key><UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`;
  }
  return xmlReply("ListMultipartUploadsResult", xml);
}

function uploadOf(call: Call, bucket: Bucket): Upload {
  const upload = bucket.uploads.get(call.request.query.get("uploadId") ?? "");
  if (upload === undefined || upload.key !== call.request.key) {
    throw new S3Error(404, "NoSuchUpload", "The specified multipart upload does not exist.");
  }
  return upload;
}

function namedParts(xml: string): { number: number; etag: string }[] {
  const parts = Array.from(xml.matchAll(/<Part>(.*?)<\/Part>/gs), ([, part = ""]) => ({
    number: Number(/<PartNumber>\s*(\d+)\s*</.exec(part)?.[1]),
    etag: (/<ETag>\s*(.*?)\s*<\/ETag>/s.exec(part)?.[1] ?? "").replaceAll(/&quot;|&#34;|"/g, ""),
  }));
  if (parts.length === 0) throw new S3Error(400, "MalformedXML", "The XML you provided names no parts.");
  return parts;
}

function isChecksum(name: string): name is ChecksumAlgorithm {
  return (checksumAlgorithms as readonly string[]).includes(name);
}
