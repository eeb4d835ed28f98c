import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import type { Server as HttpServer } from "../../src/http/fastify.ts";
import { answerErrors } from "../../src/http/responses/problem-answers.ts";
import { goodMetadata } from "../support/api/api.ts";
import { apiDescription } from "../support/api/api-description.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let s3: S3Server;
let web: Server;
let service: TestService;
let access: Record<string, unknown>;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.addAccount({ accessKey: "AKBLIND", secretKey: "blind", rights: (operation) => operation !== "list" });
  s3.addAccount({ accessKey: "AKLISTER", secretKey: "lister", rights: (operation) => operation === "list" });
  s3.createBucket("full");
  s3.put("full", "a", "a");
  s3.createBucket("empty");
  web = createServer((_, response) => response.end("<html><title>Welcome</title></html>")).listen(0, "127.0.0.1");
  await once(web, "listening");
  service = await startTestService();
  access = { endpoint: s3.endpoint, bucket: "full", ...keys };
});
afterAll(async () => {
  await service.stop();
  await s3.close();
  web.close();
});

const upload = (body: unknown, headers?: Record<string, string>) =>
  service.api.post("/submission/upload/s3upload", body, headers);
const check = (body: unknown, headers?: Record<string, string>) =>
  service.api.post("/submission/upload/s3check", body, headers);

describe("the connection test distinguishes", () => {
  const causes: [string, () => Record<string, unknown>, RegExp, string][] = [
    ["a wrong access key", () => ({ ...access, accessKey: "AKNOBODY" }), /does not know this access key/, "signature"],
    ["a wrong secret", () => ({ ...access, secretKey: "wrong" }), /secret key does not belong/, "signature"],
    ["a missing bucket", () => ({ ...access, bucket: "nowhere" }), /“nowhere” does not exist on this server/, "bucket"],
    [
      "no right to list",
      () => ({ ...access, accessKey: "AKBLIND", secretKey: "blind" }),
      /do not permit listing/,
      "list",
    ],
    [
      "no right to read",
      () => ({ ...access, accessKey: "AKLISTER", secretKey: "lister" }),
      /do not permit reading/,
      "read",
    ],
    ["a closed port", () => ({ ...access, endpoint: "http://127.0.0.1:1" }), /connection was refused/, "connect"],
    [
      "a name that is none",
      () => ({ ...access, endpoint: "http://nowhere.invalid" }),
      /does not exist or has no address/,
      "address",
    ],
    ["no S3 server", () => ({ ...access, endpoint: urlOf(web) }), /is not an S3 server/, "signature"],
    ["TLS that is not spoken", () => ({ ...access, endpoint: s3.endpoint.replace("http:", "https:") }), /TLS/, "tls"],
    ["a forbidden address", () => ({ ...access, endpoint: "http://169.254.169.254" }), /may not connect/, "address"],
  ];
  test.each(causes)("%s", async (_, body, sentence, step) => {
    const { status, text } = await check(body());
    expect(status).toBe(400);
    expect(text).toMatch(/^Connection unsuccessful: /);
    expect(text).toMatch(sentence);
    const report = (await service.api.post("/submission/upload/s3check/report", body())).json;
    expect(report).toMatchObject({ ok: false });
    expect(report.steps.find(({ status }: { status: string }) => status === "failed")?.name).toBe(step);
    const submission = await upload({ metadata: goodMetadata, s3Access: body() });
    expect(submission.status).toBe(422);
    expect(submission.json).toMatchObject({ code: "source_check_failed", report: { ok: false } });
  });

  test("all ten causes with different sentences", async () => {
    const sentences = await Promise.all(causes.map(async ([, body]) => (await check(body())).text));
    expect(new Set(sentences).size).toBe(causes.length);
  });

  test("and stores nothing from a rejected request", async () => {
    expect((await service.api.get("/submission")).json).toEqual([]);
  });
});

describe("the connection test returns a sentence", () => {
  test("for an empty bucket, which is a success", async () => {
    const { status, text, headers } = await check({ ...access, bucket: "empty" });
    expect([status, text]).toEqual([200, "Connection successful"]);
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  test.each([
    ["*/*", "text/plain"],
    ["application/json", "application/json"],
    ["application/json, text/plain, */*", "text/plain"],
    ["text/plain;q=0.5, application/json", "application/json"],
    ["application/json;q=0.5, text/plain", "text/plain"],
  ])("Accept: %s gives %s", async (accept, type) => {
    const { headers, text } = await check(access, { accept });
    expect(headers.get("content-type")).toBe(`${type}; charset=utf-8`);
    expect(text).toBe(type === "text/plain" ? "Connection successful" : '"Connection successful"');
  });

  test("also for malformed and missing members", async () => {
    const malformed = await service.api.send("/submission/upload/s3check", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `{"secretKey": "leaky`,
    });
    expect(malformed.status).toBe(400);
    expect(malformed.text).toMatch(/^Connection unsuccessful: the body is not valid JSON/i);
    expect(malformed.text).not.toContain("leaky");
    const missing = await check({ endpoint: s3.endpoint });
    expect(missing.status).toBe(422);
    expect(missing.text).toMatch(/^Connection unsuccessful: .*bucket/);
    const foreign = await check(access, { origin: "https://elsewhere.example" });
    expect(foreign.status).toBe(403);
    expect(foreign.text).toMatch(/^Connection unsuccessful: /);
  });
});

describe("a submission is rejected", () => {
  test("with all errors at once", async () => {
    const { status, json } = await upload({
      metadata: {
        title: "",
        authors: [{ role: "Contributor", orcid: "0000-0002-1825-0098" }],
        embargoDate: "2026-02-30",
      },
      s3Access: { endpoint: "ftp://x", bucket: "a/b", accessKey: "a" },
      selection: { include: ["\\"] },
      extra: 1,
    });
    expect(status).toBe(422);
    expect(json.code).toBe("invalid_request");
    const found = Object.fromEntries(
      json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    );
    expect(found).toMatchObject({
      "/metadata/title": "required",
      "/metadata/authors": "creator_required",
      "/metadata/authors/0/orcid": "orcid_invalid",
      "/metadata/embargoDate": "embargo_date_invalid",
      "/s3Access/endpoint": "endpoint_invalid",
      "/s3Access/bucket": "bucket_name_invalid",
      "/s3Access/secretKey": "required",
      "/selection/include/0": "pattern_invalid",
      "/extra": "unknown_member",
    });
  });

  test("for an empty bucket", async () => {
    const { status, json } = await upload({ metadata: goodMetadata, s3Access: { ...access, bucket: "empty" } });
    expect([status, json.code]).toEqual([422, "source_empty"]);
    const unmatched = await upload({ metadata: goodMetadata, s3Access: access, selection: { include: ["*.csv"] } });
    expect(unmatched.json.code).toBe("source_empty");
  });

  test("for a new version of a dataset that does not exist", async () => {
    const { status, json } = await upload({ metadata: goodMetadata, s3Access: access, dataset: { id: "x" } });
    expect([status, json.code, json.errors]).toMatchObject([404, "not_found", [{ pointer: "/dataset/id" }]]);
  });

  test.each([
    ["incomplete JSON", "{", "application/json", 400, "malformed_json"],
    ["a list", "[]", "application/json", 422, "invalid_request"],
    ["null", "null", "application/json", 422, "invalid_request"],
    ["XML", "<x/>", "application/xml", 415, "unsupported_media_type"],
    ["nine million letters", "x".repeat(9_000_000), "application/json", 413, "body_too_large"],
    ["NUL", `{"metadata": {"title": "\\u0000"}}`, "application/json", 400, "bad_request"],
    ["a lone surrogate", `{"metadata": {"title": "\\ud800"}}`, "application/json", 400, "bad_request"],
    ["a form without parts", "no parts", "multipart/form-data", 400, "malformed_multipart"],
  ])("when it is %s", expectRefused);

  test.each([
    ["five million brackets", "[".repeat(5_000_000), "application/json", 400, "malformed_json"],
    ["four million lists", `${"[".repeat(4e6)}${"]".repeat(4e6)}`, "application/json", 400, "bad_request"],
  ])("when it is %s", { tags: "extended" }, expectRefused);

  async function expectRefused(_: string, body: string, type: string, status: number, code: string): Promise<void> {
    const headers = { "content-type": type };
    const answer = await service.api.send("/submission/upload/s3upload", { method: "POST", headers, body });
    expect([answer.status, answer.json?.code]).toEqual([status, code]);
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
  }

  test.each([
    ["both spellings of the access", ["s3Access", "s3access"], "/s3access"],
    ["them in the other order", ["s3access", "s3Access"], "/s3Access"],
    ["metadata in two spellings", ["s3access", "Metadata"], "/Metadata"],
    ["the same part twice", ["s3Access", "metadata"], "/metadata"],
    ["the access twice", ["s3access", "s3access"], "/s3access"],
  ])("when a form has %s", async (_, names, pointer) => {
    const form = new FormData();
    form.append("metadata", JSON.stringify(goodMetadata));
    for (const name of names) form.append(name, JSON.stringify(name === "metadata" ? goodMetadata : access));
    const { status, json } = await service.api.send("/submission/upload/s3upload", { method: "POST", body: form });
    expect([status, json.code]).toEqual([422, "invalid_request"]);
    expect(json.errors).toMatchObject([{ pointer, code: "duplicate_member" }]);
  });

  test("if a part is sent twice and one is empty", async () => {
    const form = new FormData();
    form.append("metadata", JSON.stringify(goodMetadata));
    form.append("s3access", JSON.stringify(access));
    form.append("s3Access", "null");
    const { json } = await service.api.send("/submission/upload/s3upload", { method: "POST", body: form });
    expect(json.errors).toMatchObject([{ pointer: "/s3Access", code: "duplicate_member" }]);
  });

  test("if JSON has both spellings of the access, also for new credentials", async () => {
    const both = { s3Access: access, s3access: access };
    const { status, json } = await upload({ metadata: goodMetadata, ...both });
    expect([status, json.errors[0]]).toMatchObject([422, { pointer: "/s3access", code: "duplicate_member" }]);
    const { id } = await service.api.submit(access);
    for (const action of ["retry", "credentials"]) {
      const answer = await service.api.post(`/submission/${id}/${action}`, both);
      expect([action, answer.status, answer.json.errors]).toMatchObject([action, 422, [{ code: "duplicate_member" }]]);
    }
    await service.api.until(id, ["completed"]);
  });

  test("if its text is not UTF-8", async () => {
    const body = Buffer.concat([Buffer.from('{"metadata": "'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const headers = { "content-type": "application/json" };
    const answer = await service.api.send("/submission/upload/s3upload", { method: "POST", headers, body });
    expect([answer.status, answer.json.code]).toEqual([400, "malformed_json"]);
  });

  test("if it is compressed", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const answer = await service.api.send("/submission/upload/s3upload", { method: "POST", headers, body: "x" });
    expect([answer.status, answer.json.code]).toEqual([415, "unsupported_media_type"]);
  });

  test("but a body without a content type is read as JSON", async () => {
    const { hostname, port } = new URL(service.url);
    const body = JSON.stringify(access);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /submission/upload/s3check HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    let answer = "";
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*Connection successful/s);
  });

  test("but not for members named __proto__ and constructor, which are treated like other unknown members", async () => {
    const body = `{"metadata": {"title": "x", "__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "authors": [{"role": "Creator", "lastName": "C"}]}}`;
    const answer = await service.api.send("/submission/validate", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(answer.json.valid).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("metadata validation", () => {
  test("returns warnings and the normalised form of valid metadata", async () => {
    const { json } = await service.api.post("/submission/validate", { ...goodMetadata, license: "cc by 4.0", odd: 1 });
    expect(json).toMatchObject({ valid: true, normalized: { license: { spdx: "CC-BY-4.0" } } });
    expect(json.warnings).toContainEqual(expect.objectContaining({ pointer: "/odd", code: "unknown_member" }));
  });

  test("returns all errors of invalid metadata", async () => {
    const { status, json } = await service.api.post("/submission/validate", { authors: 5 });
    expect(status).toBe(200);
    expect(json.valid).toBe(false);
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toContain("/title");
  });
});

describe("requests without access", () => {
  test.each([
    ["from another site", { origin: "https://elsewhere.example" }],
    ["from another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["from a sandboxed page", { origin: "null" }],
    ["from a page that sends no Origin", { "sec-fetch-site": "cross-site" }],
    ["from a page of the same site", { "sec-fetch-site": "same-site" }],
  ])("%s", async (_, headers) => {
    const { status, json } = await service.api.get("/submission", headers as unknown as Record<string, string>);
    expect([status, json.code]).toEqual([403, "foreign_origin"]);
    const form = new FormData();
    form.append("metadata", JSON.stringify(goodMetadata));
    form.append("s3access", JSON.stringify(access));
    const posted = await service.api.send("/submission/upload/s3upload", {
      method: "POST",
      headers: headers as unknown as Record<string, string>,
      body: form,
    });
    expect(posted.status).toBe(403);
  });

  test("with a foreign host name are rejected (DNS rebinding)", async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /submission HTTP/1.1\r\nHost: rebound.example:${port}\r\nConnection: close\r\n\r\n`);
    let answer = "";
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 403 .*foreign_host/s);
  });

  test.each([
    [
      "two Host headers of the same name",
      "Host: localhost\r\nHost: localhost",
      /^HTTP\/1\.1 400 .*"code":"bad_request"/s,
    ],
    [
      "two Host headers of different names",
      "Host: localhost\r\nhost: a.example",
      /^HTTP\/1\.1 400 .*"code":"bad_request"/s,
    ],
    ["no Host header", "X-Other: 1", /^HTTP\/1\.1 400 /],
  ])("a request with %s", async (_, header, expected) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /service HTTP/1.1\r\n${header}\r\nConnection: close\r\n\r\n`);
    let answer = "";
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(expected);
  });

  test("do not include those of the service’s own pages, and those with any Authorization header", async () => {
    const { status } = await service.api.get("/submission", {
      origin: service.url,
      "sec-fetch-site": "same-origin",
      authorization: "Bearer null",
    });
    expect(status).toBe(200);
  });

  test.each(["../x", "%2e%2e%2fx", "x".repeat(1000), "00000000-0000-0000-0000-000000000000", "%00"])(
    "and there is nothing under the id %.40s",
    async (id) => {
      const { status, json } = await service.api.get(`/submission/${id}`);
      expect([status, json.code]).toEqual([404, "not_found"]);
      expect((await service.api.get(`/submission/${id}/receipt`)).status).toBe(404);
      expect((await service.api.post(`/submission/${id}/cancel`)).status).toBe(404);
      const { status: answered, json: problem } = await service.api.get(`/download/${id}`);
      expect([answered, problem.code]).toEqual([404, "not_found"]);
    },
  );
});

test("queries are validated, and all errors are reported at once", async () => {
  const { status, json } = await service.api.get("/submission?limit=0&status=sleeping");
  expect(status).toBe(422);
  expect(json.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(["/limit", "/status"]);
});

/** Returns the example of a request body, which is valid; undefined for operations without a body. */
function bodyOf(requestBody: RequestBody | undefined): unknown {
  return requestBody?.content["application/json"]?.example;
}
type RequestBody = { content: Record<string, { example?: unknown }> };

describe("an unknown query parameter is rejected with the list of known ones:", () => {
  const queried = Object.entries(apiDescription.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
      const names = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
      return [[method.toUpperCase(), path, names, bodyOf(requestBody)] as const];
    }),
  );

  /** Monitors, caches and mail programs add parameters to these. */
  const OPEN = /^\/(health|metrics|\.well-known|openapi\.json|download)\b/;

  /** Without the secret of a reviewer link, these are refused before; tests/publication/reviewer-links.test.ts has one. */
  const REVIEWER = /^\/review(\/|$)/;

  test.each(queried.filter(([, path]) => !OPEN.test(path) && !REVIEWER.test(path)))(
    "%s %s",
    async (method, path, names, body) => {
      const nothing = path
        .replace("{format}", "bibtex")
        .replace("{kind}", "funders")
        .replaceAll(/\{\w+\}/g, "00000000-0000-0000-0000-000000000000");
      const answer = await service.api.send(`${nothing}?statuss=failed&__proto__=x&empty=`, {
        method,
        ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      });
      expect(answer.status).toBe(422);
      // Errors of this operation are one sentence in plain text, for the client of e!DAL.
      if (path === "/submission/upload/s3check") return;
      expect(answer.json.code).toBe("invalid_request");
      const unknown = answer.json.errors.filter(({ code }: { code: string }) => code === "unknown_parameter");
      expect(unknown.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
        "/__proto__",
        "/empty",
        "/statuss",
      ]);
      for (const name of names) expect(unknown[0].detail).toContain(`“${name}”`);
      if (names.length === 0) expect(unknown[0].detail).toBe("This operation has no query parameters.");
    },
  );

  test.each(queried.filter(([, path]) => OPEN.test(path)))(
    "except by %s %s, to which other programs add parameters",
    async (_, path) => {
      const { status } = await service.api.get(`${path.replace("{ticket}", "x")}?format=prometheus&v=1`);
      expect(status).toBe(path.startsWith("/download") ? 404 : 200);
    },
  );

  test("before a submission is created", async () => {
    const before = await service.api.get("/submission");
    const answer = await service.api.post("/submission/upload/s3upload?dryRun=true", {
      metadata: goodMetadata,
      s3Access: access,
    });
    expect([answer.status, answer.json.errors?.[0]?.pointer]).toEqual([422, "/dryRun"]);
    expect((await service.api.get("/submission")).json).toEqual(before.json);
  });

  test("with the most similar parameter as a suggestion", async () => {
    const { json } = await service.api.get("/submission?statuss=failed&Limit=2");
    expect(json.errors).toMatchObject([
      { pointer: "/statuss", detail: expect.stringContaining("Did you mean “status”?") },
      { pointer: "/Limit", detail: expect.stringContaining("Did you mean “limit”?") },
    ]);
  });

  test("but web pages accept any, and so do addresses of datasets in a browser", async () => {
    for (const path of ["/app/?code=x&state=y&iss=z", "/app/submissions?statuss=failed", "/docs/?lang=de"]) {
      expect([path, (await service.api.get(path)).status]).toEqual([path, 200]);
    }
    const response = await fetch(`${service.url}/dataset/x?utm_source=letter`, {
      headers: { accept: "text/html" },
      redirect: "manual",
    });
    expect(response.status).toBe(303);
  });
});

describe("text that the database cannot store is rejected", () => {
  const cursor = (text: string) => Buffer.from(text).toString("base64url");
  let id: string;
  beforeAll(async () => {
    id = (await service.api.submit(access)).id;
  });
  afterAll(async () => {
    await service.api.until(id, ["completed"]);
  });

  test.each([
    ["/submission?q=%00", "/q"],
    ["/submission/info/exists?title=a%00", "/title"],
    ["/submission/ID/files?prefix=a%00", "/prefix"],
  ])("in %s", async (path, pointer) => {
    const { status, json } = await service.api.get(path.replace("ID", id));
    expect([status, json.code]).toEqual([400, "bad_request"]);
    expect(json.errors).toEqual([expect.objectContaining({ pointer, code: "wrong_value" })]);
  });

  const MISSING = "00000000-0000-0000-0000-000000000000";
  test.each([
    ["-created", `-created ${"-".repeat(36)} 2024-01-01T00:00:00.000Z`],
    ["-created", `-created ${MISSING} +275760-01-01T00:00:00.000Z`],
    ["-created", `-created ${MISSING} 2024-13-01T00:00:00.000Z`],
    ["bytes", `bytes ${MISSING} -1`],
    ["bytes", `bytes ${MISSING} 9999999999999999999`],
    ["title", `title ${MISSING} a\0`],
    ["title", `created ${MISSING} 2024-01-01T00:00:00.000Z`],
    ["title", `constructor ${MISSING} a`],
  ])("in the cursor of a list sorted by %s: %j", async (sort, text) => {
    const { status, json } = await service.api.get(`/submission?sort=${sort}&cursor=${cursor(text)}`);
    expect([status, json.code]).toEqual([400, "bad_request"]);
  });

  test.each([
    `2024-01-01T00:00:00.000Z 0 ${"-".repeat(36)}`,
    `+275760-01-01T00:00:00.000Z 0 ${MISSING}`,
    `2024-13-01T00:00:00.000Z 0 ${MISSING}`,
  ])("in the cursor of webhooks %s", async (text) => {
    const { status, json } = await service.api.get(`/webhook?cursor=${cursor(text)}`);
    expect([status, json.code]).toEqual([400, "bad_request"]);
  });

  test.each(["\\u0000", "\\ud800"])("in a reason with %s", async (character) => {
    const answer = await service.api.send(`/submission/${id}/exclude`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `{"keys": [], "reason": "x${character}"}`,
    });
    expect([answer.status, answer.json.code]).toEqual([400, "bad_request"]);
    const pointers = answer.json.errors.map(({ pointer }: { pointer: string }) => pointer).sort();
    expect(pointers).toEqual(["/keys", "/reason"]);
  });

  test("as are numbers that it cannot store", async () => {
    const { status, json } = await service.api.get(`/submission/${id}/events?after=99999999999`);
    expect([status, json.code]).toEqual([422, "invalid_request"]);
    expect((await service.api.get(`/submission/${id}/files?cursor=999999999999999`)).json).toEqual([]);
  });
});

test("empty query parameters count as not given", async () => {
  expect((await service.api.get("/submission?limit=&status=&q=&cursor=")).status).toBe(200);
  const { status, json } = await service.api.get("/submission/info/exists?title=");
  expect([status, json.errors]).toEqual([422, [expect.objectContaining({ pointer: "/title", code: "required" })]]);
});

describe("an empty body with a content type of JSON", () => {
  const empty = (path: string) =>
    service.api.send(path, { method: "POST", headers: { "content-type": "application/json" } });

  test.each(["retry", "cancel"])("counts as no body: %s", async (action) => {
    const { id } = await service.api.submit(access);
    await service.api.until(id, ["completed"]);
    const { status, json } = await empty(`/submission/${id}/${action}`);
    expect([status, json.code]).toEqual([409, action === "retry" ? "wrong_state" : "too_late"]);
  });

  test.each(["s3upload", "s3preview", "s3metadata"])("is rejected if a body is required: %s", async (operation) => {
    const { status, json } = await empty(`/submission/upload/${operation}`);
    expect([status, json.code]).toEqual([422, "invalid_request"]);
    expect(json.errors).toEqual([{ pointer: "", code: "wrong_type", detail: "The body must be a JSON object." }]);
  });

  test("is rejected by the check with a sentence", async () => {
    const { status, text } = await empty("/submission/upload/s3check");
    expect([status, text]).toEqual([422, "Connection unsuccessful: the body must be a JSON object."]);
  });
});

describe("the report is returned even if members are invalid", () => {
  const report = (body: unknown) => service.api.post("/submission/upload/s3check/report", body);

  test("with the sentence of the check", async () => {
    const body = { endpoint: "ftp://x", bucket: "a/b", accessKey: "a" };
    const { status, json } = await report(body);
    expect(status).toBe(200);
    expect(json).toMatchObject({ ok: false, message: (await check(body)).text, policy: {} });
    for (const name of ["endpoint", "name of the bucket", "secret key"]) expect(json.message).toContain(name);
    expect(json.steps).toHaveLength(8);
    const skipped = { status: "skipped", detail: "Not reached", hint: "", milliseconds: 0 };
    for (const step of json.steps) expect(step).toMatchObject(skipped);
  });

  test.each([[[]], ["text"], [null], [{ bucket: "full", region: "\0" }]])("if the body is %j", async (body) => {
    const { status, json } = await report(body);
    expect([status, json.ok]).toEqual([200, false]);
  });
});

test.each([
  ["57P01", Object.assign(new Error("terminating connection"), { code: "57P01" }), 503, "unavailable"],
  ["08006", Object.assign(new Error("connection failure"), { code: "08006" }), 503, "unavailable"],
  ["ECONNREFUSED", Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }), 503, "unavailable"],
  ["a stop", new Error("The embedded database has stopped"), 503, "unavailable"],
  ["a close", new Error("The database is closed"), 503, "unavailable"],
  ["a wrong query", Object.assign(new Error("syntax error"), { code: "42601" }), 500, "internal_error"],
])("a database that is lost makes the service unavailable: %s", async (_, error, status, code) => {
  const server = fastify();
  answerErrors(server as unknown as HttpServer);
  server.get("/", async () => {
    throw error;
  });
  const answer = await server.inject("/");
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
});

describe("the preview", () => {
  const preview = (bucket: string) => service.api.post("/submission/upload/s3preview", { ...access, bucket });

  test("states the paths of the dataset, regardless of its plain keys", async () => {
    s3.createBucket("marked");
    for (const key of ["%keys%%/x", "%keys/x", "a//b"]) s3.put("marked", key, "x");
    const { json } = await preview("marked");
    expect(json.renamed).toEqual([expect.objectContaining({ key: "a//b", path: "data/%keys%%%/a/%2F/b%" })]);
    const { id } = await service.api.submit({ ...access, bucket: "marked" });
    await service.api.until(id, ["completed"]);
    const files = await service.api.files(id);
    expect(files.find(({ key }) => key === "a//b")?.path).toBe(json.renamed[0].path);
  });

  test("and the dataset name the files that other systems unpack differently", async () => {
    s3.createBucket("names");
    for (const key of ["plots/A.csv", "plots/a.csv", "plots/12:30.csv", "plain.csv", "a//b", "raw", "raw/1"])
      s3.put("names", key, "x");
    const named = [
      expect.objectContaining({ path: "data/plots/12:30.csv", reason: "forbidden_character", other: null }),
      expect.objectContaining({ path: "data/plots/a.csv", reason: "same_name", other: "data/plots/A.csv" }),
    ];
    expect((await preview("names")).json.unpacking).toEqual({ files: 2, named, examined: 7 });
    const { id } = await service.api.submit({ ...access, bucket: "names" });
    const { dataset } = await service.api.until(id, ["completed"]);
    const { json } = await service.api.get(`/dataset/${dataset?.id}/unpacking?version=1`);
    expect(json).toEqual({ files: 2, named, examined: 7 });
  });

  describe("of a slow server", () => {
    beforeAll(() => {
      const { timeout } = AbortSignal;
      vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) =>
        timeout.call(AbortSignal, ms / (ms === 120_000 ? 160 : 20)),
      );
      s3.createBucket("slow");
      for (let n = 0; n < 1_001; n++) s3.put("slow", String(n).padStart(4, "0"), "x");
    });
    afterAll(() => {
      vi.restoreAllMocks();
      s3.clearFaults();
    });

    test("returns the objects listed so far", async () => {
      expect((await preview("slow")).json).toMatchObject({ complete: true, objects: 1_001 });
      // The second request looks for the declaration of a bag.
      const end = s3.addFault({ match: { operation: "list", bucket: "slow", nth: 3 }, fault: { stall: "forever" } });
      const { status, json } = await preview("slow");
      end();
      expect([status, json]).toEqual([200, expect.objectContaining({ complete: false, objects: 1_000, bytes: 1_000 })]);
    });

    test("reports that nothing was listed", async () => {
      s3.addFault({ match: { operation: "list", bucket: "slow" }, fault: { stall: "forever" } });
      const { status, json } = await preview("slow");
      expect([status, json.code]).toEqual([422, "source_timeout"]);
    });
  });
});

test("no response contains the secret", async () => {
  const answers = await Promise.all([
    check({ ...access, bucket: "a/b" }),
    upload({ metadata: {}, s3Access: { ...access, endpoint: 7, region: "\r\nX: y" } }),
    service.api.post("/submission/upload/s3preview", { ...access, bucket: "nowhere" }),
  ]);
  for (const { text } of answers) expect(text).not.toContain(keys.secretKey);
});

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
