import { escapeXml, S3Error, xmlReply } from "../http/errors.ts";
import { emptyReply, type Reply } from "../http/reply.ts";
import type { Bucket } from "../store.ts";
import type { Call } from "./call.ts";

/** ListBuckets: the buckets that the caller may list. */
export function listBuckets(call: Call): Reply {
  let xml = "<Owner><ID>test</ID></Owner><Buckets>";
  const names = [...call.store.buckets.keys()].sort().filter((name) => call.may("list", name, ""));
  for (const name of names) {
    const created = call.store.bucket(name).createdAt.toISOString();
    xml += `<Bucket><Name>${escapeXml(name)}</Name><CreationDate>${created}</CreationDate></Bucket>`;
  }
  return xmlReply("ListAllMyBucketsResult", `${xml}</Buckets>`);
}

/** CreateBucket, with the region of an optional LocationConstraint. */
export function createBucket(call: Call): Reply {
  const { bucket } = call.request;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new S3Error(400, "InvalidBucketName", "The specified bucket is not valid.", {
      fields: { BucketName: bucket },
    });
  }
  const region = /<LocationConstraint[^>]*>([^<]+)</.exec(call.payload.bytes.toString())?.[1];
  call.store.createBucket(bucket, region === undefined ? {} : { region });
  return emptyReply(200, { location: `/${bucket}` });
}

/** HeadBucket. */
export function headBucket(): Reply {
  return emptyReply(200);
}

/** DeleteBucket, for empty buckets only. */
export function deleteBucket(call: Call, bucket: Bucket): Reply {
  if (bucket.size > 0) throw new S3Error(409, "BucketNotEmpty", "The bucket you tried to delete is not empty");
  call.store.buckets.delete(bucket.name);
  return emptyReply(204);
}

/** GetBucketLocation. us-east-1 is represented by an empty text. */
export function bucketLocation(_call: Call, bucket: Bucket): Reply {
  return xmlReply("LocationConstraint", bucket.region === "us-east-1" ? "" : escapeXml(bucket.region));
}
