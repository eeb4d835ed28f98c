import { createHash } from "node:crypto";
import type { S3Server, StoredObject } from "../../../packages/s3-test-server/src/index.ts";
import type { Api } from "../api/api.ts";
import type { Observation, Reply, SourceObject } from "../invariants/invariants.ts";

/** Records the contents that each key of a bucket had while a test changed it. */
export class SourceTracker {
  readonly #server: S3Server;
  readonly #bucket: string;
  /** Earlier contents of changed keys; empty for a key that did not exist. */
  readonly #before = new Map<string, StoredObject[]>();

  constructor(server: S3Server, bucket: string) {
    this.#server = server;
    this.#bucket = bucket;
  }

  /** Must be called before a key is overwritten, deleted or added. */
  recordChange(key: string): void {
    const held = this.#server.object(this.#bucket, key);
    const before = this.#before.get(key) ?? [];
    this.#before.set(key, held === undefined ? before : [...before, held]);
  }

  /** Returns all objects, with their current and earlier contents. */
  expectedObjects(): Map<string, SourceObject> {
    const objects = new Map<string, SourceObject>();
    for (const key of new Set([...this.#server.keys(this.#bucket), ...this.#before.keys()])) {
      const now = this.#server.object(this.#bucket, key);
      const held = [...(this.#before.get(key) ?? []), ...(now === undefined ? [] : [now])];
      objects.set(key, {
        contents: held.map(({ body }) => ({ bytes: body.size, sha512: digestOf(body.read(0, body.size)) })),
        isUnchanged: !this.#before.has(key),
        offersDigest: now !== undefined && offersDigest(now),
        ...(now !== undefined && headersOf(now)),
      });
    }
    return objects;
  }
}

function headersOf({ options, checksum }: StoredObject): Pick<SourceObject, "userMetadata" | "checksums"> {
  return {
    ...(options.metadata && { userMetadata: options.metadata }),
    ...(options.checksum && checksum !== undefined && { checksums: { [options.checksum]: checksum } }),
  };
}

/** Whether the source states an MD5 as ETag, or a checksum of the whole object. (Only some servers state the part size of multipart uploads.) */
function offersDigest({ options, parts, etag, checksum, checksumType }: StoredObject): boolean {
  if (checksum !== undefined && checksumType === "FULL_OBJECT") return true;
  const isPlain = options.encryption === undefined && options.etag === undefined && parts === undefined;
  return isPlain && /^"[0-9a-f]{32}"$/.test(etag);
}

function digestOf(chunks: Iterable<Buffer>): string {
  const hash = createHash("sha512");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}

/** Sends requests of the invariant checker to the API. */
export function apiReader(api: Api): (path: string) => Promise<Reply> {
  return async (path) => {
    const { status, text, headers } = await api.get(path);
    return { status, text, next: /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] };
  };
}

/** Records the current state of a submission. */
export async function observe(api: Api, id: string): Promise<Observation> {
  const { status, attempt, progress } = await api.submission(id);
  return { id, status, attempt, progress };
}
