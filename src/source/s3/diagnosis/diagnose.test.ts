import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Fault, S3Server, S3ServerOptions } from "../../../../packages/s3-test-server/src/index.ts";
import {
  accessTo,
  BUCKET,
  certificate,
  closedAfterTest,
  localEgress,
  neverAborted,
  READER,
  startRawServer,
  startTestS3Server,
} from "../../../../tests/support/data-source/source.ts";
import type { Code } from "../../../domain/problems.ts";
import type { S3Credentials, SourceAccess } from "../../../domain/source-access/access.ts";
import type { EgressOptions } from "../transport/egress.ts";
import { type Diagnosis, diagnose } from "./diagnose.ts";
import { STEPS, type Step, type StepName } from "./steps.ts";

// Not every system resolves names under localhost.
vi.mock("node:dns", async (original) => {
  const real = await original<typeof import("node:dns")>();
  const lookup = (name: string, options: object, done: (error: null, found: object[]) => void) => {
    if (name === "hanging.localhost") return;
    if (name.endsWith(".localhost")) done(null, [{ address: "127.0.0.1", family: 4 }]);
    else real.lookup(name, options, done as never);
  };
  return { ...real, lookup };
});

async function serve(options: S3ServerOptions = {}): Promise<S3Server> {
  const server = closedAfterTest(await startTestS3Server(options));
  server.put(BUCKET, "table.csv", "a,b\n1,2\n");
  return server;
}

/** Runs a check and verifies what must be true of every report. */
async function check(
  access: SourceAccess,
  more: { egress?: Partial<EgressOptions>; prefix?: string; signal?: AbortSignal } = {},
): Promise<Diagnosis & { step: (name: StepName) => Step }> {
  const egress = closedAfterTest(localEgress(more.egress));
  const diagnosis = await diagnose(access, egress, { prefix: more.prefix, signal: more.signal ?? neverAborted });
  const { report, problem, reached } = diagnosis;
  expect(report.steps.map(({ name }) => name)).toEqual(STEPS);
  const failed = report.steps.filter(({ status }) => status === "failed");
  expect(failed).toHaveLength(report.ok ? 0 : 1);
  expect([problem === undefined, reached !== undefined]).toEqual([report.ok, report.ok]);
  for (const { status, hint } of report.steps) if (status === "failed") expect(hint).not.toBe("");
  if (report.ok) expect(report.message).toBe("Connection successful");
  else expect(report.message).toMatch(/^Connection unsuccessful: .+\. .+\.$/);
  const said = JSON.stringify([report, problem?.message, problem?.extra, problem?.errors]);
  for (const key of Object.values(access.credentials ?? {})) expect(said).not.toContain(key);
  return { ...diagnosis, step: (name) => report.steps.find((one) => one.name === name) as Step };
}

interface Failure {
  code: Code | undefined;
  step: StepName | undefined;
  message: string;
}

/** Runs a check that must fail. */
async function failing(...args: Parameters<typeof check>): Promise<Failure> {
  const { problem, report } = await check(...args);
  const step = report.steps.find(({ status }) => status === "failed")?.name;
  return { code: problem?.code, step, message: report.message };
}

const statuses = ({ report }: Diagnosis) => report.steps.map(({ status }) => status);

describe("a bucket that can be ingested", () => {
  test.each(["Lab_Data_2026", "tenant:bucket", "a b", "bücket-麦", "ab"])("named %s is read", async (bucket) => {
    const server = await serve();
    server.createBucket(bucket);
    server.put(bucket, "table.csv", "1,2");
    server.clearHistory();
    const { report } = await check(accessTo(server, { bucket }));
    expect([report.ok, report.message]).toEqual([true, "Connection successful"]);
    expect(server.history.map((request) => request.bucket)).toEqual([bucket, bucket]);
  });

  test.each(["epoch", "http", "offset", "zero"] as const)("whose times have another form (%s)", async (timeForm) => {
    const server = await serve();
    server.put(BUCKET, "table.csv", "1,2", { lastModified: new Date("2026-06-01T06:00:00Z") });
    server.quirks.timeForm = timeForm;
    const diagnosis = await check(accessTo(server));
    const time = diagnosis.reached?.page.objects[0]?.lastModified;
    const { status, note } = diagnosis.step("list");
    expect([diagnosis.report.ok, time, status, note]).toEqual(
      timeForm === "zero"
        ? [true, null, "warning", "times_invalid"]
        : [true, "2026-06-01T06:00:00.000Z", "passed", "objects_listed"],
    );
  });

  test("whose objects are encrypted with a KMS key has a policy with the right to use it", async () => {
    const server = await serve();
    server.put(BUCKET, "table.csv", "1,2", { encryption: "aws:kms" });
    const { report } = await check(accessTo(server));
    expect([report.ok, JSON.stringify(report.policy).includes('"kms:Decrypt"')]).toEqual([true, true]);
  });

  test("passes every step", async () => {
    const diagnosis = await check(accessTo(await serve()));
    expect(statuses(diagnosis)).toEqual([
      ...["passed", "passed", "skipped", "passed"],
      ...["passed", "passed", "passed", "passed"],
    ]);
    expect(diagnosis.step("address").detail).toBe("The endpoint names the address 127.0.0.1");
    expect(diagnosis.step("list").detail).toBe("The bucket lists 1 objects");
    expect(diagnosis.step("read").detail).toBe("“table.csv” can be read");
    expect(diagnosis.report.policy).toMatchObject({
      Statement: [{ Action: ["s3:ListBucket"] }, { Action: ["s3:GetObject"] }],
    });
  });

  test("over TLS passes the TLS step, too", async () => {
    const tls = await certificate("IP:127.0.0.1,DNS:localhost");
    const server = await serve({ tls });
    for (const host of ["127.0.0.1", "localhost"]) {
      const endpoint = server.endpoint.replace("127.0.0.1", host);
      const diagnosis = await check(accessTo({ endpoint }), { egress: { ca: [tls.cert] } });
      expect(new Set(statuses(diagnosis))).toEqual(new Set(["passed"]));
    }
  });

  test("is read and never written, and read no more than needed", async () => {
    const server = await serve();
    server.put(BUCKET, "more.bin", { seed: "more", size: 1e12 });
    await check(accessTo(server));
    expect(server.history.map(({ method, operation, headers }) => [method, operation, headers.range])).toEqual([
      ["GET", "list", undefined],
      ["GET", "get", "bytes=0-1023"],
    ]);
  });

  test("connects when it is empty", async () => {
    const diagnosis = await check(accessTo(closedAfterTest(await startTestS3Server())));
    expect(diagnosis.report.ok).toBe(true);
    expect([diagnosis.step("list").detail, diagnosis.step("read").status]).toEqual(["The bucket is empty", "skipped"]);
  });

  test("without a key that begins with the prefix is not reported as empty", async () => {
    const server = closedAfterTest(await startTestS3Server());
    server.put(BUCKET, "k", "content");
    const diagnosis = await diagnose(accessTo(server), closedAfterTest(localEgress()), {
      prefix: "zzz/",
      signal: neverAborted,
    });
    const { detail } = diagnosis.report.steps.find(({ name }) => name === "list") ?? {};
    expect(detail).toBe("The bucket has no objects whose keys begin with “zzz/”");
  });

  test("connects when its only object is empty", async () => {
    const server = closedAfterTest(await startTestS3Server());
    server.put(BUCKET, "empty", "");
    expect((await check(accessTo(server))).step("read").status).toBe("passed");
  });

  test("is checked only below the prefix", async () => {
    const server = await serve();
    server.put(BUCKET, "x/y", "z");
    const diagnosis = await check(accessTo(server), { prefix: "x/" });
    expect(diagnosis.step("read").detail).toBe("“x/y” can be read");
    expect(JSON.stringify(diagnosis.report.policy)).toContain("arn:aws:s3:::field-trial/x/*");
    expect(diagnosis.reached?.page.objects.map(({ key }) => key)).toEqual(["x/y"]);
  });

  test("may be public", async () => {
    const server = closedAfterTest(await startTestS3Server());
    server.createBucket("open-data", { public: true });
    server.put("open-data", "k", "v");
    const diagnosis = await check({ endpoint: server.endpoint, bucket: "open-data" });
    expect([diagnosis.report.ok, diagnosis.step("signature").status]).toEqual([true, "skipped"]);
  });

  test("may need temporary credentials", async () => {
    const server = await serve();
    server.addAccount({ ...READER, sessionToken: "token-for-today" });
    expect((await check(accessTo(server, { sessionToken: "token-for-today" }))).report.ok).toBe(true);
  });

  test("may be in a region that is detected", async () => {
    const server = await serve({ region: "eu-central-1" });
    const { reached } = await check(accessTo(server));
    expect(reached?.source.region).toBe("eu-central-1");
  });

  test.each<[string, Partial<S3ServerOptions>]>([
    ["in the host name only", { addressing: "virtual" }],
    ["in the path only", { addressing: "path" }],
  ])("may be named %s", async (_, options) => {
    const server = await serve({ ...options, domains: ["s3.localhost"] });
    const { reached } = await check(accessTo({ endpoint: `http://s3.localhost:${server.port}` }));
    expect(reached?.source.addressing).toBe(options.addressing);
  });

  test("may have five objects of which only the last can be read", async () => {
    const server = closedAfterTest(await startTestS3Server());
    for (const key of ["1", "2", "3", "4"]) server.put(BUCKET, key, "x", { storageClass: "GLACIER" });
    server.put(BUCKET, "5", "x");
    expect((await check(accessTo(server))).step("read").detail).toBe("“5” can be read");
  });

  test("has a warning if the clocks differ, even if the server accepts it", async () => {
    const server = await serve({ clock: () => new Date(Date.now() - 10 * 60_000) });
    const { report, step } = await check(accessTo(server));
    expect([report.ok, step("clock").status]).toEqual([true, "warning"]);
    expect(step("clock").detail).toBe("The time of this service and of the server differs by 10 minutes");
  });
});

describe("credentials", () => {
  test.each<[string, Partial<S3Credentials>, Code, string]>([
    ["an unknown access key", { accessKey: "AKNOBODY" }, "access_key_unknown", "does not know this access key"],
    ["a wrong secret key", { secretKey: "guessed-it" }, "secret_key_wrong", "secret key does not belong"],
    [
      "a token that the server does not accept",
      { sessionToken: "yesterday" },
      "credentials_expired",
      "no longer valid (InvalidToken",
    ],
  ])("%s", async (_, wrong, code, words) => {
    const server = await serve();
    const diagnosis = await check(accessTo(server, wrong));
    expect([diagnosis.problem?.code, diagnosis.step("signature").status]).toEqual([code, "failed"]);
    expect(diagnosis.report.message).toContain(words);
    expect(diagnosis.step("bucket")).toMatchObject({ status: "skipped", detail: "Not reached" });
  });

  test("that have expired or were suspended", async () => {
    const server = await serve();
    server.addAccount({ ...READER, sessionToken: "t0ken", expiresAt: new Date(Date.now() - 1_000) });
    expect(await failing(accessTo(server, { sessionToken: "t0ken" }))).toMatchObject({
      code: "credentials_expired",
      step: "signature",
    });
    server.addAccount({ ...READER, suspended: true });
    expect(await failing(accessTo(server))).toMatchObject({ code: "credentials_expired", step: "signature" });
  });

  test("without the right to list", async () => {
    const server = await serve();
    server.addAccount({ ...READER, rights: (operation) => operation !== "list" });
    const diagnosis = await check(accessTo(server));
    expect(diagnosis.problem?.code).toBe("list_denied");
    expect(statuses(diagnosis).slice(3)).toEqual(["passed", "passed", "passed", "failed", "skipped"]);
    expect(diagnosis.report.message).toContain("add the permission s3:ListBucket");
  });

  test("of an account that pays read a bucket for which requesters pay", async () => {
    const server = await serve();
    server.createBucket("paid", { requesterPays: true });
    server.put("paid", "table.csv", "1,2");
    const paid = { ...accessTo(server), bucket: "paid", requesterPays: true };
    expect((await check(paid)).report.ok).toBe(true);
    expect(server.history.map(({ headers }) => headers["x-amz-request-payer"])).not.toContain(undefined);
    expect((await failing({ ...paid, requesterPays: false })).message).toContain("If requesters pay for the bucket");
    server.addFault({
      match: { operation: "list" },
      fault: { status: 403, code: "AccessDenied", message: "Access Denied. The bucket is Requester Pays" },
    });
    const unpaid = await check({ ...accessTo(server), bucket: "paid" });
    expect(unpaid.problem?.code).toBe("requester_pays_required");
    expect(statuses(unpaid).slice(3)).toEqual(["passed", "passed", "passed", "failed", "skipped"]);
    expect(unpaid.report.message).toContain("the requester must pay for the bucket “paid” (AccessDenied, HTTP 403)");
  });

  test("without the right to read", async () => {
    const server = await serve();
    server.addAccount({ ...READER, rights: (operation) => operation === "list" });
    const { code, step, message } = await failing(accessTo(server));
    expect([code, step]).toEqual(["read_denied", "read"]);
    expect(message).toContain(
      "do not permit reading “table.csv” (AccessDenied, HTTP 403). Ask the administrator of the bucket to add the permission s3:GetObject",
    );
  });

  test.each([
    ["a server that names the cause", "User: a is not authorized to perform: kms:Decrypt on the resource"],
    ["a server that only denies access", "Access Denied"],
  ])("without the right to use the KMS key of the objects, on %s", async (_, message) => {
    const server = await serve();
    server.put(BUCKET, "table.csv", "1,2", { encryption: "aws:kms" });
    server.addFault({ match: { operation: "get" }, fault: { status: 403, code: "AccessDenied", message } });
    const diagnosis = await check(accessTo(server));
    expect([diagnosis.problem?.code, diagnosis.step("read").status]).toEqual(["key_denied", "failed"]);
    expect(diagnosis.report.message).toContain("to add the permission kms:Decrypt");
    expect(diagnosis.report.policy).toMatchObject({
      Statement: [{}, {}, { Action: ["kms:Decrypt"], Resource: ["arn:aws:kms:::key/test"] }],
    });
  });

  test("without the right to read an encrypted object or its head are not confused with those of a key", async () => {
    const server = await serve();
    server.put(BUCKET, "table.csv", "1,2", { encryption: "aws:kms" });
    server.addAccount({ ...READER, rights: (operation) => operation === "list" });
    const { problem, report } = await check(accessTo(server));
    expect([problem?.code, JSON.stringify(report.policy).includes("kms:")]).toEqual(["read_denied", false]);
  });

  test.each([
    ["account_suspended", { status: 403, code: "AllAccessDisabled" }, "bucket", "Ask the owner of the account"],
    [
      "usage_limit_reached",
      { status: 403, code: "AccessDenied", message: "Transaction cap exceeded, see the Caps & Alerts page" },
      "list",
      "can raise the limit at the storage provider",
    ],
  ])("of an account that cannot be used now: %s", async (code, fault, step, action) => {
    const server = await serve();
    server.addFault({ match: { operation: "list" }, fault });
    const found = await failing(accessTo(server));
    expect(found).toMatchObject({ code, step, message: expect.stringContaining(action) });
    expect(found.message).not.toContain("Caps & Alerts");
  });

  test("that were not sent for a bucket that is not public", async () => {
    const server = await serve();
    const access = { endpoint: server.endpoint, bucket: BUCKET };
    const { code, step, message } = await failing(access);
    expect([code, step]).toEqual(["anonymous_denied", "list"]);
    expect(message).toContain("Provide an access key");
  });
});

describe("a bucket", () => {
  test("that does not exist", async () => {
    const server = await serve();
    const diagnosis = await check(accessTo(server, { bucket: "nowhere-at-all" }));
    expect(diagnosis.problem?.code).toBe("bucket_missing");
    expect(diagnosis.report.message).toMatch(/^Connection unsuccessful: the bucket “nowhere-at-all” does not exist/);
    expect(statuses(diagnosis).slice(4, 7)).toEqual(["passed", "failed", "skipped"]);
  });

  test("that does not exist, without keys, leaves the keys and the clock unchecked", async () => {
    const server = await serve();
    const access = { endpoint: server.endpoint, bucket: "nowhere-at-all" };
    const diagnosis = await check(access);
    expect(diagnosis.problem?.code).toBe("bucket_missing");
    expect(statuses(diagnosis).slice(3, 6)).toEqual(["skipped", "skipped", "failed"]);
  });

  test("in another region than the given one: the correct region is named", async () => {
    const server = await serve({ region: "eu-central-1" });
    const { code, step, message } = await failing(accessTo(server, { region: "us-east-1" }));
    expect([code, step]).toEqual(["wrong_region", "bucket"]);
    expect(message).toContain("is in the region “eu-central-1”");
  });

  test("that the server redirects to another region: the region is named and the redirect is not followed", async () => {
    const server = await serve({ redirectRegions: true });
    server.createBucket("far-away", { region: "eu-west-1" });
    const { code, message } = await failing(accessTo(server, { bucket: "far-away", region: "us-east-1" }));
    expect(code).toBe("wrong_region");
    expect(message).toContain("“eu-west-1”");
  });

  test("of which five objects cannot be read", async () => {
    const server = closedAfterTest(await startTestS3Server());
    for (let index = 0; index < 9; index++) server.put(BUCKET, `${index}`, "x", { storageClass: "GLACIER" });
    const { code, step, message } = await failing(accessTo(server));
    expect([code, step]).toEqual(["object_archived", "read"]);
    expect(message).toContain("“0” is in a storage class that cannot be read directly");
    expect(server.history.filter(({ operation }) => operation === "get")).toHaveLength(5);
  });

  test("on a server whose clock differs too much", async () => {
    const server = await serve({ clock: () => new Date(Date.now() + 3_600_000) });
    expect(await failing(accessTo(server))).toMatchObject({ code: "clock_skewed", step: "clock" });
  });

  test("is named in sentences without control characters", async () => {
    const server = closedAfterTest(await startTestS3Server());
    server.put(BUCKET, "\u001b[31mred\u202e", "x", { storageClass: "GLACIER" });
    const { message } = await failing(accessTo(server));
    expect(message).toContain("“\ufffd[31mred\ufffd”");
  });
});

describe("a connection", () => {
  test("to a closed port", async () => {
    const closed = await startRawServer(() => undefined);
    await closed.close();
    const { code, step, message } = await failing(accessTo(closed));
    expect([code, step]).toEqual(["connection_refused", "connect"]);
    expect(message).toContain(`no server listens at 127.0.0.1:${closed.port}`);
  });

  test("to a name that does not resolve", async () => {
    const { code, step, message } = await failing(accessTo({ endpoint: "https://nonexistent.invalid" }));
    expect([code, step]).toEqual(["address_unresolvable", "address"]);
    expect(message).toContain("“nonexistent.invalid” does not exist");
  });

  test("to a name whose lookup never ends stops at the timeout", async () => {
    const stop = new AbortController();
    const result = failing(accessTo({ endpoint: "http://hanging.localhost" }), { signal: stop.signal });
    stop.abort();
    expect(await result).toMatchObject({ code: "source_timeout", step: "address" });
  });

  test("to an address that is not allowed", async () => {
    const server = await serve();
    const egress = { policy: { allowPrivate: false, networks: [] } };
    expect(await failing(accessTo(server), { egress })).toMatchObject({ code: "address_refused", step: "address" });
    expect(server.history).toEqual([]);
  });

  test("to a server that closes every connection", async () => {
    const raw = closedAfterTest(await startRawServer((socket) => socket.resetAndDestroy()));
    expect((await failing(accessTo(raw))).code).toBe("connection_reset");
  });

  test("to a silent server stops at the timeout, and names the step", async () => {
    const server = await serve();
    server.addFault({ fault: { stall: "forever" } });
    const stop = new AbortController();
    const result = failing(accessTo(server), { signal: stop.signal });
    await vi.waitFor(() => expect(server.history).toHaveLength(1));
    stop.abort();
    expect(await result).toMatchObject({ code: "source_timeout", step: "list" });
    expect((await failing(accessTo(server), { signal: AbortSignal.abort() })).code).toBe("source_timeout");
  });

  test("to a server that prepares its listing for long tells so meanwhile, and waits as long as is set", async () => {
    const server = await serve();
    const held = server.hold({ operation: "list" });
    const told: Step[] = [];
    const onStep = (step: Step) => void told.push(step);
    const egress = closedAfterTest(localEgress({ listingTimeoutMs: 300_000 }));
    const slow = diagnose(accessTo(server), egress, { signal: neverAborted, onStep, slowMs: 5 });
    await vi.waitFor(() => expect(told.map(({ note }) => note)).toContain("listing_slow"));
    held.release();
    const { report } = await slow;
    expect(report.message).toBe("Connection successful");
    expect(report.steps.map(({ note }) => note)).not.toContain("listing_slow");
    const { name, status, detail, values } = told.find(({ note }) => note === "listing_slow") as Step;
    expect([name, status, values.limitSeconds]).toEqual(["list", "warning", 300]);
    expect(detail).toMatch(/^The server has not answered for \d+ seconds?\. The check waits up to 5 minutes$/);
    server.addFault({ match: { operation: "list" }, fault: { stall: "forever" } });
    const { code, step, message } = await failing(accessTo(server), { egress: { listingTimeoutMs: 60 } });
    expect([code, step]).toEqual(["source_timeout", "list"]);
    expect(message).toContain("did not send the first page of the listing within");
    expect(message).toContain("ACCESSION_SOURCE_LISTING_TIMEOUT");
  });

  test.each<[Code, StepName, Fault]>([
    ["slow_down", "list", { status: 503, code: "SlowDown" }],
    ["source_error", "list", { status: 500, code: "InternalError" }],
    ["source_refused", "list", { status: 400, code: "InvalidArgument" }],
    ["listing_invalid", "list", { body: "<ListBucketResult><IsTruncated>" }],
    ["not_s3", "signature", { body: "<html><title>MinIO Console</title></html>" }],
  ])("to a server that answers %s", async (code, step, fault) => {
    const server = await serve();
    server.addFault({ fault });
    expect(await failing(accessTo(server))).toMatchObject({ code, step });
  });

  test("to a console that sends callers to its login", async () => {
    const login = "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n";
    const raw = closedAfterTest(await startRawServer((socket) => socket.once("data", () => socket.end(login))));
    expect(await failing(accessTo(raw))).toMatchObject({ code: "redirected", step: "bucket" });
  });

  test("to a web server that is not an S3 server", async () => {
    const web = createHttpServer((_, response) =>
      response.writeHead(404, { "content-type": "text/html" }).end("<html>"),
    );
    web.listen(0, "127.0.0.1");
    await once(web, "listening");
    onTestFinished(() => new Promise<void>((resolve) => void web.close(() => resolve())));
    const endpoint = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    const { code, message } = await failing(accessTo({ endpoint }));
    expect(code).toBe("not_s3");
    expect(message).toContain("not the address of its web console");
  });

  test("to a server that does not speak HTTP", async () => {
    const raw = closedAfterTest(await startRawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.2p1\r\n")));
    expect((await failing(accessTo(raw))).code).toBe("not_s3");
  });
});

describe("TLS", () => {
  const named = "IP:127.0.0.1";

  test("with TLS to a port that expects plain HTTP", async () => {
    const server = await serve();
    const access = accessTo({ endpoint: server.endpoint.replace("http:", "https:") });
    const { code, step, message } = await failing(access);
    expect([code, step]).toEqual(["tls_not_spoken", "tls"]);
    expect(message).toContain("enter the endpoint with http://");
  });

  test("with plain HTTP to a port that expects TLS", async () => {
    const tls = await certificate(named);
    // OpenSSL reports this with an alert, nginx in HTML.
    const alert = closedAfterTest(
      await startRawServer((socket) => socket.once("data", () => socket.end(Buffer.from("15030300020250", "hex")))),
    );
    const nginx = "<html><body>The plain HTTP request was sent to HTTPS port</body></html>";
    const said = closedAfterTest(
      await startRawServer((socket) =>
        socket.once("data", () =>
          socket.end(
            `HTTP/1.1 400 Bad Request\r\nContent-Length: ${nginx.length}\r\nConnection: close\r\n\r\n${nginx}`,
          ),
        ),
      ),
    );
    for (const { endpoint } of [alert, said]) {
      const { code, step, message } = await failing(accessTo({ endpoint }));
      expect([code, step]).toEqual(["tls_expected", "tls"]);
      expect(message).toContain("Enter the endpoint with https://");
    }
    // Node's TLS server closes the connection without a response.
    const silent = await serve({ tls });
    const { code } = await failing(accessTo({ endpoint: silent.endpoint.replace("https:", "http:") }));
    expect(["tls_expected", "connection_reset"]).toContain(code);
  });

  test.each<[string, Parameters<typeof certificate>, Code]>([
    ["is self-signed", [named], "tls_untrusted"],
    ["has expired", [named, "expired"], "tls_expired"],
    ["is for a different name", ["DNS:other.example.org"], "tls_wrong_host"],
  ])("with a certificate that %s", async (_, args, code) => {
    const tls = await certificate(...args);
    const server = await serve({ tls });
    const trusting = code === "tls_untrusted" ? {} : { egress: { ca: [tls.cert] } };
    const diagnosis = await check(accessTo(server), trusting);
    expect(diagnosis.problem?.code).toBe(code);
    expect([diagnosis.step("connect").status, diagnosis.step("tls").status]).toEqual(["passed", "failed"]);
    expect(server.history).toEqual([]);
  });
});
