import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fault, type FaultMatch, type Hold, type S3Server, startS3Server } from "../src/index.ts";

const bucket = "open-data";
const content = "0123456789";

let server: S3Server;

beforeEach(async () => {
  server = await startS3Server();
  server.createBucket(bucket, { public: true });
  server.put(bucket, "k", content);
});

afterEach(() => server.close());

const fault = (what: Fault, match: FaultMatch = {}) => server.addFault({ match, fault: what });

/** Requests a raw path on a separate connection. */
async function open(path: string, method = "GET"): Promise<IncomingMessage> {
  const sent = request({ host: "127.0.0.1", port: server.port, path, method, agent: false });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

interface Answer {
  status: number | undefined;
  headers: IncomingMessage["headers"];
  body: string;
  /** The body ended before its declared length. */
  broken: boolean;
}

async function fetchRaw(path = `/${bucket}/k`, method = "GET"): Promise<Answer> {
  const response = await open(path, method);
  const chunks: Buffer[] = [];
  let broken = false;
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch {
    broken = true;
  }
  const body = Buffer.concat(chunks).toString();
  return { status: response.statusCode, headers: response.headers, body, broken };
}

describe("raw paths", () => {
  it("are exact keys: nothing is normalised", async () => {
    const keys = ["a/../b", "..", ".", "/x", "//x", "x//y", "a/", "ä", "a%2Fb"];
    for (const key of keys) {
      server.put(bucket, key, `<${key}>`);
      const wire = key.replaceAll("%", "%25").replaceAll("ä", "%C3%A4");
      expect((await fetchRaw(`/${bucket}/${wire}`)).body).toBe(`<${key}>`);
    }
    expect((await fetchRaw(`/${bucket}/a%2F%2e%2E/b`)).body).toBe("<a/../b>");
    expect(server.history.at(-1)).toMatchObject({ key: "a/../b", operation: "get", status: 200 });
    expect((await fetchRaw(`/${bucket}/%FF`)).status).toBe(400);
  });

  it("of a private bucket are refused like in S3", async () => {
    server.createBucket("closed");
    const denied = await fetchRaw("/closed/k");
    expect([denied.status, denied.headers["content-type"]]).toEqual([403, "application/xml"]);
    const id = denied.headers["x-amz-request-id"];
    expect(denied.body).toContain("<Error><Code>AccessDenied</Code><Message>Access Denied</Message>");
    expect(denied.body).toContain(`<Resource>/closed/k</Resource><RequestId>${id}</RequestId></Error>`);
    expect(await fetchRaw("/closed/k", "HEAD")).toMatchObject({ status: 403, body: "", broken: false });
  });
});

describe("replaced responses", () => {
  it("an S3 error with headers, at the nth match for a number of times", async () => {
    fault({ status: 503, code: "SlowDown", headers: { "retry-after": "7" } }, { operation: "get", nth: 2, times: 2 });
    const seen = [];
    for (let index = 0; index < 4; index++) seen.push((await fetchRaw()).status);
    expect(seen).toEqual([200, 503, 503, 200]);
    expect(server.history.map((record) => record.status)).toEqual(seen);
    const forever = fault({ status: 500, code: "InternalError" }, { key: /^k$/ });
    const failed = await fetchRaw();
    expect([failed.status, failed.body]).toEqual([500, expect.stringContaining("<Code>InternalError</Code>")]);
    expect((await fetchRaw(`/${bucket}?list-type=2`)).status).toBe(200);
    forever();
    expect((await fetchRaw()).status).toBe(200);
  });

  it("raw bytes, or an empty body", async () => {
    fault({ body: "<html>maintenance</html>" }, { operation: "list", nth: 1 });
    fault({ body: "" }, { operation: "list", nth: 2 });
    const html = await fetchRaw(`/${bucket}`);
    expect([html.status, html.headers["content-type"], html.body]).toEqual([
      200,
      "text/html",
      "<html>maintenance</html>",
    ]);
    expect(await fetchRaw(`/${bucket}`)).toMatchObject({ status: 200, body: "" });
  });

  it("other headers on the real response", async () => {
    fault({ headers: { ETag: '"other"', "last-modified": "" } });
    const { headers, body } = await fetchRaw();
    expect([headers.etag, headers["last-modified"], body]).toEqual(['"other"', undefined, content]);
  });
});

describe("held requests", () => {
  it.each([
    ["released", (hold: Hold) => hold.release()],
    ["removed with all faults", () => server.clearFaults()],
  ] as const)("wait until they are %s", async (_, end) => {
    const hold = server.hold({ operation: "get" });
    const held = fetchRaw();
    await hold.reached;
    expect((await fetchRaw(`/${bucket}?list-type=2`)).status).toBe(200);
    expect(server.history.map(({ status }) => status)).toEqual([0, 200]);
    end(hold);
    expect([(await held).status, (await fetchRaw()).status]).toEqual([200, 200]);
  });
});

describe("bodies with faults", () => {
  it("shorter than the declared length", async () => {
    fault({ cutAfter: 4 });
    const answer = await fetchRaw();
    expect(answer).toMatchObject({ status: 200, body: "0123", broken: true });
    expect(answer.headers["content-length"]).toBe("10");
  });

  it("truncated without a length, so that the fault is not visible", async () => {
    fault({ cutAfter: 4, withoutLength: true });
    const answer = await fetchRaw();
    expect(answer).toMatchObject({ body: "0123", broken: false });
    expect(answer.headers["content-length"] ?? answer.headers["transfer-encoding"]).toBeUndefined();
  });

  it("with one byte inverted", async () => {
    server.put(bucket, "k", { seed: "large", size: 1_000_000 });
    const good = server.body(bucket, "k");
    fault({ flipByte: 700_001 });
    const response = await open(`/${bucket}/k`);
    const bad = Buffer.concat(await response.toArray());
    const differing = [...bad.keys()].filter((index) => bad[index] !== good[index]);
    expect([bad.length, differing]).toEqual([good.length, [700_001]]);
  });

  it("longer or shorter than listed", async () => {
    fault({ wrongLength: -3 }, { nth: 1 });
    fault({ wrongLength: 2 }, { nth: 2 });
    expect(await fetchRaw()).toMatchObject({ body: "0123456", broken: false });
    expect(await fetchRaw()).toMatchObject({ body: `${content}\0\0`, broken: false });
  });
});

describe("silence", () => {
  it("a reset instead of a response", async () => {
    fault({ resetBefore: true });
    await expect(fetchRaw()).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(server.history.at(-1)?.status).toBe(0);
  });

  it("a delay, and a change during it", async () => {
    fault({ delay: 60, run: () => void server.put(bucket, "k", "overwritten") });
    const start = performance.now();
    expect((await fetchRaw()).body).toBe("overwritten");
    expect(performance.now() - start).toBeGreaterThan(55);
  });

  it("before the headers, for a while", async () => {
    fault({ stall: 60 });
    const start = performance.now();
    await expect(fetchRaw()).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(performance.now() - start).toBeGreaterThan(55);
  });

  it("endlessly, before the headers or within the body, until the server closes", async () => {
    fault({ stall: "forever" }, { nth: 1 });
    fault({ stallAfter: 3 }, { nth: 2 });
    const silent = fetchRaw().catch((error: NodeJS.ErrnoException) => error.code);
    const response = await open(`/${bucket}/k`);
    const [first] = (await once(response, "data")) as [Buffer];
    expect(first.toString()).toBe("012");
    const broken = once(response, "error");
    const meanwhile = await Promise.race([silent, broken, sleep(80, "still waiting")]);
    expect(meanwhile).toBe("still waiting");
    await server.close();
    expect(await silent).toBe("ECONNRESET");
    await broken;
  });
});
