import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { TOKENS } from "../support/api/callers.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { type Program, startProgram } from "../support/program/program.ts";
import { startTestService } from "../support/program/service.ts";

const keys = { accessKey: "AKLOGS", secretKey: "secret-key-of-the-bucket" };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const GIVEN = "7f3a2c-from.the_proxy";
let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  for (const bucket of ["logged", "garbled"]) {
    s3.createBucket(bucket);
    s3.put(bucket, "k", "x");
  }
});
afterAll(() => s3.close());

const access = (bucket: string) => ({ endpoint: s3.endpoint, bucket, ...keys });

interface Line {
  level: number;
  msg: string;
  [member: string]: unknown;
}

describe("the log", () => {
  let data: string;
  let program: Program;
  let lines: Line[];
  let submission: string;
  let failed: string;
  let answered: string | null;

  beforeAll(async () => {
    data = await createDataFolder();
    program = await startProgram(data, { ACCESSION_LOG_LEVEL: "debug", ACCESSION_BASE_PATH: "/base" });
    const { api } = program;
    const accepted = await api.post("/submission/upload/s3upload", {
      metadata: { title: "t", authors: [{ role: "Creator", lastName: "Carberry" }] },
      s3Access: access("logged"),
    });
    answered = accepted.headers.get("x-request-id");
    submission = accepted.json.id;
    await api.until(submission, ["completed"]);
    await api.get(`/dataset/${(await api.submission(submission)).dataset?.id}`);
    await api.get("/submission/a-secret-that-was-pasted");
    const endFault = s3.addFault({
      match: { bucket: "garbled", operation: "list", nth: 2, times: 1_000 },
      fault: { status: 200, contentType: "application/xml", body: "<ListBucketResult><IsTruncated>" },
    });
    failed = (await api.submit(access("garbled"))).id;
    await api.until(failed, ["failed"]);
    endFault();
    await program.end("SIGTERM");
    lines = program
      .log()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
  });
  afterAll(async () => {
    await program.end("SIGKILL");
    await rm(data, { recursive: true, force: true });
  });

  const about = (id: string) => lines.filter((line) => line.submission === id);

  test("of a request contains its id, and the submission that it concerns or has created", () => {
    const requests = lines.filter(({ msg }) => msg === "answered");
    expect(requests.length).toBeGreaterThan(5);
    for (const line of requests) expect(line.request).toMatch(UUID);
    expect(new Set(requests.map(({ request }) => request)).size).toBe(requests.length);
    const [upload] = requests.filter(({ route }) => route === "/base/submission/upload/s3upload");
    expect(upload).toMatchObject({ request: answered, submission, status: 202, method: "POST" });
    expect(about(submission).filter(({ route }) => route === "/base/submission/:id")).not.toEqual([]);
    expect(requests.find(({ route }) => route === "/base/dataset/:id")).toMatchObject({
      dataset: expect.stringMatching(UUID),
    });
  });

  test("of a job contains queue, id, submission and attempt in every line", () => {
    const jobs = about(submission).filter(({ msg }) => msg === "a job ended");
    expect(new Set(jobs.map(({ queue }) => queue))).toEqual(new Set(["list", "transfer", "verify", "package"]));
    for (const line of jobs) expect(line).toMatchObject({ job: expect.stringMatching(UUID), attempt: 1 });
    expect(jobs.find(({ queue }) => queue === "transfer")).toMatchObject({ chunk: 0, outcome: "done" });
    expect(about(failed).find(({ msg }) => msg === "a submission stopped")).toMatchObject({
      queue: "list",
      job: expect.stringMatching(UUID),
      attempt: 1,
      code: "listing_invalid",
    });
  });

  test("has each member once, and no text of a request", () => {
    for (const line of program
      .log()
      .split("\n")
      .filter((one) => one.startsWith("{"))) {
      const members = [...line.matchAll(/[{,]"(submission|attempt|queue|job|request|dataset)":/g)].map(
        ([, name]) => name,
      );
      expect(new Set(members).size, line).toBe(members.length);
    }
    for (const secret of ["pasted", keys.secretKey, "Carberry"]) expect(program.log()).not.toContain(secret);
  });
});

describe("the id of a request", () => {
  test("is in every response, also if the request is refused or the path does not exist", async () => {
    await using service = await startTestService({ ACCESSION_CORS_ORIGINS: "https://edal.example.org" });
    const { api } = service;
    const missing = await api.get("/submission/11111111-1111-4111-8111-111111111111");
    const id = missing.headers.get("x-request-id");
    expect(id).toMatch(UUID);
    expect(missing.json.instance).toBe(`urn:accession:request:${id}`);
    const foreign = await api.post("/submission/validate", {}, { origin: "https://evil.example.org" });
    expect(foreign.status).toBe(403);
    const unreadable = await api.get("/a-secret-%ff");
    expect([unreadable.status, unreadable.json.code]).toEqual([404, "not_found"]);
    expect(unreadable.text).not.toContain("a-secret");
    for (const answer of [
      foreign,
      unreadable,
      await api.get("/nowhere"),
      await api.get("/health/live"),
      await api.send("/submission/validate", { method: "POST", body: "{" }),
    ]) {
      expect(answer.headers.get("x-request-id"), `${answer.status}`).toMatch(UUID);
    }
    const allowed = await api.get("/submission", { origin: "https://edal.example.org" });
    expect(allowed.headers.get("access-control-expose-headers")).toContain("X-Request-Id");
  });

  test("is taken from a trusted proxy if it is valid, and from no other client", { tags: "extended" }, async () => {
    await using trusting = await startTestService({ ...TOKENS, ACCESSION_TRUSTED_PROXIES: "127.0.0.1/32" });
    await using other = await startTestService();
    const idOf = async (api: typeof other.api, given: string) =>
      (await api.get("/health/live", { "x-request-id": given })).headers.get("x-request-id");
    expect(await idOf(trusting.api, GIVEN)).toBe(GIVEN);
    expect(await idOf(other.api, GIVEN)).toMatch(UUID);
    for (const wrong of ["", "a b", "a,b", 'a"', "a".repeat(129), "ä"]) {
      expect(await idOf(trusting.api, wrong), wrong).toMatch(UUID);
    }
    // Two values count as no value.
    expect(await twice(trusting.url)).toMatch(/^x-request-id: [0-9a-f-]{36}\r$/m);
  });
});

/** Returns the response to a request with two X-Request-Id headers, which fetch would combine. */
async function twice(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end(
    `GET /health/live HTTP/1.1\r\nHost: ${hostname}\r\nX-Request-Id: one\r\nX-Request-Id: two\r\nConnection: close\r\n\r\n`,
  );
  return text(socket);
}

test("a part of the service that the operator has switched off is no error of the log", async () => {
  const data = await createDataFolder();
  const program = await startProgram(data, { ACCESSION_LOG_LEVEL: "debug", ACCESSION_UPLOADS: "off" });
  try {
    const { status, json } = await program.api.post("/uploads");
    expect([status, json.code]).toEqual([501, "uploads_off"]);
    await program.end("SIGTERM");
    expect(program.log()).toContain("/uploads");
    expect(program.log()).not.toContain('"level":50');
  } finally {
    await program.end("SIGKILL");
    await rm(data, { recursive: true, force: true });
  }
});
