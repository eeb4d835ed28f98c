import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  type Fault,
  type FaultMatch,
  generate,
  type PutOptions,
  type S3Server,
} from "../../../../packages/s3-test-server/src/index.ts";
import {
  BUCKET,
  neverAborted,
  problemOf,
  putListed,
  sourceOfTest,
} from "../../../../tests/support/data-source/source.ts";
import { type DigestResult, type StatedDigests, StreamingDigests } from "../../reading/digests.ts";
import type { Destination, ListedObject, ReadResult } from "../../source.ts";
import { listPage } from "../listing/listing.ts";
import type { S3Bucket } from "../s3-bucket.ts";
import { AdaptiveConcurrency } from "./adaptive-concurrency.ts";
import { readObject } from "./read-object.ts";

// Pauses between tries are tested in retry.test.ts. Here they only take time.
vi.mock("node:timers/promises", async (original) => {
  const real = await original<typeof import("node:timers/promises")>();
  return { ...real, setTimeout: ((ms, ...rest) => real.setTimeout((ms ?? 0) / 50, ...rest)) as typeof real.setTimeout };
});

const RANGE = 10_000;
const content = Buffer.from(Array.from({ length: 205_000 }, (_, i) => (i * 7 + (i >> 8)) & 255));

let server: S3Server;
let source: S3Bucket;

beforeEach(async () => {
  ({ server, source } = await sourceOfTest());
});

/** Stores bytes at their positions, and verifies that reported positions are complete. */
class Places implements Destination {
  kept = 0;
  readonly bytes = Buffer.alloc(content.length);
  readonly told: number[] = [];
  /** Maximum distance of received bytes after the first missing one. */
  farthest = 0;
  #offers: StatedDigests | undefined;

  begin(offers: StatedDigests): void {
    this.#offers = offers;
  }

  write(at: number, chunk: Uint8Array): void {
    this.bytes.set(chunk, at);
    this.farthest = Math.max(this.farthest, at + chunk.length - (this.told.at(-1) ?? 0));
  }

  reached(place: number): void {
    // All bytes before this position must be present.
    expect(this.bytes.subarray(0, place).equals(content.subarray(0, place))).toBe(true);
    this.told.push(place);
  }

  verdict(): Promise<DigestResult> {
    const digests = new StreamingDigests(this.#offers ?? { headers: {}, etag: null, bytes: 0 });
    digests.update(this.bytes);
    return digests.finish(() => [this.bytes]);
  }
}

const put = (bytes: Buffer = content, options: PutOptions = {}) => putListed(server, "k", bytes, options);

const fault = (what: Fault, match: FaultMatch = {}) =>
  server.addFault({ match: { operation: "get", ...match }, fault: what });

const read = (object: ListedObject, places = new Places()): Promise<ReadResult> =>
  readObject({ source, object, signal: neverAborted, pace: new AdaptiveConcurrency(8), owner: "test" }, places, RANGE);

const gets = () => server.history.filter(({ operation }) => operation === "get");
const ranges = () => gets().map(({ headers }) => headers.range);

describe("a large object", () => {
  test("is read in ranges that all belong to the listed object", async () => {
    const object = put();
    const places = new Places();
    const { verdict } = await read(object, places);
    expect(places.bytes.equals(content)).toBe(true);
    expect(places.told.at(-1)).toBe(content.length);
    expect(verdict).toMatchObject({ sha512: createHash("sha512").update(content).digest("hex"), verifiedBy: "md5" });
    const wanted = Array.from({ length: 21 }, (_, i) => `bytes=${i * RANGE}-${i === 20 ? "" : (i + 1) * RANGE - 1}`);
    expect(ranges().sort()).toEqual(wanted.sort());
    expect(gets().every(({ headers }) => headers["if-match"] === object.etag)).toBe(true);
  });

  test("is compared with the checksum of the whole object, which responses to ranges do not contain", async () => {
    const { verdict, responseMetadata } = await read(
      put(content, { checksum: "crc64nvme", etag: "opaque", contentType: "text/x" }),
    );
    expect(verdict).toMatchObject({ verifiedBy: "checksum", verifiedWith: "crc64nvme" });
    expect(responseMetadata.contentType).toBe("text/x");
    expect(responseMetadata.checksums).toHaveProperty("crc64nvme");
  });

  test("is read if HEAD is refused", async () => {
    fault({ status: 405, code: "MethodNotAllowed" }, { operation: "head" });
    const { verdict, responseMetadata } = await read(put(content, { contentType: "text/x" }));
    expect(verdict.verifiedBy).toBe("md5");
    expect(responseMetadata.contentType).toBe("text/x");
  });

  test("continues where an earlier try stopped", async () => {
    const places = new Places();
    content.copy(places.bytes, 0, 0, 123_456);
    places.kept = 123_456;
    const { verdict } = await read(put(), places);
    expect(verdict.verifiedBy).toBe("md5");
    expect(ranges().every((range) => Number(/\d+/.exec(range ?? "")?.[0]) >= 123_456)).toBe(true);
    const whole = new Places();
    content.copy(whole.bytes);
    whole.kept = content.length;
    server.clearHistory();
    expect((await read(put(), whole)).verdict.verifiedBy).toBe("md5");
    expect(gets()).toEqual([]);
  });

  test("of 5 TiB has correct offsets, far above 2^32", async () => {
    const size = 5 * 2 ** 40;
    server.put(BUCKET, "huge", { seed: "huge", size }, { etag: "opaque" });
    const [listed] = (await listPage(source, { signal: neverAborted })).objects;
    const kept = size - 25_000;
    const wanted = Buffer.concat([...generate("huge", kept, size)]);
    const tail = Buffer.alloc(25_000);
    const reached: number[] = [];
    await readObject(
      { source, object: listed as ListedObject, signal: neverAborted, pace: new AdaptiveConcurrency(8), owner: "test" },
      {
        kept,
        begin: () => undefined,
        write: (at, chunk) => tail.set(chunk, at - kept),
        reached: (place) => reached.push(place),
        verdict: async () => ({ sha512: "", verifiedBy: "length", verifiedWith: "length" }),
      },
      RANGE,
    );
    expect(tail.equals(wanted)).toBe(true);
    expect(reached.at(-1)).toBe(size);
    expect(ranges()).toContain(`bytes=${kept}-${kept + RANGE - 1}`);
  });

  test("is read with one request from a server without ranges", async () => {
    fault({ status: 200, body: content, contentType: "text/plain" });
    const places = new Places();
    expect((await read(put(), places)).verdict.verifiedBy).toBe("md5");
    expect(gets()).toHaveLength(1);
  });

  test("without an ETag for a precondition is read with one request", async () => {
    fault({ headers: { etag: "" } });
    await read({ ...put(), etag: null });
    expect(ranges()).toEqual([undefined]);
  });

  test("never exceeds its window while the first range is slow", async () => {
    fault({ delay: 300 }, { nth: 2 });
    const places = new Places();
    await read(put(), places);
    expect(places.bytes.equals(content)).toBe(true);
    expect(places.farthest).toBeLessThanOrEqual(17 * RANGE);
  });
});

describe("a range", () => {
  test("that is interrupted resumes at the missing byte", async () => {
    fault({ cutAfter: 4_000 }, { nth: 3 });
    const places = new Places();
    await read(put(), places);
    expect(places.bytes.equals(content)).toBe(true);
    expect(ranges()).toHaveLength(22);
    expect(ranges().some((range) => /^bytes=\d+4000-/.test(range ?? ""))).toBe(true);
  });

  test.each<[string, Fault]>([
    ["object_changed", { status: 412, code: "PreconditionFailed" }],
    ["object_changed", { headers: { etag: '"another"' } }],
    ["object_gone", { status: 404, code: "NoSuchKey" }],
    ["object_unreadable", { headers: { "content-range": `bytes 5-9/${content.length}` } }],
    ["object_length_wrong", { headers: { "content-range": "bytes 0-9999/205001" } }],
  ])("that is %s ends the others", async (code, change) => {
    // A server that answers once like this is asked again in another way.
    fault(change, { nth: code === "object_length_wrong" ? 1 : 5, times: 1_000 });
    const places = new Places();
    expect((await problemOf(read(put(), places))).code).toBe(code);
    const asked = gets().length;
    expect(asked).toBeLessThan(21);
  });

  test("that always fails ends the read with its problem", async () => {
    fault({ status: 503, code: "SlowDown" }, { nth: 4, times: 1_000 });
    expect((await problemOf(read(put()))).code).toBe("slow_down");
  });
});
