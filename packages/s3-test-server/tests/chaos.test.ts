import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ChaosFault, type ChaosRule, generate, type S3Server, startS3Server } from "../src/index.ts";

const bucket = "open-data";
const keys = Array.from({ length: 60 }, (_, i) => `k${i}`);
const content = "0123456789".repeat(10);

let server: S3Server;

beforeEach(async () => {
  server = await startS3Server();
  server.createBucket(bucket, { public: true });
  for (const key of keys) server.put(bucket, key, content);
});
afterEach(() => server.close());

const plan = (seed: string, ...rules: ChaosRule[]) => server.startChaos({ seed, rules });

/** Status and body, or the error of the reading. */
async function get(path: string, headers: Record<string, string> = {}): Promise<string> {
  try {
    const answer = await fetch(`${server.endpoint}/${bucket}${path}`, { headers });
    return `${answer.status} ${await answer.text()}`;
  } catch {
    return "broken";
  }
}

describe("a plan", () => {
  const half: ChaosRule = { match: { operation: "get" }, share: 0.5, fault: { kind: "reset in body" } };

  it("affects the same requests in any order, and others with another seed", async () => {
    const run = async (seed: string, order: readonly string[]) => {
      const end = plan(seed, half);
      const met = new Map<string, string>();
      await Promise.all(order.map(async (key) => met.set(key, (await get(`/${key}`)).slice(0, 6))));
      end();
      return keys.map((key) => met.get(key)).join();
    };
    const first = await run("1", keys);
    expect(await run("1", keys.toReversed())).toBe(first);
    expect(await run("2", keys)).not.toBe(first);
    const share = first.split(",").filter((one) => one === "broken").length / keys.length;
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.75);
  });

  it("counts the attempts of each key, so that retries succeed", async () => {
    plan("1", { match: { first: 2 }, share: 1, fault: { kind: "status", status: 503, code: "SlowDown" } });
    const seen = [];
    for (let i = 0; i < 3; i++) seen.push((await get("/k1")).slice(0, 3));
    expect(seen).toEqual(["503", "503", "200"]);
    expect((await get("/k2")).slice(0, 3)).toBe("503");
  });

  it("can be limited to one attempt, one key, one operation", async () => {
    plan("1", { match: { operation: "get", key: "k1", nth: 2 }, share: 1, fault: { kind: "html" } });
    expect(await get("/k1")).toBe(`200 ${content}`);
    expect(await get("/k2")).toBe(`200 ${content}`);
    expect(await get("/k1")).toContain("<html>");
    expect(await get("/k1")).toBe(`200 ${content}`);
  });
});

describe("every fault", () => {
  const cases: [ChaosFault, (answer: string) => boolean][] = [
    [{ kind: "reset" }, (answer) => answer === "broken"],
    [{ kind: "reset in body" }, (answer) => answer === "broken"],
    [{ kind: "silence", milliseconds: 20 }, (answer) => answer === "broken"],
    [{ kind: "silence in body", milliseconds: 20 }, (answer) => answer === "broken"],
    [{ kind: "status", status: 403, code: "AccessDenied" }, (answer) => answer.includes("<Code>AccessDenied</Code>")],
    [{ kind: "flipped bit" }, (answer) => answer.length >= 100 && !answer.includes(content)],
    [{ kind: "wrong length", by: -1 }, (answer) => answer === `200 ${content.slice(0, -1)}`],
    [{ kind: "short without length" }, (answer) => answer.startsWith("200 0") && answer.length < 104],
    [{ kind: "truncated" }, (answer) => answer.startsWith("200 0") && answer.length < 104],
    [{ kind: "html" }, (answer) => answer.startsWith("200 <html>")],
    [{ kind: "nothing" }, (answer) => answer === "200 "],
    [{ kind: "json" }, (answer) => answer.startsWith("200 {")],
    [{ kind: "error in 200" }, (answer) => answer.startsWith("200 ") && answer.includes("<Error>")],
    [{ kind: "overwritten" }, (answer) => answer.startsWith("200 ") && !answer.includes(content)],
    [{ kind: "deleted" }, (answer) => answer.startsWith("404")],
    [{ kind: "added" }, () => server.object(bucket, "k7.added") !== undefined],
  ];

  it.each(cases)("%j", async (fault, expected) => {
    plan("2", { share: 1, fault });
    expect(await get("/k7")).toSatisfy(expected);
  });

  it("of listings: truncated XML, a token that repeats", async () => {
    const end = plan("1", { share: 1, fault: { kind: "truncated" } });
    expect(await get("?list-type=2")).not.toContain("</ListBucketResult>");
    end();
    const tokenOf = (page: string) => /<NextContinuationToken>([^<]*)/.exec(page)?.[1] ?? "";
    const token = tokenOf(await get("?list-type=2&max-keys=2"));
    plan("1", { share: 1, fault: { kind: "repeated token" } });
    expect(tokenOf(await get(`?list-type=2&max-keys=2&continuation-token=${token}`))).toBe(token);
  });

  it("of headers and accounts", async () => {
    plan("1", { match: { key: "k1" }, share: 1, fault: { kind: "content-encoding gzip" } });
    const { headers } = await fetch(`${server.endpoint}/${bucket}/k1`, { method: "HEAD" });
    expect(headers.get("content-encoding")).toBe("gzip");
    server.addAccount({ accessKey: "AK", secretKey: "s" });
    plan("1", { match: { key: "k2" }, share: 1, fault: { kind: "key revoked" } });
    const now = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
    const scope = `${now.slice(0, 8)}/us-east-1/s3/aws4_request`;
    const signature = "0".repeat(64);
    const signed = "host;x-amz-content-sha256;x-amz-date";
    const answer = await get("/k2", {
      authorization: `AWS4-HMAC-SHA256 Credential=AK/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
      "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
      "x-amz-date": now,
    });
    expect(answer).toContain("<Code>InvalidAccessKeyId</Code>");
  });
});

it("an object of 5 TiB uses no memory, and its ranges are correct above 2^32", async () => {
  const size = 5 * 2 ** 40;
  server.put(bucket, "huge", { seed: "huge", size });
  const at = 2 ** 32 + 12_345;
  const answer = await fetch(`${server.endpoint}/${bucket}/huge`, { headers: { range: `bytes=${at}-${at + 99}` } });
  expect(answer.headers.get("content-range")).toBe(`bytes ${at}-${at + 99}/${size}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  // A section of the stream with another start has the same bytes at the same position.
  const around = Buffer.concat([...generate("huge", at - 7, at + 100)]);
  expect(bytes.equals(around.subarray(7))).toBe(true);
  expect(bytes.equals(Buffer.concat([...generate("huge", at % 2 ** 32, (at % 2 ** 32) + 100)]))).toBe(false);
  const last = await fetch(`${server.endpoint}/${bucket}/huge`, { headers: { range: `bytes=${size - 3}-` } });
  expect((await last.arrayBuffer()).byteLength).toBe(3);
});

it("the history can be written to a file, one request on each line", async () => {
  await get("/k1");
  const file = join(tmpdir(), `accession-history-${process.pid}.jsonl`);
  try {
    await server.writeHistory(file);
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { method: "GET", operation: "get", key: "k1", status: 200 },
    ]);
  } finally {
    await rm(file, { force: true });
  }
});
