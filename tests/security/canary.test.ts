import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { openDatabase } from "../../src/db/database.ts";
import { goodMetadata } from "../support/api/api.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { Canary, spellings } from "../support/identity/canary.ts";
import { type Program, startProgram } from "../support/program/program.ts";

// Each secret contains characters that the encodings change.
const secrets = {
  accessKey: "CANARYKEY+4c55=key",
  secretKey: 'canary/se+cret"with\\all=that&is<odd~7f3a',
  sessionToken: "canary/token+IQoJb3JpZ2luX2VjE==&/wEaCWV1",
};
const renewed = { accessKey: "CANARYKEY2+99aa=k", secretKey: 'canary/2nd"se\\cret+of&them=51c0' };
const canary = new Canary([...Object.values(secrets), ...Object.values(renewed)]);

let s3: S3Server;
let data: string;
let temporary: string;
let program: Program;
/** The logs of all runs of the program. */
let logs = "";
const replies: string[] = [];

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(secrets);
  s3.addAccount(renewed);
  for (const [bucket, objects] of Object.entries({ field: 100, waiting: 100, cancelled: 1_200, killed: 1_200 })) {
    s3.createBucket(bucket);
    for (let n = 0; n < objects; n++) s3.put(bucket, `plot/${n}.csv`, `measurement ${n}\n`);
  }
  data = await createDataFolder();
  temporary = await mkdtemp(join(tmpdir(), "accession-canary-"));
  await begin();
});
afterAll(async () => {
  await program.end("SIGKILL");
  await s3.close();
  await rm(data, { recursive: true, force: true });
  await rm(temporary, { recursive: true, force: true });
});

async function begin(): Promise<void> {
  program = await startProgram(data, { ACCESSION_LOG_LEVEL: "trace", TMPDIR: temporary });
}

async function end(signal: NodeJS.Signals): Promise<void> {
  await program.end(signal);
  logs += program.log();
}

const access = (bucket: string, more: object = {}) => ({ endpoint: s3.endpoint, bucket, ...secrets, ...more });

/** Sends a request and records the complete response. */
async function send(path: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  const response = await fetch(program.url + path, init);
  const text = await response.text();
  replies.push(`${path.slice(0, 40)} ${response.status}\n${[...response.headers].join("\n")}\n${text}`);
  return { status: response.status, text };
}

const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  send(path, {
    method: "POST",
    ...(body === undefined ? { headers } : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...(body !== undefined && { headers: { "content-type": "application/json", ...headers } }),
  });

const upload = (bucket: string, more: object = {}) =>
  post("/submission/upload/s3upload", { metadata: goodMetadata, s3Access: access(bucket), ...more });

async function submit(bucket: string): Promise<string> {
  const { status, text } = await upload(bucket);
  expect(status).toBe(202);
  return JSON.parse(text).id;
}

async function lookAtAll(id: string): Promise<void> {
  for (const part of ["", "/files", "/events", "/receipt"]) await send(`/submission/${id}${part}`);
  await send("/submission");
  await send("/metrics");
}

/** The texts that contain a canary. Searching all of them at once is faster. */
function withCanary(texts: string[]): string[] {
  return canary.isIn(texts.join("\n")) ? texts.filter((text) => canary.isIn(text)) : [];
}

async function expectNothing(): Promise<void> {
  expect(withCanary((logs + program.log()).split("\n"))).toEqual([]);
  expect(withCanary(replies).map((reply) => reply.slice(-400))).toEqual([]);
  const { found, searched } = await canary.filesBelow(data);
  expect(found).toEqual([]);
  // The write-ahead log alone is 16 MiB.
  expect(searched).toBeGreaterThan(16_000_000);
  expect((await canary.filesBelow(temporary)).found).toEqual([]);
}

function expectNothingOfProcesses(): void {
  const { found, searched } = canary.processes(program.process.pid ?? 0);
  expect(found).toEqual([]);
  expect(searched).toBeGreaterThan(0);
}

describe("the search for canaries", () => {
  test.each(Object.entries(secrets))("finds the %s in every encoding", (_, secret) => {
    const bytes = Buffer.from(secret);
    for (const before of ["", "a", "ab"]) {
      const text = Buffer.concat([Buffer.from(before), bytes, Buffer.from("z")]);
      for (const encoding of ["utf8", "base64", "base64url", "hex", "utf16le"] as const) {
        const written = encoding === "utf16le" ? Buffer.from(text.toString(), "utf16le") : text.toString(encoding);
        expect(canary.isIn(written), `${encoding} after “${before}”`).toBe(true);
      }
    }
    const inJson = JSON.stringify({ error: { message: JSON.stringify({ secret }) } });
    for (const written of [inJson, encodeURIComponent(secret), `x=${encodeURIComponent(secret).toLowerCase()}`]) {
      expect(canary.isIn(written), written).toBe(true);
    }
    expect(canary.isIn(`${secret.slice(0, -1)}!`)).toBe(false);
    expect(spellings(secret).length).toBeGreaterThan(8);
  });

  test("does not find the few certain characters of a short secret in unrelated Base64", () => {
    const short = '"13587';
    for (const before of ["a", "ab"]) {
      const certain = Buffer.from(before + short)
        .toString("base64")
        .slice(4, 8);
      expect(new Canary([short]).isIn(`eyJhbGciOi${certain}J9.signature`)).toBe(false);
    }
    expect(new Canary([short]).isIn(Buffer.from(short).toString("base64"))).toBe(true);
  });
});

describe("the canaries are in no log, reply, file, command line or environment", () => {
  test("after connection tests and refused requests with errors of every kind", async () => {
    for (const operation of ["s3check", "s3check/report", "s3preview", "s3metadata"]) {
      const path = `/submission/upload/${operation}`;
      await post(path, access("field"));
      await post(path, access("field"), { accept: "application/json" });
      await post(path, access("field", { secretKey: renewed.secretKey }));
      await post(
        path,
        access("field", { accessKey: secrets.secretKey.replaceAll("/", ""), secretKey: secrets.accessKey }),
      );
      await post(path, access("field", { accessKey: secrets.secretKey }));
      await post(path, access("field", { sessionToken: `${secrets.sessionToken} ` }));
      await post(path, access("field", { region: secrets.secretKey }));
      await post(path, access("field", { bucket: secrets.secretKey }));
      await post(
        path,
        access("field", { endpoint: `https://${secrets.accessKey}:${secrets.secretKey}@s3.example.org` }),
      );
      await post(path, access("field", { endpoint: `${s3.endpoint}/?X-Amz-Security-Token=${secrets.sessionToken}` }));
      await post(path, access("field", { endpoint: "http://127.0.0.1:1" }));
      await post(path, access("field", { endpoint: s3.endpoint.replace("http:", "https:") }));
      await post(path, access("field", { key: secrets.secretKey, aws: { secret: secrets.secretKey } }));
      await post(path, access("field", { pathStyle: secrets.secretKey, anonymous: secrets.secretKey }));
      await post(path, `{"secretKey": ${JSON.stringify(secrets.secretKey)}, `);
      await post(path, JSON.stringify(secrets.secretKey));
      await post(path, [secrets.secretKey]);
      await post(path, access("field"), { origin: "https://elsewhere.example" });
      await post(path, access("field"), { "content-type": "text/plain" });
    }
    await upload("nowhere");
    await upload("field", { s3access: { secretKey: secrets.secretKey } });
    await upload("field", { selection: { include: [`${secrets.secretKey}\\`] }, secretKey: secrets.secretKey });
    await upload("field", { metadata: access("field") });
    await upload("field", { metadata: secrets.secretKey, dataset: secrets.secretKey });
    await post("/submission/validate", { ...access("field"), title: 7 });
    await expectNothing();
    expectNothingOfProcesses();
  });

  test("after forms with canaries in the wrong parts, and headers and paths that contain canaries", {
    tags: "extended",
  }, async () => {
    const form = (parts: Record<string, string | Blob>) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(parts)) body.append(name, value);
      return send("/submission/upload/s3upload", { method: "POST", body });
    };
    const s3Access = JSON.stringify(access("field"));
    await form({ metadata: s3Access });
    await form({ metadata: JSON.stringify(goodMetadata), s3Access: secrets.secretKey });
    await form({ metadata: JSON.stringify(goodMetadata), s3Access, secretKey: secrets.secretKey });
    await form({ metadata: JSON.stringify(goodMetadata), s3Access: `${s3Access.slice(0, -2)}` });
    await form({ s3Access: new Blob([s3Access], { type: "application/json" }), other: new Blob([secrets.secretKey]) });
    await send("/submission/upload/s3upload", {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=x" },
      body: `--x\r\nContent-Disposition: form-data; name="s3Access"\r\n\r\n${s3Access}`,
    });
    const inPath = encodeURIComponent(secrets.secretKey);
    for (const path of ["/", "/submission/", "/submission/upload/", "/dataset/", "/docs/"]) await send(path + inPath);
    await send(`/submission/${inPath}/events`);
    await send(`/submission?q=x&secretKey=${inPath}&limit=${inPath}`);
    await send(`/submission?cursor=${Buffer.from(secrets.secretKey).toString("base64url")}`);
    await post(
      "/submission/upload/s3upload",
      { metadata: goodMetadata, s3Access: access("nowhere") },
      {
        "idempotency-key": secrets.secretKey,
        authorization: `Bearer ${secrets.sessionToken}`,
        "x-amz-security-token": secrets.sessionToken,
        "content-encoding": "identity",
        cookie: `token=${secrets.sessionToken}`,
      },
    );
    await raw(`POST /submission/upload/s3check HTTP/1.1\r\nHost: ${secrets.secretKey}\r\nContent-Length: 0\r\n\r\n`);
    await raw(`POST /${secrets.secretKey} HTTP/9.9\r\nX: ${secrets.secretKey}\r\n\r\n`);
    await expectNothing();
    expectNothingOfProcesses();
  });

  test("while a submission waits for credentials, is given new ones, and completes", async () => {
    const removeFault = s3.addFault({
      match: { bucket: "waiting", operation: "get", key: /^plot\/[5-9]/ },
      fault: { status: 403, code: "InvalidAccessKeyId", message: `${secrets.accessKey} ${secrets.sessionToken}` },
    });
    const id = await submit("waiting");
    await program.api.until(id, ["waiting"]);
    await lookAtAll(id);
    await expectNothing();
    expectNothingOfProcesses();
    removeFault();
    expect((await post(`/submission/${id}/credentials`, { s3Access: { ...renewed, secretKey: "wrong" } })).status).toBe(
      422,
    );
    expect((await post(`/submission/${id}/credentials`, { s3Access: renewed })).status).toBe(202);
    await program.api.until(id, ["completed"]);
    await lookAtAll(id);
    await expectNothing();
  });

  test("after a submission was cancelled or unsuccessfully retried, and one completed with an Idempotency-Key", {
    tags: "extended",
  }, async () => {
    s3.addFault({
      match: { bucket: "cancelled", operation: "get", key: "plot/7.csv" },
      fault: { status: 403, code: "AccessDenied" },
    });
    const id = await submit("cancelled");
    await program.api.until(id, ["waiting"]);
    await post(`/submission/${id}/exclude`, { keys: [secrets.secretKey], reason: "none" });
    await post(`/submission/${id}/retry`, { s3Access: { ...secrets, secretKey: renewed.secretKey } });
    await post(`/submission/${id}/retry`, { secretKey: secrets.secretKey });
    expect((await post(`/submission/${id}/cancel`)).status).toBe(202);
    await post(`/submission/${id}/retry`, { s3Access: secrets });
    await lookAtAll(id);
    const { text } = await post(
      "/submission/upload/s3upload",
      { metadata: goodMetadata, s3Access: access("field") },
      {
        "idempotency-key": secrets.secretKey,
      },
    );
    await program.api.until(JSON.parse(text).id, ["completed"]);
    await lookAtAll(JSON.parse(text).id);
    await expectNothing();
    expectNothingOfProcesses();
  });

  test("after kill -9 during the transfer and a restart; at the end no row contains the encrypted form", {
    tags: "extended",
  }, async () => {
    const removeFault = s3.addFault({
      match: { bucket: "killed", operation: "get", nth: 300, times: Number.POSITIVE_INFINITY },
      fault: { stall: "forever" },
    });
    const id = await submit("killed");
    const reads = () => s3.history.filter(({ operation, bucket }) => operation === "get" && bucket === "killed").length;
    await vi.waitUntil(() => reads() > 300, { interval: 20 });
    await end("SIGKILL");
    removeFault();
    await expectNothing();
    const sealed = await sealedRows();
    expect(sealed.get(id)?.length).toBeGreaterThan(28);
    expect([...sealed.values()].some((bytes) => canary.isIn(bytes))).toBe(false);
    await begin();
    await program.api.until(id, ["completed"]);
    await lookAtAll(id);
    await end("SIGTERM");
    await expectNothing();
    expect(await sealedRows()).toEqual(new Map());
    await begin();
  });
});

describe("the memory of the process is protected", () => {
  test("SIGUSR1 opens no inspector, the memory is in no core dump", async () => {
    const { pid = 0 } = program.process;
    process.kill(pid, "SIGUSR1");
    expect((await program.api.get("/health/live")).status).toBe(200);
    expect(program.log()).not.toMatch(/debugger/i);
    if (process.platform === "linux") {
      expect(await listensOn(9229, pid)).toBe(false);
      expect(readFileSync(`/proc/${pid}/coredump_filter`, "utf8").trim()).toBe("00000000");
    }
  });

  test.each([
    "--inspect=127.0.0.1:0",
    "--heapsnapshot_near_heap_limit=1",
    "--heapsnapshot-signal=SIGUSR2",
    '"--heapsnapshot_signal=SIGUSR2"',
    "--heapsnapshot-near-heap-limit=1",
  ])("it does not start with %s", async (option) => {
    const started = startProgram(join(temporary, "never-made"), { NODE_OPTIONS: option });
    await expect(started).rejects.toThrow("exposes credentials in use");
  });

  test("only the service can read the database, regardless of who created its folder", {
    tags: "extended",
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "accession-data-"));
    await chmod(folder, 0o755);
    const started = await startProgram(folder);
    expect((await stat(join(folder, "database"))).mode & 0o777).toBe(0o700);
    await started.end("SIGKILL");
    await chmod(join(folder, "database"), 0o755);
    const again = await startProgram(folder);
    expect((await stat(join(folder, "database"))).mode & 0o777).toBe(0o700);
    await again.end("SIGKILL");
    await rm(folder, { recursive: true });
  });

  test("no diagnostic report is written on a signal", { tags: "extended" }, async () => {
    const other = await createDataFolder();
    const options = `--report-on-signal --report-signal=SIGUSR2 --report-directory=${temporary}`;
    const reporting = await startProgram(other, { NODE_OPTIONS: options, TMPDIR: temporary });
    reporting.process.kill("SIGUSR2");
    // Without the signal handler of the report feature, the signal ends the process, as by default.
    await reporting.end("SIGTERM");
    expect((await canary.filesBelow(temporary)).searched).toBe(0);
    await rm(other, { recursive: true, force: true });
  });
});

async function sealedRows(): Promise<Map<string, Buffer>> {
  const database = await openDatabase({ folder: join(data, "database") });
  const rows = await database.queries
    .selectFrom("submission")
    .select(["id", "credentials"])
    .where("credentials", "is not", null)
    .execute();
  await database.close();
  return new Map(rows.map(({ id, credentials }) => [id, Buffer.from(credentials ?? [])]));
}

/** Returns whether this process listens on the port, according to its socket table. */
async function listensOn(port: number, pid: number): Promise<boolean> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const table = readFileSync(`/proc/${pid}/net/tcp`, "utf8");
  return new RegExp(`:${hex} \\S+ 0A `).test(table);
}

/** Sends a malformed request, which fetch would not send, and records the response. */
function raw(request: string): Promise<void> {
  const { hostname, port } = new URL(program.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    let answer = "";
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on("data", (chunk) => {
      answer += chunk;
      socket.end();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      replies.push(answer);
      resolve();
    });
  });
}
