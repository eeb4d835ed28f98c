import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse as parseYaml } from "yaml";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { QUEUES } from "../../src/domain/submission/queues.ts";
import { STATUSES } from "../../src/domain/submission/states.ts";
import { Api } from "../support/api/api.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { type Postgres, postgresAdmin, startPostgres } from "../support/database/postgres.ts";
import { type Machines, openMachines } from "../support/program/machines.ts";
import type { Worker } from "../support/program/program.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { type Metric, readMetrics, type Sample, sampleOf } from "../support/receivers/prometheus.ts";
import { readExpression } from "../support/receivers/promql.ts";
import { lacks, skipNote } from "../support/tools.ts";

const keys = { accessKey: "AKMETRICS", secretKey: "secret-key-of-the-bucket" };
const OBJECTS = 20;
const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const waiting = { interval: 50 };

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  for (const bucket of ["whole-bucket", "locked-bucket", "garbled-bucket"]) {
    s3.createBucket(bucket);
    for (let n = 0; n < OBJECTS; n++) s3.put(bucket, `k${n}`, "x".repeat(n + 1));
  }
});
afterAll(() => s3.close());

const access = (bucket: string) => ({ endpoint: s3.endpoint, bucket, ...keys });
const metricsOf = async (service: Pick<TestService, "api">) => (await service.api.get("/metrics")).text;

describe("metrics after several submissions", () => {
  let account: DataciteAccount;
  let service: TestService;
  let text: string;
  let metrics: Map<string, Metric>;

  beforeAll(async () => {
    account = await openDatacite();
    Object.assign(account.server.accounts[0] ?? {}, { password: "another one" });
    service = await startTestService({
      ACCESSION_AUDIT_INTERVAL: "1 second",
      ACCESSION_AUDIT_SHARE: "100%",
      ACCESSION_PUBLICATION: "direct",
      ...account.settings(),
    });
    const busy = s3.addFault({
      match: { bucket: "whole-bucket", operation: "get", key: "k7", times: 1 },
      fault: { status: 503, code: "SlowDown" },
    });
    const whole = await service.api.submit(access("whole-bucket"));
    const { dataset } = await service.api.until(whole.id, ["completed"]);
    const publication = `/dataset/${dataset?.id}/publication`;
    await service.api.post(`${publication}/request`, { agreement: true, access: "open" });
    await vi.waitUntil(async () => (await service.api.get(publication)).json.problem !== null, waiting);
    busy();
    // The first read is that of the check.
    const late = { nth: 2, times: 1_000 };
    const denied = { status: 403, code: "AccessDenied" };
    s3.addFault({ match: { bucket: "locked-bucket", operation: "get", ...late }, fault: denied });
    const locked = await service.api.submit(access("locked-bucket"));
    await service.api.until(locked.id, ["waiting"]);
    const garbled = { status: 200, contentType: "application/xml", body: "<ListBucketResult><IsTruncated>" };
    s3.addFault({ match: { bucket: "garbled-bucket", operation: "list", ...late }, fault: garbled });
    const hopeless = await service.api.submit(access("garbled-bucket"));
    await service.api.until(hopeless.id, ["failed"]);
    await service.api.get("/nowhere/a-key-that-was-pasted");
    const audited = async () => sampleOf(await metricsOf(service), "accession_audit_datasets_total") ?? 0;
    // The audit yields to other work, so it can be late on a busy machine.
    await vi.waitUntil(async () => (await audited()) > 0, waiting);
    text = await metricsOf(service);
    metrics = readMetrics(text);
  });
  afterAll(async () => {
    await service.stop();
    await account.close();
  });

  test("submissions are counted by status, and stopped ones by cause and by the party that must act", () => {
    const byStatus = metrics.get("accession_submissions")?.samples.map(({ labels, value }) => [labels.status, value]);
    const counts = { completed: 1, waiting: 1, failed: 1 };
    expect(Object.fromEntries(byStatus ?? [])).toEqual({
      ...Object.fromEntries(STATUSES.map((status) => [status, 0])),
      ...counts,
    });
    expect(metrics.get("accession_submissions_waiting")?.samples).toMatchObject([
      { labels: { code: "objects_unreadable", fault: "submitter" }, value: 1 },
    ]);
    expect(metrics.get("accession_submissions_failed")?.samples).toMatchObject([
      { labels: { code: "listing_invalid", fault: "source" }, value: 1 },
    ]);
  });

  test("publications are counted by state, and delayed ones by cause and by the party that must act", () => {
    expect(sampleOf(text, "accession_publications", { state: "registering" })).toBe(1);
    expect(sampleOf(text, "accession_publications", { state: "published" })).toBe(0);
    expect(sampleOf(text, "accession_publications_oldest_seconds", { state: "registering" })).toBeGreaterThan(0);
    expect(sampleOf(text, "accession_publications_oldest_seconds", { state: "in_review" })).toBe(0);
    expect(sampleOf(text, "accession_publications_oldest_seconds", { state: "published" })).toBeUndefined();
    expect(metrics.get("accession_publications_delayed")?.samples).toMatchObject([
      { labels: { code: "datacite_credentials", fault: "operator" }, value: 1 },
    ]);
  });

  test("objects, bytes and failed requests to the source are counted", () => {
    expect(sampleOf(text, "accession_stored_objects_total")).toBe(OBJECTS);
    expect(sampleOf(text, "accession_stored_bytes_total")).toBe((OBJECTS * (OBJECTS + 1)) / 2);
    expect(sampleOf(text, "accession_unreadable_objects_total", { code: "object_denied" })).toBe(OBJECTS);
    // The second try has read the object.
    expect(sampleOf(text, "accession_source_errors_total", { code: "slow_down" })).toBe(1);
    expect(sampleOf(text, "accession_source_errors_total", { code: "object_denied" })).toBe(OBJECTS);
    expect(sampleOf(text, "accession_source_errors_total", { code: "listing_invalid" })).toBe(1);
  });

  test("requests are counted by route, not by their content", () => {
    const count = (labels: Record<string, string>) =>
      sampleOf(text, "accession_http_request_duration_seconds_count", labels);
    expect(count({ method: "POST", route: "/submission/upload/s3upload", status: "202" })).toBe(3);
    expect(count({ method: "GET", route: "none", status: "404" })).toBe(1);
    expect(count({ method: "GET", route: "/submission/:id" })).toBeGreaterThan(0);
  });

  test("every step reports duration and outcome of its jobs", () => {
    const count = (queue: string, outcome: string) =>
      sampleOf(text, "accession_job_duration_seconds_count", { queue, outcome });
    for (const queue of ["list", "transfer", "verify", "package", "audit"]) {
      expect(count(queue, "done"), queue).toBeGreaterThan(0);
    }
    // The submission whose listing was invalid.
    expect(count("list", "halted")).toBe(1);
    expect(count("list", "failed")).toBeUndefined();
  });

  test("queues are reported, also if no job waits", () => {
    // This service sends no mail.
    for (const queue of Object.values(QUEUES).filter((name) => name !== QUEUES.mail)) {
      expect(sampleOf(text, "accession_jobs", { queue, state: "waiting" }), queue).toBeGreaterThanOrEqual(0);
      expect(sampleOf(text, "accession_jobs_oldest_waiting_seconds", { queue }), queue).toBeGreaterThanOrEqual(0);
    }
    expect(sampleOf(text, "accession_database_up")).toBe(1);
    const busy = sampleOf(text, "accession_database_connections", { state: "busy" }) ?? Number.NaN;
    expect(busy + (sampleOf(text, "accession_database_connections", { state: "idle" }) ?? Number.NaN)).toBeGreaterThan(
      0,
    );
    expect(metrics.get("accession_build_info")?.samples).toMatchObject([
      { labels: { version: JSON.parse(read("package.json")).version, role: "all" }, value: 1 },
    ]);
  });

  test("metrics contain no names", () => {
    for (const name of ["-bucket", "Barley", "anonymous", s3.endpoint, "127.0.0.1", keys.accessKey, "pasted"]) {
      expect(text).not.toContain(name);
    }
  });

  test("docs/operating.md has every metric with its type and labels, and no other", () => {
    const rows = [...read("docs/operating.md").matchAll(/^\| `(accession_[a-z_]+)` +\| (\w+) +\| ([^|]*?) +\|/gm)];
    const documented = rows.map(([, name, type, labels = ""]) => [name, type, labels.replaceAll("`", "")]);
    const shown = [...metrics.values()]
      .filter(({ name }) => name.startsWith("accession_"))
      .map((metric) => [metric.name, metric.type, labelsOf(metric).join(", ")]);
    expect(documented.toSorted()).toEqual(shown.toSorted());
  });

  describe("deploy/", () => {
    const alerts = parseYaml(read("deploy/prometheus-alerts.yaml")) as {
      groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
    };
    const rules = alerts.groups.flatMap((group) => group.rules);
    const dashboard = JSON.parse(read("deploy/grafana-dashboard.json")) as {
      panels: { id: number; title: string; targets?: { expr: string; legendFormat: string }[] }[];
    };
    const targets = dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map((target) => ({ title, ...target })),
    );

    test.each([
      ...rules.map(({ alert, expr, annotations }) => [alert, expr, annotations.summary] as const),
      ...targets.map(({ title, expr, legendFormat }) => [title, expr, legendFormat] as const),
    ])("%s uses existing metrics, labels and values", (_, expr, words) => {
      const { selectors, grouping } = readExpression(expr);
      const given = selectors.flatMap(({ metric, matchers }) => {
        const samples = samplesOf(metric);
        expect(samples, metric).not.toEqual([]);
        const labels = [...new Set(samples.flatMap((sample) => Object.keys(sample.labels))), ...SCRAPED];
        for (const { label, operator, value } of matchers) {
          expect(labels, metric).toContain(label);
          const choices = /~/.test(operator) ? value.split("|") : [value];
          const known = VALUES[label];
          if (known !== undefined) for (const choice of choices) expect(known, label).toContain(choice);
        }
        return labels;
      });
      const named = [...words.matchAll(/(?:\$labels\.|\{\{)([a-z]+)\}?/g)].map(([, label = ""]) => label);
      for (const label of [...grouping, ...named]) expect(given).toContain(label);
    });

    test("alerts are those of docs/operating.md", () => {
      const named = [...read("docs/operating.md").matchAll(/^\| `(Accession\w+)`/gm)].map(([, name]) => name);
      expect(named.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
    });

    test("panels have unique ids", () => {
      const ids = dashboard.panels.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(targets.length).toBeGreaterThan(20);
    });
  });

  /** Returns the samples with exactly this name. Those of a histogram end in `_bucket`, `_sum` and `_count`. */
  function samplesOf(name: string): Sample[] {
    return [...metrics.values()].flatMap(({ samples }) => samples).filter((sample) => sample.name === name);
  }
});

describe.skipIf(lacks("PostgreSQL"))(`a separate worker ${skipNote("PostgreSQL")}`, () => {
  let postgres: Postgres;
  let machines: Machines;
  beforeAll(async () => {
    postgres = await startPostgres();
    machines = await openMachines(postgresAdmin.urlOf(postgres.url, await postgresAdmin.create(postgres.url)));
  });
  afterAll(async () => {
    await machines[Symbol.asyncDispose]();
    await postgres.stop();
  });

  const addressOf = (worker: Worker) => /"probes":"([^"]+)"/.exec(worker.log())?.[1];

  test("reports its own work, and the API process reports the installation", { tags: "extended" }, async () => {
    const [api, worker] = await Promise.all([machines.api(), machines.worker({ ACCESSION_METRICS_PORT: "0" })]);
    const probes = new Api(addressOf(worker) ?? "");
    const { id } = await api.api.submit(access("whole-bucket"));
    await api.api.until(id, ["completed"]);
    // A job is counted shortly after its effect is visible.
    const packaged = { queue: "package", outcome: "done" };
    const jobs = async () =>
      sampleOf(await metricsOf({ api: probes }), "accession_job_duration_seconds_count", packaged) ?? 0;
    await expect.poll(jobs, waiting).toBeGreaterThan(0);
    const [own, ofAll] = [await metricsOf({ api: probes }), await metricsOf(api)];
    expect(sampleOf(own, "accession_stored_objects_total")).toBe(OBJECTS);
    expect(sampleOf(own, "accession_build_info", { role: "worker" })).toBe(1);
    expect(sampleOf(own, "accession_database_connections", { state: "idle" })).toBeGreaterThan(0);
    expect(own).not.toContain("accession_submissions");
    expect(sampleOf(ofAll, "accession_submissions", { status: "completed" })).toBe(1);
    expect(sampleOf(ofAll, "accession_stored_objects_total")).toBe(0);
    expect(sampleOf(ofAll, "accession_job_duration_seconds_count", { queue: "package" })).toBeUndefined();

    expect((await probes.get("/health/live")).json).toEqual({ status: "ok" });
    expect((await probes.get("/health/ready")).json).toEqual({ status: "ok" });
    const elsewhere = await fetch(`${probes.url}/submission`);
    expect(await elsewhere.json()).toMatchObject({ status: 404, code: "not_found" });
    expect((await probes.get("/metrics", { origin: "https://evil.example.org" })).status).toBe(403);

    await postgres.restart(async () => {
      expect((await probes.get("/health/ready")).status).toBe(503);
      expect((await probes.get("/health/live")).status).toBe(200);
      // Cached values may be returned once more.
      await expect.poll(async () => sampleOf(await metricsOf(api), "accession_database_up"), waiting).toBe(0);
      const meanwhile = await metricsOf(api);
      expect(meanwhile).not.toMatch(/^accession_(?:submissions|jobs|audit)/m);
      expect(sampleOf(meanwhile, "accession_build_info")).toBe(1);
    });
    await expect.poll(async () => sampleOf(await metricsOf(api), "accession_database_up"), waiting).toBe(1);
    expect(sampleOf(await metricsOf(api), "accession_submissions", { status: "completed" })).toBe(1);
  });

  test("requires a token if authentication is on, and listens only if configured", { tags: "extended" }, async () => {
    const [closed, silent] = await Promise.all([
      machines.worker({ ACCESSION_METRICS_PORT: "0", ACCESSION_AUTH: "tokens" }),
      machines.worker(),
    ]);
    const probes = new Api(addressOf(closed) ?? "");
    expect((await probes.get("/metrics")).status).toBe(401);
    expect((await probes.get("/health/ready")).status).toBe(200);
    expect(addressOf(silent)).toBeUndefined();
    expect(await closed.end("SIGTERM")).toBe(0);
  });
});

/** Labels that Prometheus adds. */
const SCRAPED = ["instance", "job"];
/** All possible values of labels with few values. */
const VALUES: Record<string, readonly string[]> = {
  queue: Object.values(QUEUES),
  state: ["waiting", "running", "busy", "idle"],
  outcome: ["done", "halted", "failed", "interrupted", "delivered", "given_up"],
  kind: ["webhook", "mail"],
  fault: ["submitter", "source", "service", "operator"],
  role: ["all", "api", "worker"],
  method: ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "other"],
};

function labelsOf({ samples }: Metric): string[] {
  return [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))]
    .filter((label) => label !== "le")
    .toSorted();
}
