import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { TOKENS } from "../support/api/callers.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { postgresAdmin, startPostgres } from "../support/database/postgres.ts";
import { openMachines } from "../support/program/machines.ts";
import { type Program, startProgram } from "../support/program/program.ts";
import { startTestService } from "../support/program/service.ts";
import { type Collector, type Span, startCollector } from "../support/receivers/collector.ts";
import { lacks, skipNote } from "../support/tools.ts";

const keys = { accessKey: "AKTRACES", secretKey: "secret-key-of-the-bucket" };
const SERVER = 2;
const CONSUMER = 5;
const FAILED = 2;
/** The metric of a submission’s last job. */
const ENDED = /^accession_job_duration_seconds_count\{.*queue="package".*\} 1$/m;
let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("traced-bucket");
  for (let n = 0; n < 10; n++) s3.put("traced-bucket", `a-key-${n}`, "0123456789");
});
afterAll(() => s3.close());

const access = () => ({ endpoint: s3.endpoint, bucket: "traced-bucket", ...keys });
const byName = (spans: readonly Span[], name: string) => spans.filter((span) => span.name === name);

/** Runs a program with a separate data folder for some requests, and stops it, so that it has sent all spans. */
async function run(settings: Record<string, string>, journey: (program: Program) => Promise<void>): Promise<Program> {
  const data = await createDataFolder();
  const program = await startProgram(data, settings);
  try {
    await journey(program);
    expect(await program.end("SIGTERM")).toBe(0);
  } finally {
    await program.end("SIGKILL");
    await rm(data, { recursive: true, force: true });
  }
  return program;
}

describe("a submission", () => {
  let collector: Collector;
  let program: Program;
  let id: string;
  let trace: Span[];

  beforeAll(async () => {
    collector = await startCollector();
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector-secret",
      OTEL_SERVICE_NAME: "accession-under-test",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    };
    program = await run(settings, async ({ api }) => {
      const traceparent = "00-11111111111111111111111111111111-2222222222222222-01";
      const accepted = await api.post(
        "/submission/upload/s3upload",
        { metadata: { title: "A title", authors: [{ role: "Creator", lastName: "Carberry" }] }, s3Access: access() },
        { traceparent },
      );
      id = accepted.json.id;
      await api.until(id, ["completed"]);
      await api.get("/health/ready");
      // The job ends a moment after its submission. A process that is told to stop before reports it as interrupted.
      await vi.waitUntil(async () => ENDED.test((await api.get("/metrics")).text));
    });
    const [request] = byName(collector.spans, "POST /submission/upload/s3upload");
    trace = collector.spans.filter(({ traceId }) => traceId === request?.traceId);
  });
  afterAll(() => collector[Symbol.asyncDispose]());

  test("is one trace: the request, the check of its source, and all resulting jobs", () => {
    const [request] = byName(trace, "POST /submission/upload/s3upload");
    expect(request).toMatchObject({
      parentSpanId: "",
      kind: SERVER,
      attributes: {
        "http.request.method": "POST",
        "http.route": "/submission/upload/s3upload",
        "http.response.status_code": 202,
        "accession.submission.id": id,
      },
      resource: { "service.name": "accession-under-test", "deployment.environment.name": "test" },
    });
    expect(byName(trace, "check source")).toMatchObject([{ parentSpanId: request?.spanId }]);
    for (const queue of ["list", "transfer", "verify", "package"]) {
      const [job] = byName(trace, `process ${queue}`);
      expect(job, queue).toMatchObject({
        parentSpanId: request?.spanId,
        kind: CONSUMER,
        attributes: {
          "messaging.system": "pg-boss",
          "messaging.destination.name": queue,
          "accession.submission.id": id,
          "accession.submission.attempt": 1,
          "accession.outcome": "done",
        },
      });
    }
    const [listing] = byName(trace, "process list");
    expect(listing?.attributes).toMatchObject({ "accession.objects.listed": 10 });
    const [transfer] = byName(trace, "process transfer");
    expect(transfer?.attributes).toMatchObject({
      "accession.chunk": 0,
      "accession.objects.stored": 10,
      "accession.bytes.stored": 100,
      "accession.objects.failed": 0,
    });
    const [packaging] = byName(trace, "process package");
    for (const part of ["build package", "publish package"]) {
      expect(byName(trace, part), part).toMatchObject([{ parentSpanId: packaging?.spanId }]);
    }
  });

  test("does not continue traces of clients, and health checks are not traced", () => {
    expect(collector.spans.filter(({ traceId }) => /^1+$/.test(traceId))).toEqual([]);
    expect(collector.spans.filter(({ name }) => /health|metrics/.test(name))).toEqual([]);
  });

  test("contains no key, bucket, endpoint, title, owner or secret", () => {
    expect(collector.bodies.join()).toContain("/submission/:id");
    for (const name of [
      "a-key-",
      "traced-bucket",
      s3.endpoint,
      "A title",
      "Carberry",
      'local"',
      ...Object.values(keys),
    ]) {
      expect(collector.bodies.join(), name).not.toContain(name);
    }
  });

  test("is sent with the collector’s headers, which the log does not contain", () => {
    expect(collector.headers.map(({ authorization }) => authorization)).toContain("Bearer collector-secret");
    expect(program.log()).not.toContain("collector-secret");
    expect(program.log()).not.toContain(collector.url);
  });
});

test("a trusted proxy’s trace is continued, and not sent if the proxy did not sample it", {
  tags: "extended",
}, async () => {
  await using collector = await startCollector();
  {
    await using service = await startTestService({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      ACCESSION_TRUSTED_PROXIES: "127.0.0.1/32",
      ...TOKENS,
    });
    await service.api.get("/submission", { traceparent: "00-11111111111111111111111111111111-2222222222222222-01" });
    await service.api.get("/submission", { traceparent: "00-33333333333333333333333333333333-4444444444444444-00" });
    await service.api.get("/submission", { traceparent: "no traceparent" });
    await service.api.get("/submission/11111111-1111-4111-8111-111111111111");
  }
  const lists = byName(collector.spans, "GET /submission");
  expect(lists.map(({ parentSpanId }) => parentSpanId)).toEqual(["2222222222222222", ""]);
  expect(lists[0]?.traceId).toBe("1".repeat(32));
  expect(byName(collector.spans, "GET /submission/:id")).toMatchObject([
    { attributes: { "http.response.status_code": 401 }, status: { code: 0 } },
  ]);
});

test("a job that stops its submission fails, by the code and not by the message", async () => {
  await using collector = await startCollector();
  const endFault = s3.addFault({
    match: { operation: "list", nth: 2, times: 1_000 },
    fault: { status: 200, contentType: "application/xml", body: "<ListBucketResult><IsTruncated>" },
  });
  try {
    await using service = await startTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const { id } = await service.api.submit(access());
    await service.api.until(id, ["failed"]);
  } finally {
    endFault();
  }
  // A busy service may have queued the job again before the submission failed.
  const [job] = byName(collector.spans, "process list");
  expect(job).toMatchObject({
    attributes: { "accession.outcome": "halted" },
    status: { code: FAILED, message: "listing_invalid" },
  });
});

test.skipIf(lacks("PostgreSQL"))(
  `processes on several machines share a trace ${skipNote("PostgreSQL")}`,
  { tags: "extended" },
  async () => {
    await using collector = await startCollector();
    const postgres = await startPostgres();
    try {
      const url = postgresAdmin.urlOf(postgres.url, await postgresAdmin.create(postgres.url));
      await using machines = await openMachines(url);
      const settings = (name: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: name });
      const [api, worker] = await Promise.all([machines.api(settings("api")), machines.worker(settings("worker"))]);
      const { id } = await api.api.submit(access());
      await api.api.until(id, ["completed"]);
      await Promise.all([api.end("SIGTERM"), worker.end("SIGTERM")]);
    } finally {
      await postgres.stop();
    }
    const [request] = byName(collector.spans, "POST /submission/upload/s3upload");
    const [packaging] = byName(collector.spans, "process package");
    expect(packaging?.resource["service.name"]).toBe("worker");
    expect(packaging).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId });
  },
);

describe("the loaded code", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "accession-loaded-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs a submission with these settings. Returns the program and all modules that it has loaded. */
  async function loadedWith(settings: Record<string, string>): Promise<{ program: Program; modules: string[] }> {
    const file = join(folder, "modules");
    await writeFile(file, "");
    const hook = join(import.meta.dirname, "../support/program/loaded-modules.mjs");
    const watched = { NODE_OPTIONS: `--import=${hook}`, LOADED_MODULES: file };
    const program = await run({ ...watched, ...settings }, async ({ api }) => {
      const { id } = await api.submit(access());
      await api.until(id, ["completed"]);
    });
    return { program, modules: (await readFile(file, "utf8")).split("\n") };
  }
  // The API package is a dependency of the metrics library, and has no effect without an SDK.
  const isTelemetry = (url: string) => /opentelemetry/i.test(url) && !url.includes("/@opentelemetry/api/");

  test("contains neither OpenTelemetry’s SDK while traces are off nor the validator of DataCite’s schema before a publication", {
    tags: "extended",
  }, async () => {
    const { modules } = await loadedWith({});
    expect(modules.filter((url) => url.includes("/steps/transfer/transfer-thread.ts"))).not.toEqual([]);
    expect(modules.filter(isTelemetry)).toEqual([]);
    expect(modules.filter((url) => url.includes("libxml2-wasm"))).toEqual([]);
  });

  test("contains it while traces are on; a collector that refuses them causes only a log line", {
    tags: "extended",
  }, async () => {
    await using collector = await startCollector(400);
    const begun = performance.now();
    const { program, modules } = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const minutes = Math.ceil((performance.now() - begun) / 60_000);
    expect(modules.filter(isTelemetry)).not.toEqual([]);
    expect(collector.headers).not.toEqual([]);
    const lines = program.log().match(/the collector does not accept the traces/g) ?? [];
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length, "at most one line per minute").toBeLessThanOrEqual(minutes);
  });
});
