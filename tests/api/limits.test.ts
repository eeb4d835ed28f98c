import { rm } from "node:fs/promises";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { type Answer, goodMetadata, type Submission } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { measureWithSlowClients } from "../support/network/slow-clients.ts";
import { type Program, startProgram } from "../support/program/program.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const MIB = 2 ** 20;
/** Size of the metadata, which count towards quotas too. */
const METADATA_BYTES = Buffer.byteLength(JSON.stringify(goodMetadata));
let s3: S3Server;
let data: string;
let program: Program;
/** Requests that take half a minute. They are started first. */
let slow: { headers: Promise<Late>; body: Promise<Late> };

beforeAll(async () => {
  s3 = await startS3Server();
  data = await createDataFolder();
  program = await startProgram(data, { ACCESSION_LOG_LEVEL: "info" });
  slow = {
    headers: late("GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Slow: "),
    body: late("POST /submission/validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"),
  };
  s3.addAccount(keys);
  s3.createBucket("small");
  s3.put("small", "a", "a");
  s3.put("small", "b", "b");
});
afterAll(async () => {
  await program?.end("SIGKILL");
  await s3.close();
  await rm(data, { recursive: true, force: true });
});

const accessTo = (bucket: string) => ({ endpoint: s3.endpoint, bucket, ...keys });
const uploadOf = (bucket: string) => ({ metadata: goodMetadata, s3Access: accessTo(bucket) });
const upload = (service: TestService, token: string, bucket: string) =>
  service.api.post("/submission/upload/s3upload", uploadOf(bucket), bearer(token));

describe("a quota", () => {
  let service: TestService;
  let tokens: Tokens;
  let owners = 0;
  const newOwner = async () => (await tokens.create(`owner ${++owners}`, "submitter")).token;
  const read = async (id: string) =>
    (await service.api.get(`/submission/${id}`, bearer(tokens.admin))).json as Submission;
  const until = async (id: string, status: string) => {
    await vi.waitUntil(async () => (await read(id)).status === status);
    return read(id);
  };

  beforeAll(async () => {
    service = await startTestService({
      ...TOKENS,
      ACCESSION_QUOTA_SUBMISSIONS: "2",
      ACCESSION_QUOTA_BYTES: "1MiB",
    });
    tokens = await Tokens.open(service);
  });
  afterAll(() => service.stop());

  test("of bytes rejects 5 TiB before any transfer", async () => {
    s3.createBucket("huge");
    s3.put("huge", "camera.raw", { seed: "camera", size: 5 * 2 ** 40 }, { etag: "0-1" });
    s3.clearHistory();
    const ada = await newOwner();
    const { status, json } = await upload(service, ada, "huge");
    expect([status, json.code]).toEqual([403, "quota_exceeded"]);
    expect(json.quota).toEqual({ of: "bytes", used: 0, wanted: 5 * 2 ** 40 + METADATA_BYTES, allowed: MIB });
    expect(json.detail).toMatch(/5\.0 TiB more; your quota allows 1\.0 MiB/);
    // Only the check has read the first kilobyte.
    const reads = s3.history.filter(({ operation }) => operation === "get").map(({ headers }) => headers.range);
    expect(reads).toEqual(["bytes=0-1023"]);
    expect((await service.api.get("/submission", bearer(ada))).json).toEqual([]);
  });

  test("of bytes stops a submission at the page that exceeds it, and no object of that page is transferred", {
    tags: "extended",
  }, async () => {
    s3.createBucket("two-pages");
    for (let n = 0; n < 1_000; n++) s3.put("two-pages", `a/${String(n).padStart(4, "0")}`, "x");
    s3.put("two-pages", "z/large", Buffer.alloc(MIB));
    s3.clearHistory();
    const ada = await newOwner();
    const { status, json } = await upload(service, ada, "two-pages");
    expect(status).toBe(202);
    const failed = await until(json.id, "failed");
    expect(failed.failure).toMatchObject({ code: "quota_exceeded", fault: "submitter" });
    expect(failed.progress).toMatchObject({ objectsListed: 1_000, bytesListed: 1_000 });
    expect(s3.history.filter(({ operation, key }) => operation === "get" && key === "z/large")).toEqual([]);
    // The submission continues once it is within the quota.
    s3.remove("two-pages", "z/large");
    const again = await service.api.post(
      `/submission/${json.id}/retry`,
      { s3Access: accessTo("two-pages") },
      bearer(ada),
    );
    expect(again.status).toBe(202);
    await until(json.id, "completed");
  });

  test("of bytes counts the metadata, also of cancelled submissions", async () => {
    const ada = await newOwner();
    const metadata = { ...goodMetadata, description: "x".repeat(100_000), note: "y".repeat(350_000) };
    const submit = () =>
      service.api.post("/submission/upload/s3upload", { metadata, s3Access: accessTo("small") }, bearer(ada));
    for (const _ of [1, 2]) {
      const { status, json } = await submit();
      expect(status).toBe(202);
      await service.api.post(`/submission/${json.id}/cancel`, {}, bearer(ada));
    }
    const { status, json } = await submit();
    expect([status, json.code, json.quota.used > 900_000]).toEqual([403, "quota_exceeded", true]);
  });

  test("of objects counts archived datasets that are not withdrawn, for each owner separately", {
    tags: "extended",
  }, async () => {
    await using own = await startTestService({ ...TOKENS, ACCESSION_QUOTA_OBJECTS: "3" });
    const given = await Tokens.open(own);
    const [ada, bob] = [await given.create("ada", "submitter"), await given.create("bob", "submitter")];
    const { json } = await upload(own, ada.token, "small");
    const path = `/submission/${json.id}`;
    await vi.waitUntil(async () => (await own.api.get(path, bearer(ada.token))).json.status === "completed");
    const again = await upload(own, ada.token, "small");
    expect([again.status, again.json.quota]).toEqual([403, { of: "objects", used: 2, wanted: 2, allowed: 3 }]);
    expect((await upload(own, bob.token, "small")).status).toBe(202);
    const admin = await given.create("root", "admin");
    const { dataset } = (await own.api.get(path, bearer(ada.token))).json as Submission;
    if (dataset === null) throw new Error("It has no dataset");
    const reason = { reason: "taken in by mistake" };
    expect((await own.api.post(`/dataset/${dataset.id}/withdraw`, reason, bearer(admin.token))).status).toBe(202);
    expect((await upload(own, ada.token, "small")).status).toBe(202);
  });

  test("of bytes counts the content that an earlier attempt has stored, also while the next one lists", {
    tags: "extended",
  }, async () => {
    await using own = await startTestService({ ...TOKENS, ACCESSION_QUOTA_BYTES: String(10_000) });
    const { token } = await (await Tokens.open(own)).create("ada", "submitter");
    s3.createBucket("looping");
    // Behind “bagit.txt”: otherwise the service asks for it in another listing.
    for (const key of ["x", "y", "z"]) s3.put("looping", key, Buffer.alloc(3_000));
    const looping = s3.quirks;
    Object.assign(looping, { repeatsFirstPage: true, pageLimit: 2 });
    const seen = async () => (await own.api.get("/submission", bearer(token))).json[0] as Submission | undefined;
    const stored = async () => (await seen())?.progress.bytesStored ?? 0;
    // The objects of the first page are stored before the second page arrives. The next attempt waits for its first page.
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let pages = 0;
    const list = async () => {
      const { status, attempt } = (await seen()) ?? {};
      const isCheck = status === undefined || status === "failed";
      if (isCheck || ++pages === 1) return;
      await (attempt === 2 ? released : vi.waitUntil(async () => (await stored()) > 0));
    };
    const end = s3.addFault({ match: { operation: "list", bucket: "looping" }, fault: { run: list } });
    try {
      expect((await upload(own, token, "looping")).status).toBe(202);
      await vi.waitUntil(async () => (await seen())?.status === "failed");
      const kept = await stored();
      expect(kept).toBeGreaterThan(0);
      looping.repeatsFirstPage = false;
      delete looping.pageLimit;
      const path = `/submission/${(await seen())?.id}`;
      const again = await own.api.post(`${path}/retry`, { s3Access: accessTo("looping") }, bearer(token));
      expect(again.status).toBe(202);
      expect(await stored()).toBe(0);
      s3.createBucket("rest");
      s3.put("rest", "d", Buffer.alloc(10_000 - kept + 1));
      const refused = await upload(own, token, "rest");
      expect([refused.status, refused.json.quota]).toMatchObject([403, { of: "bytes", used: kept + METADATA_BYTES }]);
      release();
      await vi.waitUntil(async () => (await seen())?.status === "completed");
    } finally {
      release();
      end();
    }
  });

  test("of submissions counts open ones, also for concurrent requests", async () => {
    s3.createBucket("slow");
    // The check reads only the first object; the second one keeps every submission open.
    for (const key of ["a", "b"]) s3.put("slow", key, key);
    const end = s3.addFault({ match: { operation: "get", bucket: "slow", key: "b" }, fault: { stall: "forever" } });
    const ada = await newOwner();
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(service, ada, "slow")));
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(2);
    for (const { status, json } of answers.filter((one) => !accepted.includes(one))) {
      expect([status, json.code, json.quota]).toEqual([
        403,
        "quota_exceeded",
        { of: "submissions", used: 2, wanted: 1, allowed: 2 },
      ]);
    }
    expect((await upload(service, await newOwner(), "small")).status).toBe(202);
    const cancel = (id: string) => service.api.post(`/submission/${id}/cancel`, undefined, bearer(ada));
    expect((await cancel(accepted[0]?.json.id)).status).toBe(202);
    const next = await upload(service, ada, "slow");
    expect(next.status).toBe(202);
    for (const { json } of [...accepted.slice(1), next]) await cancel(json.id);
    end();
  });
});

describe("a rate limit", () => {
  let service: TestService;
  let ada: string;
  let bob: string;
  const check = (token: string, endpoint = s3.endpoint, path = "s3check") =>
    service.api.post(`/submission/upload/${path}`, { ...accessTo("small"), endpoint }, bearer(token));

  beforeAll(async () => {
    service = await startTestService({ ...TOKENS, ACCESSION_RATE_LIMIT: "40", ACCESSION_RATE_LIMIT_CHECKS: "3" });
    const tokens = await Tokens.open(service);
    ada = (await tokens.create("ada", "submitter")).token;
    bob = (await tokens.create("bob", "submitter")).token;
  });
  afterAll(() => service.stop());

  test("prevents port scans of one host and of many hosts with the check", async () => {
    const port = (n: number) => `http://127.0.0.1:${n}`;
    for (const n of [1, 2, 3]) expect((await check(ada, port(n))).status).toBe(400);
    const refused = await check(ada, port(4));
    expect(refused.status).toBe(429);
    expect(refused.text).toMatch(/^Connection unsuccessful: /);
    expect(refused.headers.get("content-type")).toContain("text/plain");
    expectLimit(refused, 3);
    for (const path of ["s3check/report", "s3preview"]) {
      const { status, json } = await check(ada, s3.endpoint, path);
      expect([path, status, json.code]).toEqual([path, 429, "rate_limited"]);
    }
    expect((await upload(service, ada, "small")).json.code).toBe("rate_limited");
    expect((await check(bob)).status).toBe(200);
    // Four times as many are allowed for all hosts together. Rejected requests count too.
    const hosts = Array.from({ length: 8 }, (_, n) => `http://127.0.0.${n + 2}:1`);
    const statuses = [];
    for (const host of hosts) statuses.push((await check(ada, host)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429].slice(0, 8));
  });

  test("limits the concurrent event streams of a caller", { tags: "extended" }, async () => {
    await using own = await startTestService({ ...TOKENS, ACCESSION_RATE_LIMIT: "10000" });
    const given = await Tokens.open(own);
    const [cora, dora] = [await given.create("cora", "submitter"), await given.create("dora", "curator")];
    const { json } = await upload(own, cora.token, "small");
    const leave = new AbortController();
    const follow = async (token: string, signal = leave.signal) =>
      fetch(`${own.url}/submission/${json.id}/events`, {
        headers: { ...bearer(token), accept: "text/event-stream" },
        signal,
      });
    const [first, ...others] = await Promise.all(Array.from({ length: 100 }, () => follow(cora.token)));
    expect(new Set([first, ...others].map((one) => one?.status))).toEqual(new Set([200]));
    const refused = await follow(cora.token);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
    expect((await follow(dora.token)).status).toBe(200);
    await first?.body?.cancel();
    await vi.waitUntil(async () => (await follow(cora.token)).status === 200, { interval: 100 });
    leave.abort();
  });

  test("prevents a caller from filling the memory with endless bodies", async () => {
    await using own = await startTestService(TOKENS);
    const given = await Tokens.open(own);
    const [cora, dora] = [await given.create("cora", "submitter"), await given.create("dora", "submitter")];
    const leave = new AbortController();
    const begin = (token: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = { ...bearer(token), "content-type": "application/json", "content-length": 2 * MIB };
        const url = `${own.url}/submission/validate`;
        const sent = request(url, { method: "POST", headers, signal: leave.signal, agent: false });
        sent.on("response", ({ statusCode = 0 }) => resolve(statusCode)).on("error", reject);
        sent.flushHeaders();
      });
    const held = Array.from({ length: 16 }, () => begin(cora.token).catch(() => 0));
    // The requests with endless bodies get no response; a new one does.
    expect(await Promise.any([...held, begin(cora.token)])).toBe(429);
    const small = { title: "small" };
    expect((await own.api.post("/submission/validate", small, bearer(cora.token))).status).toBe(200);
    const other = begin(dora.token).catch(() => 0);
    expect(await Promise.race([other, sleep(300)])).toBeUndefined();
    leave.abort();
    await Promise.all([...held, other]);
    await vi.waitUntil(async () => (await upload(own, cora.token, "small")).status === 202);
  });

  test("counts bodies until their submissions are accepted or rejected, also after their callers have disconnected", {
    tags: "extended",
  }, async () => {
    await using own = await startTestService(TOKENS);
    const { token } = await (await Tokens.open(own)).create("cora", "submitter");
    const removeFault = s3.addFault({ match: { bucket: "small", operation: "list" }, fault: { delay: 8_000 } });
    const { hostname, port, host } = new URL(own.url);
    const large = (title: string) => ({ ...goodMetadata, title, padding: "x".repeat(300 * 1024) });
    const sendAndLeave = (title: string) =>
      new Promise<void>((resolve) => {
        const body = JSON.stringify({ ...uploadOf("small"), metadata: large(title) });
        const head = `POST /submission/upload/s3upload HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}`;
        const socket = connect(Number(port), hostname);
        socket.on("error", () => undefined).on("close", () => resolve());
        socket.write(
          `${head}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
          () => socket.destroy(),
        );
      });
    await Promise.all(Array.from({ length: 16 }, (_, n) => sendAndLeave(`Left behind ${n}`)));
    const ask = () => own.api.post("/submission/validate", large("Another"), bearer(token));
    await vi.waitUntil(async () => (await ask()).status === 429, { interval: 20 });
    removeFault();
    await vi.waitUntil(async () => (await ask()).status === 200, { interval: 100 });
  });

  test("applies to all requests of a caller, and by address to unauthenticated requests", async () => {
    const cora = bob;
    let answer: Answer;
    let answered = 0;
    do answer = await service.api.get("/submission", bearer(cora));
    while (answer.status === 200 && ++answered < 100);
    expect(answered).toBeGreaterThan(30);
    expect([answer.status, answer.json.code]).toEqual([429, "rate_limited"]);
    expectLimit(answer, 40);
    expect((await service.api.get("/submission", bearer(ada))).status).toBe(200);
    for (answered = 0; answered < 100; answered++) {
      answer = await service.api.get("/.well-known/jwks.json");
      if (answer.status !== 200) break;
    }
    expect([answered, answer.status]).toEqual([40, 429]);
    // Health probes have no rate limit.
    expect((await service.api.get("/health/live")).status).toBe(200);
  });

  function expectLimit({ headers }: Answer, limit: number): void {
    expect(headers.get("ratelimit-limit")).toBe(String(limit));
    expect(headers.get("ratelimit-remaining")).toBe("0");
    for (const name of ["retry-after", "ratelimit-reset"]) {
      expect(Number(headers.get(name))).toBeGreaterThan(0);
      expect(Number(headers.get(name))).toBeLessThanOrEqual(60);
    }
  }
});

describe("failed sign-in is limited by address", () => {
  const settings = { ...TOKENS, ACCESSION_RATE_LIMIT_SIGN_IN: "3" };
  const attempt = (service: TestService, token: string, address: string) =>
    service.api.get("/submission", { ...bearer(token), "x-forwarded-for": address });
  const bad = `acc_${"y".repeat(43)}`;

  test("of the connection, regardless of headers", async () => {
    await using service = await startTestService(settings);
    const tokens = await Tokens.open(service);
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await attempt(service, bad, `192.0.2.${n}`)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    // Valid tokens are accepted, because one address can have many callers.
    expect((await attempt(service, tokens.admin, "")).status).toBe(200);
    expect((await service.api.get("/health/live")).status).toBe(200);
  });

  test("that a trusted proxy states", { tags: "extended" }, async () => {
    await using service = await startTestService({ ...settings, ACCESSION_TRUSTED_PROXIES: "127.0.0.0/8" });
    const tokens = await Tokens.open(service);
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await attempt(service, bad, "192.0.2.1")).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await attempt(service, tokens.admin, "192.0.2.2")).status).toBe(200);
    // An IPv6 network counts as one address.
    for (let n = 0; n < 3; n++) await attempt(service, bad, `2001:db8:1:2::${n}`);
    expect((await attempt(service, bad, "2001:db8:1:2:ffff::1")).status).toBe(429);
    expect((await attempt(service, tokens.admin, "2001:db8:1:3::1")).status).toBe(200);
  });
});

describe("the program itself", () => {
  /** Sends pieces until the connection ends. Returns the response and the number of bytes sent. */
  async function flood(start: string, piece: Buffer): Promise<{ answer: string; bytes: number }> {
    const socket = open();
    const ended = answerTo(socket);
    socket.write(start);
    let bytes = 0;
    const pour = () => {
      while (!socket.destroyed && socket.writable && socket.write(piece)) bytes += piece.length;
      socket.once("drain", pour);
    };
    pour();
    return { answer: await ended, bytes };
  }

  // bench/slow-clients.ts measures the response times.
  test("responds to other clients while five hundred slow clients hold connections open", {
    tags: "extended",
  }, async () => {
    const met = await measureWithSlowClients(program.url, { clients: 500, milliseconds: 4_000 });
    expect([met.held.least, met.failed]).toEqual([500, 0]);
    expect(met.requests).toBeGreaterThan(0);
  });

  test.each([
    ["JSON", "application/json"],
    ["a form", "multipart/form-data; boundary=x"],
    [
      "a form that has begun",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n',
    ],
  ])("does not read an endless body: %s", async (_, type, begin = "") => {
    const piece = Buffer.from(`10000\r\n${"x".repeat(65_536)}\r\n`);
    const head = `POST /submission/upload/s3upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n`;
    const first = begin === "" ? "" : `${begin.length.toString(16)}\r\n${begin}\r\n`;
    const { answer, bytes } = await flood(`${head}Transfer-Encoding: chunked\r\n\r\n${first}`, piece);
    // A client that is still sending may not receive the response.
    expect(["", "413"]).toContain(answer.slice(9, 12));
    // Including the data in the buffers of two sockets.
    expect(bytes).toBeLessThan(32 * MIB);
    expect((await program.api.get("/health/live")).status).toBe(200);
  });

  test("rejects a body whose Content-Length is too large before it is sent", async () => {
    for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain"]) {
      const socket = open();
      socket.write(
        `POST /submission/upload/s3upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${10 * 2 ** 30}\r\n\r\n`,
      );
      expect(await answerTo(socket)).toMatch(/^HTTP\/1\.1 413 .*body_too_large/s);
    }
  });

  test.each([
    ["no HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "bad_request"],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
      "bad_request",
    ],
    [
      "length and chunks",
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
      "bad_request",
    ],
    ["endless headers", `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}`, 431, "headers_too_large"],
  ])("answers invalid requests with a problem document: %s", async (_, text, status, code) => {
    const socket = open();
    socket.write(text, "latin1");
    const answer = await answerTo(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*application/problem\\+json.*"${code}"`, "s"));
  });

  test("sends security headers with every response", async () => {
    for (const path of ["/submission", "/nowhere", "/health/live"]) {
      const { headers } = await program.api.get(path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-powered-by")).toBeNull();
    }
  });

  test("rejects every forbidden target with the same message and in the same time", async () => {
    const hosts = ["169.254.169.254", "[fe80::1]", "[::ffff:169.254.1.1]", "0.0.0.0", "224.0.0.1"];
    const answers = await Promise.all(
      hosts.map(async (host) => {
        const since = performance.now();
        const body = { ...accessTo("small"), endpoint: `http://${host}` };
        const { json } = await program.api.post("/submission/upload/s3check/report", body);
        const [address] = json.steps;
        return {
          words: json.message.replace(/“[^”]*”/, "“”"),
          step: [address.name, address.status, address.detail.replace(/“[^”]*”/, "“”"), address.hint],
          milliseconds: [performance.now() - since, address.milliseconds],
        };
      }),
    );
    expect(new Set(answers.map(({ words, step }) => JSON.stringify([words, step]))).size).toBe(1);
    for (const milliseconds of answers.flatMap((answer) => answer.milliseconds)) {
      expect(milliseconds).toBeGreaterThanOrEqual(245);
    }
  });

  test("rejects requests whose headers or body do not arrive in time", { tags: "extended" }, async () => {
    const [headers, body] = await Promise.all([slow.headers, slow.body]);
    for (const { answer } of [headers, body]) expect(answer).toMatch(/^HTTP\/1\.1 408 .*"request_timeout"/s);
    expect(headers.seconds).toBeGreaterThan(14);
    expect(body.seconds).toBeGreaterThan(29);
  });
});

interface Late {
  answer: string;
  seconds: number;
}

function open(): Socket {
  const { hostname, port } = new URL(program.url);
  return connect(Number(port), hostname).on("error", () => undefined);
}

async function answerTo(socket: Socket): Promise<string> {
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  await new Promise((done) => socket.once("close", done));
  return answer;
}

/** Sends the start of a request and then a byte per second, until the service closes the connection. */
async function late(start: string): Promise<Late> {
  const since = performance.now();
  const socket = open();
  socket.write(start);
  const drip = setInterval(() => socket.write("x"), 1_000);
  const answer = await answerTo(socket);
  clearInterval(drip);
  return { answer, seconds: (performance.now() - since) / 1_000 };
}
