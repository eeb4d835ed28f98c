import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { findPackage } from "../support/archive/package.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const MIB = 2 ** 20;
let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("field");
  s3.put("field", "a", "a");
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

/** Sends a head and then bytes until the connection ends. Resolves with the response and the number of bytes sent. */
function flood(head: string, chunk: (n: number) => string): Promise<{ answer: string; sent: number }> {
  const { hostname, port, host } = new URL(service.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let answer = "";
    let sent = 0;
    const pump = () => {
      while (answer === "" && socket.writable) {
        const text = chunk(sent);
        sent += text.length;
        if (!socket.write(text)) return;
      }
    };
    socket.write(`POST /submission/upload/s3upload HTTP/1.1\r\nHost: ${host}\r\n${head}\r\n\r\n`, pump);
    socket.on("drain", pump);
    socket.on("data", (data) => {
      answer += data;
      socket.end();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve({ answer, sent }));
  });
}

describe("an endless body is rejected before it is read", () => {
  const filler = "x".repeat(64 * 1024);
  const asChunk = `${filler.length.toString(16)}\r\n${filler}\r\n`;

  test.each([
    ["10 GB that are announced", "Content-Type: application/json\r\nContent-Length: 10737418240", () => filler],
    ["chunks of JSON", "Content-Type: application/json\r\nTransfer-Encoding: chunked", () => asChunk],
    ["chunks of no type", "Transfer-Encoding: chunked", () => asChunk],
    [
      "a form with a part without end",
      "Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked",
      (n: number) => {
        const part = '--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n';
        return n === 0 ? `${part.length.toString(16)}\r\n${part}\r\n` : asChunk;
      },
    ],
    [
      "a form with parts without end",
      "Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked",
      () => {
        const part = '--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{}\r\n'.repeat(100);
        return `${part.length.toString(16)}\r\n${part}\r\n`;
      },
    ],
  ])("%s", async (_, head, chunk) => {
    const { answer, sent } = await flood(head, chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*"code":"body_too_large"/s);
    // Including the data in the socket buffers of both sides.
    expect(sent).toBeLessThan(32 * MIB);
    expect((await service.api.get("/health/live")).status).toBe(200);
  });

  test("a request that follows it on the same connection is not processed", async () => {
    const submissions = async () => (await service.api.get("/submission")).json.length;
    const before = await submissions();
    const announced = 9 * MIB;
    const submission = { metadata: goodMetadata, s3Access: { endpoint: s3.endpoint, bucket: "field", ...keys } };
    const following = JSON.stringify(submission);
    const { hostname, port, host } = new URL(service.url);
    const head = (bytes: number) =>
      `POST /submission/upload/s3upload HTTP/1.1\r\nHost: ${host}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let answer = "";
    socket.on("data", (data) => {
      answer += data;
    });
    socket.on("error", () => undefined);
    socket.write(head(announced) + "x".repeat(announced) + head(following.length) + following);
    socket.on("end", () => socket.end());
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    // A later request is accepted, the following one was not.
    const later = { ...submission, metadata: { ...goodMetadata, title: "A later one" } };
    expect((await service.api.post("/submission/upload/s3upload", later)).status).toBe(202);
    expect(await submissions()).toBe(before + 1);
  });

  test("and a compressed body is not decompressed", async () => {
    const head = "Content-Type: application/json\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked";
    const { answer, sent } = await flood(head, () => asChunk);
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
    expect(sent).toBeLessThan(32 * MIB);
  });
});

test("five million brackets are invalid JSON, and ten million are too large", { tags: "extended" }, async () => {
  const send = (count: number) =>
    service.api.send("/submission/upload/s3check/report", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "[".repeat(count),
    });
  expect((await send(5_000_000)).status).toBe(400);
  expect((await send(10_000_000)).status).toBe(413);
  expect((await service.api.get("/health/live")).status).toBe(200);
});

test("HTML, formulas and terminal escapes in metadata are stored unchanged, and escaped in output", async () => {
  const title = '<script>alert(1)</script> & "quoted" =HYPERLINK(1) \u001b[31mred \u202eltr ]]>';
  const description = `${title} `.repeat(3).trim();
  const metadata = { ...goodMetadata, title, description };
  const { id } = await service.api.submit({ endpoint: s3.endpoint, bucket: "field", ...keys }, { metadata });
  const { dataset } = await service.api.until(id, ["completed"]);
  const answer = await service.api.get(`/submission/${id}`);
  expect(answer.json).toMatchObject({ title, metadata: { title, description } });
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  const { folder } = await findPackage(service.archive, dataset?.id ?? "");
  const kept = JSON.parse(await readFile(join(folder, "logs/v1/submission.json"), "utf8"));
  expect(kept.sent).toMatchObject({ title, description });
  const xml = await readFile(join(folder, "v1/content/metadata/datacite.xml"), "utf8");
  expect(xml).not.toContain("<script>");
  expect(xml).toContain("&lt;script&gt;");
  // XML 1.0 cannot represent the escape character.
  expect(xml).not.toContain("\u001b");
  const crate = JSON.parse(await readFile(join(folder, "v1/content/ro-crate-metadata.json"), "utf8"));
  expect(JSON.stringify(crate)).toContain("<script>");
});

test.each([
  ["a number instead of a string", { bucket: 7 }],
  ["a string instead of a boolean", { anonymous: "yes" }],
  ["a list instead of a string", { endpoint: ["http://127.0.0.1"] }],
  ["an ARN for a bucket", { bucket: "arn:aws:s3:::field" }],
  ["a path for a bucket", { bucket: "field/plots" }],
  ["256 characters of a bucket", { bucket: "b".repeat(256) }],
  ["two dots for a bucket", { bucket: ".." }],
  ["CRLF in a region", { region: "eu\r\nHost: elsewhere.example" }],
  ["@ in a region", { region: "eu@elsewhere.example" }],
  ["CRLF in an access key", { accessKey: "AK\r\nHost: elsewhere.example" }],
  ["CRLF in an endpoint", { endpoint: "http://127.0.0.1\r\nHost: elsewhere.example" }],
  ["@ in an endpoint", { endpoint: "http://127.0.0.1@elsewhere.example" }],
])("%s is refused by the service’s own rules, without a request to the source", async (_, wrong) => {
  s3.clearHistory();
  const s3Access = { endpoint: s3.endpoint, bucket: "field", ...keys, ...wrong };
  const { status, json } = await service.api.post("/submission/upload/s3upload", { metadata: goodMetadata, s3Access });
  expect([status, json.code]).toEqual([422, "invalid_request"]);
  expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain(
    `/s3Access/${Object.keys(wrong)[0]}`,
  );
  expect(s3.history).toEqual([]);
});

describe("the size of a response is limited for any number of errors in a request:", () => {
  const josiah = { role: "Creator", firstName: "Josiah", lastName: "Carberry" };
  const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
  const members = (count: number, name: (n: number) => string) =>
    Object.fromEntries(many(count, (n) => [name(n), "x"]));
  const cases: [string, () => object][] = [
    ["200,000 authors", () => ({ authors: many(199_000, () => 1) })],
    [
      "50,000 misspelt members",
      () => ({
        authors: [{ ...josiah, ...members(50_000, (n) => `orcid${"_".repeat(n % 60)}${"-".repeat(n / 60)}`) }],
      }),
    ],
    ["a number for everything", () => ({ title: 1, description: 2, authors: 3, language: 4, subjects: 5, license: 6 })],
  ];
  const variants: [string, () => object][] = [
    ["9,999 faulty authors", () => ({ authors: many(9_999, () => ({ role: "Creator" })) })],
    [
      "10,000 authors with three faults each",
      () => ({ authors: many(10_000, () => ({ role: 1, orcid: 2, city: 3 })) }),
    ],
    ["10,000 authors that are no objects", () => ({ authors: many(10_000, (n) => n) })],
    ["10,000 faulty subjects", () => ({ subjects: many(10_000, (n) => n) })],
    ["texts with NUL", () => members(10_000, (n) => `a${n}\0`)],
    ["10,000 names that are long", () => members(5_000, (n) => `${"titel".repeat(200)}${n}`)],
    [
      "10,000 authors of which each has a misspelt member",
      () => ({ authors: many(10_000, () => ({ ...josiah, orcId: 1 })) }),
    ],
  ];

  test.each(cases)("%s", (_, change) => expectLimited(change));
  test.each(variants)("%s", { tags: "extended" }, (_, change) => expectLimited(change));

  async function expectLimited(change: () => object): Promise<void> {
    const metadata = { ...goodMetadata, ...change() };
    const s3Access = { endpoint: s3.endpoint, bucket: "field", ...keys };
    for (const [path, body] of Object.entries({
      "/submission/upload/s3upload": { metadata, s3Access },
      "/submission/validate": { metadata },
    })) {
      const { status, json, text } = await service.api.post(path, body);
      expect(path.endsWith("validate") ? [200, 413] : [202, 400, 413, 422]).toContain(status);
      const { errors = [] } = json;
      expect(errors.length).toBeLessThanOrEqual(1_001);
      if (errors.length > 1_000) expect(errors.at(-1)).toMatchObject({ pointer: "", code: "more_errors" });
      expect(text.length - (status === 202 ? JSON.stringify(json.metadata).length : 0)).toBeLessThan(MIB);
    }
  }

  test("it states the number of further errors", async () => {
    const authors = many(9_999, () => ({ role: "Creator" }));
    const metadata = { ...goodMetadata, authors };
    const { status, json } = await service.api.post("/submission/upload/s3upload", { metadata, s3Access: {} });
    expect([status, json.code]).toEqual([422, "invalid_request"]);
    expect(json.detail).toMatch(/^The request contains 10,003 errors/);
    expect(json.errors.at(-1).detail).toBe("At least 9,003 more errors were found but are not listed.");
  });

  test("the first warnings are stored with the submission, with the number of further ones", async () => {
    const metadata = { ...goodMetadata, ...members(10_000, (n) => `plot${n}`), [`x${"y".repeat(100_000)}`]: 1 };
    const { warnings } = await service.api.submit({ endpoint: s3.endpoint, bucket: "field", ...keys }, { metadata });
    expect(warnings).toHaveLength(1_001);
    expect(warnings.at(-1)).toMatchObject({
      pointer: "",
      code: "more_warnings",
      detail: expect.stringMatching(/9,00\d/),
    });
  });

  test("a check returns the first errors as sentences", async () => {
    const body = members(100, (n) => `x${n}\0`);
    const { text } = await service.api.post("/submission/upload/s3check", body);
    expect(text).toMatch(/There are 80 more errors\.$/);
    expect(text.length).toBeLessThan(10_000);
  });
});

describe("a caller that disconnects", () => {
  const boundary = "b0undary";
  const s3Access = () => JSON.stringify({ endpoint: s3.endpoint, bucket: "field", ...keys });
  const metadataOf = (title: string) => JSON.stringify({ ...goodMetadata, title });
  const part = (name: string, text: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  const bodies = {
    json: (title: string) => ({
      type: "application/json",
      body: `{"metadata":${metadataOf(title)},"s3Access":${s3Access()}}`,
    }),
    form: (title: string) => ({
      type: `multipart/form-data; boundary=${boundary}`,
      body: `${part("s3access", s3Access())}${part("metadata", metadataOf(title))}--${boundary}--\r\n`,
    }),
  };
  const leave = {
    "closes the connection": (socket: Socket) => socket.destroy(),
    "resets the connection": (socket: Socket) => socket.resetAndDestroy(),
    "ends its side": (socket: Socket) => socket.end(),
  };

  /** Sends a request without its last bytes, and disconnects as soon as the operating system has them. */
  async function sendAndLeave(
    how: keyof typeof leave,
    kind: keyof typeof bodies,
    title: string,
    { missing = 0, chunked = false } = {},
  ): Promise<void> {
    const { hostname, port, host } = new URL(service.url);
    const { type, body } = bodies[kind](title);
    const framed = chunked ? `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
    const framing = chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${Buffer.byteLength(body)}`;
    const head = `POST /submission/upload/s3upload HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n`;
    const bytes = Buffer.from(head + framed);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    await new Promise<void>((resolve) => {
      socket.write(bytes.subarray(0, bytes.length - missing), () => resolve());
    });
    leave[how](socket);
  }

  const isThere = async (title: string) =>
    (await service.api.get(`/submission/info/exists?title=${encodeURIComponent(title)}`)).status === 200;
  const every = (Object.keys(leave) as (keyof typeof leave)[]).flatMap((how) =>
    (Object.keys(bodies) as (keyof typeof bodies)[]).flatMap((kind) =>
      [false, true].map((chunked) => [how, kind, chunked] as const),
    ),
  );

  test.each(every)(
    "after its complete request (%s, %s, chunked: %s) has created a submission",
    { tags: "extended" },
    async (how, kind, chunked) => {
      // The check is slow, as with a real source.
      const removeFault = s3.addFault({ match: { bucket: "field", operation: "list" }, fault: { delay: 300 } });
      const title = `Left after ${how} ${kind} ${chunked}`;
      await sendAndLeave(how, kind, title, { chunked });
      await expect.poll(() => isThere(title)).toBe(true);
      removeFault();
    },
  );

  test("before the end of its request has created no submission, even if only one byte is missing", async () => {
    const titles: string[] = [];
    for (const [how, kind, chunked] of every) {
      for (const missing of [1, 2, 5, 6, 40, 200]) {
        const title = `Left before ${how} ${kind} ${chunked} ${missing}`;
        titles.push(title);
        await sendAndLeave(how, kind, title, { chunked, missing });
      }
    }
    await sendAndLeave("closes the connection", "json", "Left after all of them");
    await expect.poll(() => isThere("Left after all of them")).toBe(true);
    await sleep(500);
    const there = await Promise.all(titles.map(async (title) => ((await isThere(title)) ? [title] : [])));
    expect(there.flat()).toEqual([]);
  });
});
