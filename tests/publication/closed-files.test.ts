import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { rebuildDatabase } from "../../src/main/database-commands.ts";
import { startService } from "../../src/main/start.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import {
  type Attempt,
  type AttemptAnswer,
  OUTSIDER_ATTEMPTS,
  OUTSIDER_ROUTES,
  PACKAGE_PATHS,
  REFUSED_ROUTES,
  sendAttempt,
  type Target,
} from "../support/api/outsider-attempts.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { Canary } from "../support/identity/canary.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const DAY_MS = 86_400_000;
/** Names, contents, digests and sizes of closed files, and everything about a version that is not published. */
const CLOSED = { "README.md": "# Kanarienvogel", "finkenfolder/zeisigtable.csv": `ammernote;${"7".repeat(13_577)}` };
const HIDDEN = { ...CLOSED, "drosselfolder/staradded.csv": "2", "drosselfolder/b?.csv": "3" };
const HIDDEN_TITLE = "Rotkehlchen in the second version";
const canaries = new Canary([
  ...["Kanarienvogel", "finkenfolder", "zeisigtable", "ammernote", "drosselfolder", "staradded", "Rotkehlchen"],
  // The size of a closed file. Digits alone occur by chance in identifiers.
  ...['"', ":", " ", "=", ">"].map((before) => `${before}13587`),
  "13,587",
  ...Object.values(HIDDEN).flatMap((content) => digestsOf(content)),
]);

let s3: S3Server;
let service: TestService;
let ada: string;
let bob: string;
let guest: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({
    ...TOKENS,
    ACCESSION_PUBLICATION: "direct",
    ACCESSION_AUDIT_INTERVAL: "1 second",
    ACCESSION_AUDIT_SHARE: "100%",
  });
  const tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  bob = (await tokens.create("bob", "submitter")).token;
  const elsewhere = await published({ access: "restricted" });
  const link = await service.api.post(`/dataset/${elsewhere.dataset}/access-grant`, { kind: "link" }, bearer(ada));
  guest = link.json.secret;
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await service.stop();
  await s3.close();
});

function digestsOf(content: string): string[] {
  return ["sha512", "sha256", "md5"].flatMap((name) => {
    const digest = createHash(name).update(content).digest();
    return [digest.toString("hex"), digest.toString("base64"), digest.toString("base64url")];
  });
}

async function published(access: object): Promise<PublicationClient> {
  const { dataset } = await archiveAs(service, s3, ada, { files: CLOSED });
  const one = new PublicationClient(service, dataset);
  await one.done(ada, "request", { agreement: true, ...access });
  await one.until(ada, "published");
  return one;
}

const embargo = (embargoDate: string) => ({ access: "embargoed", embargoDate, reason: "The article appears later." });
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const FILE_PATHS = [
  ...["data/finkenfolder/zeisigtable.csv", "data/finkenfolder", "data/finkenfolder/", "data", "data/README.md"],
  ...PACKAGE_PATHS,
];
const target = (dataset: string): Target => ({
  dataset,
  paths: FILE_PATHS,
  prefixes: ["data/", "data/finken", "data/none"],
  words: ["zeisigtabl", "finkenfolde", "ammernot", "Rotkehlche", "staradde", "-zeisigtabl"],
});
/** Sends an attempt. The parts of a signed record (JWS) are decoded, because a size has no certain form in Base64. */
async function sent(attempt: Attempt, token?: string): Promise<AttemptAnswer> {
  const { status, head, bytes } = await sendAttempt(service.url, attempt, token);
  const parts = head.includes("application/jose") ? bytes.toString().split(".") : [];
  return { status, head, bytes: Buffer.concat([bytes, ...parts.map((part) => Buffer.from(part, "base64url"))]) };
}

/** What outsiders can find out: answers that contain a canary. */
async function leaks(
  dataset: string,
  callers: (string | undefined)[],
): Promise<{ found: string[]; sent: number; statuses: Set<number> }> {
  const found: string[] = [];
  const statuses = new Set<number>();
  const attempts = OUTSIDER_ROUTES.flatMap((route) => OUTSIDER_ATTEMPTS[route]?.(target(dataset)) ?? []);
  for (const token of callers) {
    for (const attempt of attempts) {
      const { status, head, bytes } = await sent(attempt, token);
      statuses.add(status);
      if (canaries.isIn(head) || canaries.isIn(bytes)) {
        found.push(`${attempt.method} ${attempt.path} ${JSON.stringify(attempt.headers)}: ${status} ${head}`);
      }
    }
  }
  return { found, sent: attempts.length * callers.length, statuses };
}

describe("outsiders learn nothing about closed files and private versions", () => {
  test("the table of attempts has every route that outsiders can use", () => {
    expect(Object.keys(OUTSIDER_ATTEMPTS).toSorted()).toEqual(OUTSIDER_ROUTES.toSorted());
  });

  test("the lists of curators and operators refuse outsiders", async () => {
    const { dataset } = await published({ access: "restricted" });
    const attempts = REFUSED_ROUTES.flatMap((route) => OUTSIDER_ATTEMPTS[route]?.(target(dataset)) ?? []);
    expect(REFUSED_ROUTES).toEqual(expect.arrayContaining(["GET /curator", "GET /reply-template"]));
    for (const token of [undefined, bob, guest]) {
      const statuses = await Promise.all(attempts.map(async (attempt) => (await sent(attempt, token)).status));
      // The secret of a link is no token of an account.
      expect(new Set(statuses)).toEqual(new Set([token === bob ? 403 : 401]));
    }
  });

  test("with an embargo, on any route, by names, contents, digests, sizes or counts", () =>
    testClosed(embargo("2099-05-01"), [undefined]));
  test("with an embargo, also with the tokens of other accounts", { tags: "extended" }, () =>
    testClosed(embargo("2099-05-01"), [bob, guest]),
  );
  test("with restricted access, on any route, by names, contents, digests, sizes or counts", { tags: "extended" }, () =>
    testClosed({ access: "restricted" }, [undefined, bob, guest]),
  );

  async function testClosed(access: object, callers: (string | undefined)[]): Promise<void> {
    const one = await published(access);
    await archiveAs(service, s3, ada, {
      files: HIDDEN,
      metadata: { ...goodMetadata, title: HIDDEN_TITLE },
      more: { dataset: { id: one.dataset } },
    });
    // The audit reads the files of all versions.
    await vi.waitUntil(async () => (await one.get(ada, "")).json.audit?.files > 10, { interval: 200 });
    expect((await one.get(undefined, "")).json.audit).toMatchObject({ ok: true, files: 2, findings: [] });
    const { found, sent: number, statuses } = await leaks(one.dataset, callers);
    expect(found).toEqual([]);
    expect(number).toBeGreaterThan(300 * callers.length);
    // The attempts got as far as they should: answers with metadata, refusals of files, and missing versions.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 403, 404, 422]));
    // The canaries are there: the owner finds them on the same routes.
    for (const path of ["/files", "/unpacking", "/files/data/README.md", "/linkset", "?version=2"]) {
      const { head, bytes } = await sent({ method: "GET", path: `/dataset/${one.dataset}${path}` }, ada);
      expect([path, canaries.isIn(bytes) || canaries.isIn(head)]).toEqual([path, true]);
    }
  }

  test("a path that exists is refused like one that does not", async () => {
    const one = await published({ access: "restricted" });
    const answers = FILE_PATHS.map(async (path) => {
      const { json } = await one.get(undefined, `/files/${path}`);
      const link = await service.api.post(`/dataset/${one.dataset}/download-link`, { path });
      const { instance: _, ...same } = json;
      const { instance: __, ...linked } = link.json;
      return [same, linked];
    });
    const [first, ...others] = await Promise.all(answers);
    for (const other of others) expect(other).toEqual(first);
    expect(first?.[0]).toMatchObject({
      code: "not_public",
      requestAccess: `${service.url}/app/datasets/${one.dataset}/access?version=1`,
    });
  });
});

describe("the end of an embargo", () => {
  /** Sets the clock of the service; the time goes on from there. */
  const setClock = (time: number) => vi.useFakeTimers({ toFake: ["Date"], now: time });

  test("is midnight in UTC, decided for each request, also if the clock is set back", async () => {
    const date = dayFromNow(3);
    const one = await published(embargo(date));
    const midnight = Date.parse(`${date}T00:00:00Z`);
    const state = async () => {
      const [files, file, crate, linkset, head, view, page] = await Promise.all([
        one.get(undefined, "/files"),
        one.get(undefined, "/files/data/README.md"),
        one.get(undefined, "/export/bagit"),
        one.get(undefined, "/linkset"),
        one.get(undefined, ""),
        one.get(),
        sent({ method: "GET", path: `/dataset/${one.dataset}`, headers: { accept: "text/html" } }),
      ]);
      return {
        statuses: [files, file, crate].map(({ status }) => status),
        listed: [linkset.text, head.headers.get("link")].map((text) => text?.includes("zeisigtable")),
        filesOpen: view.json.filesOpen,
        page: page.bytes.includes("under embargo"),
      };
    };
    const shut = { statuses: [403, 403, 403], listed: [false, false], filesOpen: false, page: true };
    const open = { statuses: [200, 200, 200], listed: [true, true], filesOpen: true, page: false };
    for (const [time, expected] of [
      [Date.now(), shut],
      [midnight - 3_600_000, shut],
      [midnight - 1_000, shut],
      [midnight + 1_000, open],
      [midnight + 3_600_000, open],
      [midnight - 1_000, shut],
      [midnight + DAY_MS, open],
    ] as const) {
      vi.useRealTimers();
      setClock(time);
      expect([new Date(time).toISOString(), await state()]).toEqual([new Date(time).toISOString(), expected]);
    }
  });

  test("also decides about download links that were created before, in both directions", async () => {
    const date = dayFromNow(3);
    const midnight = Date.parse(`${date}T00:00:00Z`);
    const one = await published(embargo(date));
    const link = () => service.api.post(`/dataset/${one.dataset}/download-link`, { path: "data/README.md" });
    setClock(midnight - 1_000);
    expect((await link()).json.code).toBe("embargoed");
    vi.useRealTimers();
    setClock(midnight + 1_000);
    const [first, second] = [await link(), await link()];
    expect([first.status, second.status]).toEqual([201, 201]);
    const take = (url: string) => sent({ method: "GET", path: url });
    expect((await take(first.json.url)).bytes.toString()).toBe(CLOSED["README.md"]);
    vi.useRealTimers();
    setClock(midnight - 1_000);
    const late = await take(second.json.url);
    expect([late.status, JSON.parse(late.bytes.toString()).code, canaries.isIn(late.bytes)]).toEqual([
      403,
      "embargoed",
      false,
    ]);
  });

  test("can be moved or dropped only with a reason, which is an event", async () => {
    const one = await published(embargo(dayFromNow(3)));
    const change = (body: object) => one.act(ada, "change-access", body);
    for (const body of [{ access: "open" }, { access: "embargoed", embargoDate: "2099-01-01", reason: " " }]) {
      expect((await change(body)).json.errors).toMatchObject([{ pointer: "/reason", code: "required" }]);
    }
    await one.done(ada, "change-access", { access: "embargoed", embargoDate: "2099-01-01", reason: "A patent" });
    expect((await one.get()).json).toMatchObject({ embargoDate: "2099-01-01", filesOpen: false });
    await one.done(ada, "change-access", { access: "open", reason: "The article appeared" });
    expect((await one.get(undefined, "/files")).status).toBe(200);
    const [{ submission }] = (await one.get(ada, "/versions")).json;
    const { json } = await service.api.get(`/submission/${submission}/events`, bearer(ada));
    const changes = json.filter(({ type }: { type: string }) => type === "access_changed");
    expect(changes.map(({ data }: { data: { comment: string } }) => data.comment)).toEqual([
      "A patent",
      "The article appeared",
    ]);
  });
});

/** Restores a copy of the database, and rebuilds it from the archive. */
async function rebuildOver(restore: () => Promise<void>): Promise<void> {
  await service.restart(async () => {
    await restore();
    const settings = { ACCESSION_DATA: service.data, ACCESSION_PORT: "0", ACCESSION_LOG_LEVEL: "silent" };
    const config = readConfig({ ...settings, ...service.settings });
    await expect(startService(config)).rejects.toThrow("The database is older than the archive");
    const listener = { outcome: () => {}, looking: () => {}, writing: () => {} };
    await rebuildDatabase(config, listener, new AbortController().signal);
  });
}

test("after a rebuild has undone it, the same action is not regarded as a repeated one", {
  tags: "extended",
}, async () => {
  const one = await published({ access: "open" });
  const close = { access: "restricted", reason: "Consent" };
  await one.done(ada, "change-access", close);
  // If the backup had a change that no record states, the more closed access would be restored.
  await service.settled();
  let restore = async () => {};
  await service.restart(async () => {
    restore = await service.backUpDatabase();
  });
  await one.done(ada, "change-access", { access: "open", reason: "The consent was given" });
  await service.settled();
  await rebuildOver(restore);
  expect((await one.get()).json.access).toBe("open");
  await one.done(ada, "change-access", close);
  expect((await one.get()).json.access).toBe("restricted");
  expect((await one.get(undefined, "/files")).status).toBe(403);
});

test("files that were closed after a database backup stay closed when it is restored", {
  tags: "extended",
}, async () => {
  const one = await published({ access: "open" });
  let restore = async () => {};
  await service.restart(async () => {
    restore = await service.backUpDatabase();
  });
  await one.done(ada, "change-access", { access: "restricted", reason: "Consent" });
  await service.settled();
  await rebuildOver(restore);
  expect((await one.get()).json).toMatchObject({ state: "published", access: "restricted" });
  expect((await one.get(undefined, "/files")).status).toBe(403);
  expect((await one.get(ada, "/files")).status).toBe(200);
});
