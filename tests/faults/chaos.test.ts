import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type ChaosRule, type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { apiReader, observe, SourceTracker } from "../support/data-source/source-tracker.ts";
import { checkInvariants, type Observation, type Violation } from "../support/invariants/invariants.ts";
import { type Incident, startTcpProxy } from "../support/network/tcp-proxy.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret/key+of=bucket" };
const BUCKET = "chaos";
const DAY_MS = 86_400_000;
let s3: S3Server;
let service: TestService;
let truth: SourceTracker;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket(BUCKET);
  truth = new SourceTracker(s3, BUCKET);
});
afterEach(async () => {
  vi.useRealTimers();
  await s3.close();
});

const access = () => ({ endpoint: s3.endpoint, bucket: BUCKET, ...keys });
const startChaos = (...rules: ChaosRule[]) =>
  s3.startChaos({ seed: "chaos", rules }, (_, key) => truth.recordChange(key));
const whole = () => s3.history.filter(({ operation, headers }) => operation === "get" && headers.range === undefined);

function fill(objects: number, bytes: (i: number) => number): void {
  for (let i = 0; i < objects; i++) s3.put(BUCKET, `plots/${i % 20}/k${i}`, { seed: `${i}`, size: bytes(i) });
}

/** Returns the violated invariants of this run, without those about datasets, because other tests share the service. */
async function violations(id: string, observed: Observation[] = []): Promise<Violation[]> {
  const found = await checkInvariants({
    source: truth.expectedObjects(),
    data: service.data,
    get: apiReader(service.api),
    accepted: [id],
    observed: [...observed, await observe(service.api, id)],
    history: s3.history,
    secrets: [keys.secretKey],
    logs: [],
  });
  return found.filter(({ invariant }) => invariant !== "no partial datasets");
}

test("5 % of all reads reset at a random byte over 2,000 objects: all identical, without intervention", {
  tags: "extended",
}, async () => {
  fill(2_000, (i) => (i * 37) % 3_000);
  startChaos({ match: { operation: "get" }, share: 0.05, fault: { kind: "reset in body" } });
  const { id } = await service.api.submit(access());
  await service.api.until(id, ["completed"]);
  expect(await violations(id)).toEqual([]);
  const broken = s3.history.filter(({ operation }) => operation === "get").length - 2_000;
  expect(broken).toBeGreaterThan(50);
});

test("temporary faults of every kind at once: readable objects are stored, the others are reported", {
  tags: "extended",
}, async () => {
  fill(300, (i) => (i % 50 === 0 ? 1_500_000 : i * 10));
  const kinds = ["reset", "reset in body", "flipped bit", "short without length", "error in 200", "html"] as const;
  startChaos(
    ...kinds.map((kind): ChaosRule => ({ match: { operation: "get", first: 2 }, share: 0.05, fault: { kind } })),
    { match: { operation: "get", first: 3 }, share: 0.1, fault: { kind: "status", status: 503, code: "SlowDown" } },
    { match: { operation: "get", first: 1 }, share: 0.03, fault: { kind: "overwritten" } },
    { match: { operation: "get", first: 1 }, share: 0.03, fault: { kind: "deleted" } },
    { match: { operation: "get", first: 1 }, share: 0.03, fault: { kind: "added" } },
  );
  const { id } = await service.api.submit(access());
  const waiting = await service.api.until(id, ["waiting"]);
  expect(waiting.waiting?.code).toBe("objects_unreadable");
  const observed = [await observe(service.api, id)];
  expect(await violations(id, observed)).toEqual([]);
  for (let rounds = 0; rounds < 5; rounds++) {
    await service.api.post(`/submission/${id}/retry`, {});
    const { status } = await service.api.until(id, ["completed", "waiting"]);
    observed.push(await observe(service.api, id));
    if (status === "completed") break;
  }
  expect(await violations(id, observed)).toEqual([]);
  expect((await service.api.submission(id)).status).toBe("completed");
});

test("a source that answers only 503 for a minute: the submission waits and states the cause, then resumes automatically", {
  tags: "extended",
}, async () => {
  fill(600, () => 200);
  s3.addFault({ match: { operation: "get" }, fault: { delay: 3 } });
  const away = () => s3.addFault({ fault: { status: 503, code: "SlowDown", headers: { "retry-after": "1" } } });
  s3.addFault({ match: { operation: "get", nth: 200 }, fault: { run: () => void away() } });
  const { id } = await service.api.submit(access());
  const { waiting, progress } = await service.api.until(id, ["waiting"]);
  expect(waiting).toMatchObject({ code: "source_unreachable", fault: "source" });
  expect(waiting?.until).not.toBeNull();
  s3.clearFaults();
  s3.clearHistory();
  // The first retry is a minute later. The test advances the clock instead of waiting.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
  await expect.poll(async () => (await service.api.submission(id)).status, { interval: 50 }).toBe("completed");
  expect(whole()).toHaveLength(600 - (progress.objectsStored ?? 0));
  expect(await violations(id)).toEqual([]);
});

test.each([
  [
    "a bucket that is deleted during the transfer",
    "submitter",
    "source_changed",
    { status: 404, code: "NoSuchBucket" },
  ],
  [
    "a clock that is wrong during the transfer",
    "operator",
    "source_blocked",
    { status: 403, code: "RequestTimeTooSkewed" },
  ],
] as const)(
  "%s: the %s must act, and the submission then resumes automatically",
  { tags: "extended" },
  async (_, fault, code, refusal) => {
    fill(300, () => 200);
    const away = () => s3.addFault({ fault: refusal });
    s3.addFault({ match: { operation: "get", nth: 100 }, fault: { run: () => void away() } });
    const { id } = await service.api.submit(access());
    const { waiting } = await service.api.until(id, ["waiting"]);
    expect(waiting).toMatchObject({ code, fault });
    s3.clearFaults();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    await expect.poll(async () => (await service.api.submission(id)).status, { interval: 50 }).toBe("completed");
  },
);

test("a source that answers only 503 for weeks: the submission fails, and the error names the cause", {
  tags: "extended",
}, async () => {
  // A failed submission keeps its stored objects for a retry. A separate service avoids leaving them for other tests.
  await using own = await startTestService();
  fill(100, () => 200);
  const away = () => s3.addFault({ fault: { status: 503, code: "SlowDown" } });
  s3.addFault({ match: { operation: "get", nth: 50 }, fault: { run: () => void away() } });
  const { id } = await own.api.submit(access());
  const { waiting } = await own.api.until(id, ["waiting"]);
  const until = Date.parse(waiting?.until ?? "");
  expect(until - Date.now()).toBeGreaterThan(13 * DAY_MS);
  vi.useFakeTimers({ toFake: ["Date"], now: until + 1_000 });
  await expect.poll(async () => (await own.api.submission(id)).status).toBe("failed");
  expect((await own.api.submission(id)).failure).toMatchObject({ code: "waited_too_long" });
});

// Measures elapsed time.
test("a key that is revoked during the transfer: the submission waits for credentials within 30 s, and stored objects are not read again", {
  tags: "extended",
}, async () => {
  fill(1_000, () => 500);
  const revoked = { accessKey: "AKSOONGONE", secretKey: "soon gone" };
  s3.addAccount(revoked);
  let gone = 0;
  s3.addFault({ match: { operation: "get" }, fault: { delay: 2 } });
  s3.addFault({
    match: { operation: "get", nth: 500, times: 1 },
    fault: {
      run: () => {
        gone = Date.now();
        s3.removeAccount(revoked.accessKey);
      },
    },
  });
  const { id } = await service.api.submit({ ...access(), ...revoked });
  const { waiting } = await service.api.until(id, ["waiting"]);
  expect(Date.now() - gone).toBeLessThan(30_000);
  expect(waiting).toMatchObject({ code: "credentials_rejected", fault: "submitter" });
  const stored = new Set((await service.api.files(id, "&state=stored")).map(({ key }) => key));
  expect(stored.size).toBeGreaterThan(0);
  s3.clearFaults();
  s3.clearHistory();
  await service.api.post(`/submission/${id}/credentials`, { s3Access: access() });
  await service.api.until(id, ["completed"]);
  expect(whole().filter(({ key }) => stored.has(key))).toEqual([]);
  expect(whole()).toHaveLength(1_000 - stored.size);
  expect(await violations(id)).toEqual([]);
});

test("connections that are cut, reset, slowed and left open: all identical, without intervention", {
  tags: "extended",
}, async () => {
  fill(60, (i) => i * 1_000);
  const acts: Incident["act"][] = ["cut", "reset", { drip: 500, everyMs: 1 }, "stall"];
  await using proxy = await startTcpProxy(s3.port, (connection) => {
    // The first few connections belong to the check. One in four of the others is left half open, which is detected after 30 s.
    if (connection < 4 || connection > 15) return undefined;
    const direction = connection % 5 === 0 ? "up" : "down";
    return { direction, after: connection * 700, act: acts[connection % 4] as Incident["act"] };
  });
  const { id } = await service.api.submit({ ...access(), endpoint: `http://127.0.0.1:${proxy.port}` });
  await service.api.until(id, ["completed"]);
  expect(proxy.connections()).toBeGreaterThan(10);
  expect(await violations(id)).toEqual([]);
});
