import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "../submission/problems.ts";
import { DigestsInPassing, multipartEtag, type Verdict } from "./digests.ts";
import { explainFailure, plain } from "./errors.ts";
import type { ListedObject } from "./listing.ts";
import { pauseMs, withRetries } from "./retry.ts";
import type { Source, SourceReply } from "./source.ts";

/** What came along with an object's bytes. */
export interface Came {
  versionId?: string;
  contentType?: string;
  contentEncoding?: string;
  userMetadata?: Record<string, string>;
  checksums?: Record<string, string>;
}

export interface ReadResult {
  verdict: Verdict;
  came: Came;
}

/** Takes the bytes in order; resolves when it wants more. `begin` is called again when a read starts over. */
export interface Sink {
  begin(): Promise<void>;
  write(chunk: Uint8Array): Promise<void> | void;
  /** Reads back what was written since `begin`, for part sizes that were not tried in passing. */
  readBack(): AsyncIterable<Uint8Array>;
}

/** Times that a body may break off in a row without a single new byte. */
const BREAKS_WITHOUT_PROGRESS = 4;

/**
 * Reads one object as it was listed: every request carries If-Match, the bytes are as many as were listed, and every
 * digest that the source offers is compared. A body that breaks off is taken up at the byte where it broke.
 * A digest that does not match is reported in the verdict, not thrown.
 *
 * @throws Problem about the object (`object_…`), or about the way to the source
 */
export async function readObject(
  source: Source,
  object: ListedObject,
  sink: Sink,
  signal: AbortSignal,
): Promise<ReadResult> {
  // Without a precondition the rest might be another object's: such a read starts over instead of going on.
  if (isConditional(object)) return readOnce(source, object, sink, signal);
  return withRetries(signal, () => readOnce(source, object, sink, signal));
}

async function readOnce(source: Source, object: ListedObject, sink: Sink, signal: AbortSignal): Promise<ReadResult> {
  const partBytes = await partSize(source, object, signal);
  const reply = await withRetries(signal, () => get(source, object, 0, signal));
  const digests = new DigestsInPassing({ headers: reply.headers, etag: object.etag, bytes: object.bytes, partBytes });
  await sink.begin();
  await drain(source, object, reply, signal, async (chunk) => {
    digests.update(chunk);
    await sink.write(chunk);
  });
  const verdict = await digests.finish();
  return { verdict: await tryOtherPartSizes(digests, verdict, sink), came: whatCame(reply.headers) };
}

async function drain(
  source: Source,
  object: ListedObject,
  first: SourceReply,
  signal: AbortSignal,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  let at = 0;
  let breaks = 0;
  for (let reply = first; ; ) {
    const before = at;
    let known = reply.status === 206 ? 0 : at;
    const broken = await copy(reply, source, signal, async (all) => {
      // A server that does not know ranges sends again what is already here.
      const chunk = all.subarray(known);
      known -= all.length - chunk.length;
      at += chunk.length;
      if (at > object.bytes) throw wrongLength(object, `more than the ${object.bytes} bytes that were listed`);
      await take(chunk);
    });
    if (at === object.bytes) return;
    breaks = at > before ? 1 : breaks + 1;
    if (broken === undefined && !announcesLength(reply)) {
      throw wrongLength(object, `${at} of the ${object.bytes} bytes that were listed`);
    }
    if (breaks > BREAKS_WITHOUT_PROGRESS || !isConditional(object))
      throw broken ?? wrongLength(object, `${at} of ${object.bytes} bytes`);
    await sleep(pauseMs(breaks), undefined, { signal });
    reply = await withRetries(signal, () => get(source, object, at, signal));
  }
}

/** Copies a body; gives the Problem when the network broke it off. What the taker throws is thrown. */
async function copy(
  reply: SourceReply,
  source: Source,
  signal: AbortSignal,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<Problem | undefined> {
  let ours: unknown;
  try {
    for await (const chunk of reply.body) {
      try {
        await take(chunk);
      } catch (error) {
        ours = error;
        throw error;
      }
    }
    return undefined;
  } catch (error) {
    reply.body.destroy();
    signal.throwIfAborted();
    if (ours !== undefined) throw ours;
    return explainFailure(error, source.origin);
  }
}

async function get(source: Source, object: ListedObject, from: number, signal: AbortSignal): Promise<SourceReply> {
  const reply = await source.request({
    operation: "read",
    key: object.key,
    headers: {
      "x-amz-checksum-mode": "ENABLED",
      ...ifMatch(object),
      ...(from > 0 && { range: `bytes=${from}-` }),
    },
    signal,
  });
  try {
    checkReply(object, reply, from);
  } catch (error) {
    reply.body.destroy();
    throw error;
  }
  return reply;
}

/** A server that does not know If-Match still says which ETag it sends. */
function checkReply(object: ListedObject, reply: SourceReply, from: number): void {
  const etag = reply.headers.etag;
  if (object.etag !== null && etag !== undefined && bare(etag) !== bare(object.etag)) {
    throw new Problem("object_changed", `“${plain(object.key)}” was overwritten after it was listed`);
  }
  const start = reply.status === 206 ? from : 0;
  if (start > 0 && !reply.headers["content-range"]?.startsWith(`bytes ${start}-`)) {
    throw new Problem("object_unreadable", `The server does not send “${plain(object.key)}” from byte ${start} on`);
  }
  const length = reply.headers["content-length"];
  if (length !== undefined && Number(length) !== object.bytes - start) {
    throw wrongLength(object, `${Number(length) + start} bytes instead of the ${object.bytes} that were listed`);
  }
}

function announcesLength(reply: SourceReply): boolean {
  return reply.headers["content-length"] !== undefined;
}

function isConditional(object: ListedObject): boolean {
  return ifMatch(object)["if-match"] !== undefined;
}

/**
 * If-Match compares strongly (RFC 9110, section 13.1.1): a weak ETag would never match. Some servers list ETags without
 * their quotes; what cannot stand in a header is left out, the reply's own ETag is compared as well.
 */
export function ifMatch(object: Pick<ListedObject, "etag">): Record<string, string> {
  const etag = object.etag === null || object.etag.startsWith("W/") ? "" : bare(object.etag);
  return /^[\x21\x23-\x7e]+$/.test(etag) ? { "if-match": `"${etag}"` } : {};
}

function bare(etag: string): string {
  return etag.replace(/^W\//, "").replace(/^"|"$/g, "");
}

function wrongLength(object: ListedObject, what: string): Problem {
  return new Problem("object_length_wrong", `The server sends “${plain(object.key)}” with ${what}`);
}

/** Asks for the size of the first part of a multipart upload; many servers do not tell. */
async function partSize(source: Source, object: ListedObject, signal: AbortSignal): Promise<number | undefined> {
  const multipart = multipartEtag(object.etag);
  if (multipart === undefined || multipart.parts === 1) return undefined;
  try {
    const { headers, body } = await withRetries(signal, () =>
      source.request({
        operation: "read",
        method: "HEAD",
        key: object.key,
        query: [["partNumber", "1"]],
        headers: ifMatch(object),
        signal,
      }),
    );
    body.destroy();
    const bytes = Number(headers["content-length"]);
    return Math.ceil(object.bytes / bytes) === multipart.parts ? bytes : undefined;
  } catch (error) {
    // A server without partNumber refuses; if the object itself is the matter, reading it will say so better.
    if (error instanceof Problem && !error.retryable) return undefined;
    throw error;
  }
}

async function tryOtherPartSizes(digests: DigestsInPassing, verdict: Verdict, sink: Sink): Promise<Verdict> {
  if (verdict.verifiedBy !== "length") return verdict;
  for (const size of digests.untried) {
    const digest = digests.retryWith(size);
    for await (const chunk of sink.readBack()) digest.update(chunk);
    if (await digest.matches()) return { ...verdict, verifiedBy: "md5-parts", verifiedWith: "md5" };
  }
  return verdict;
}

function whatCame(headers: Readonly<Record<string, string>>): Came {
  const prefixed = (prefix: string) =>
    Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, value]) => [name.slice(prefix.length), value] as const),
    );
  const userMetadata = prefixed("x-amz-meta-");
  const { type: _, ...checksums } = prefixed("x-amz-checksum-");
  return {
    ...(headers["x-amz-version-id"] !== undefined && { versionId: headers["x-amz-version-id"] }),
    ...(headers["content-type"] !== undefined && { contentType: headers["content-type"] }),
    ...(headers["content-encoding"] !== undefined && { contentEncoding: headers["content-encoding"] }),
    ...(Object.keys(userMetadata).length > 0 && { userMetadata }),
    ...(Object.keys(checksums).length > 0 && { checksums }),
  };
}
