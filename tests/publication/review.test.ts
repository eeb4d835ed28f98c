import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { objectFolder } from "../../src/archive/layout.ts";
import { verifyPublicationRecord } from "../../src/archive/receipts/signing.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let service: TestService;
let ada: string;
let bob: string;
let curator: string;
let admin: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" });
  const tokens = await Tokens.open(service);
  admin = tokens.admin;
  ada = (await tokens.create("ada", "submitter")).token;
  bob = (await tokens.create("bob", "submitter")).token;
  curator = (await tokens.create("cleo", "curator")).token;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function archived(options: Parameters<typeof archiveAs>[3] = {}): Promise<PublicationClient> {
  const { dataset } = await archiveAs(service, s3, ada, options);
  return new PublicationClient(service, dataset);
}

const asked = { agreement: true, access: "open" };

describe("review and publication without DOIs", () => {
  test("a dataset goes from its owner to a curator and back, and is published with a signed record", async () => {
    const one = await archived();
    const before = (await one.get(ada)).json;
    expect(before).toMatchObject({ state: "private", waitingFor: null, actions: ["request"], identifier: null });
    expect((await one.get()).status).toBe(401);
    expect((await one.get(bob)).status).toBe(404);

    const requested = await one.done(ada, "request", { ...asked, publishOnApproval: false, comment: "Please look" });
    expect(requested).toMatchObject({ state: "in_review", waitingFor: "curator", requestedBy: "ada" });
    expect(requested.agreement).toMatchObject({ language: "en", by: "ada" });
    expect((await one.done(curator, "assign", { curator: "cleo" })).assignee).toBe("cleo");
    await one.done(curator, "comment", { comment: "Which depth?", place: { field: "/description" } });
    const returned = await one.done(curator, "request-changes", { comment: "Please state the depth." });
    expect(returned).toMatchObject({ state: "changes_requested", waitingFor: "owner" });
    await one.done(ada, "comment", { comment: "20 cm", answers: 3 });
    await one.done(ada, "request", { ...asked, publishOnApproval: false });
    const approved = await one.done(curator, "approve");
    expect(approved).toMatchObject({ state: "approved", waitingFor: "owner", approvedBy: "cleo", approvedRevision: 1 });
    expect((await one.get()).status).toBe(401);

    await one.done(ada, "publish");
    const published = await one.until(ada, "published");
    expect(published).toMatchObject({
      identifier: `urn:uuid:${one.dataset}`,
      doi: null,
      filesOpen: true,
      problem: null,
    });
    expect(
      published.history.map(({ actor, action, state }: { actor: string; action: string; state: string }) => [
        actor,
        action,
        state,
      ]),
    ).toEqual([
      ["ada", "request", "in_review"],
      ["cleo", "assign", "in_review"],
      ["cleo", "comment", "in_review"],
      ["cleo", "request-changes", "changes_requested"],
      ["ada", "comment", "changes_requested"],
      ["ada", "request", "in_review"],
      ["cleo", "approve", "approved"],
      ["ada", "publish", "registering"],
      [null, "published", "published"],
    ]);
    expect(published.history[2].place).toEqual({ field: "/description" });
    expect(published.history[4].answers).toBe(3);

    const { record, jws } = await recordIn(one.dataset, "v1-0001.jws");
    expect(record).toMatchObject({ number: 1, state: "published", access: "open", identifier: published.identifier });
    expect(record.digests.reviewed).toBe(published.reviewedSha512);
    expect(record.digests.inventory.sha512).toBe(published.reviewedSha512);
    expect(record.publishedAt).toBe(published.publishedAt);
    expect((await verifyPublicationRecord(`${jws.slice(0, 60)}A${jws.slice(61)}`, await jwks())).ok).toBe(false);
  });

  test("the public sees a published dataset without a token, and nothing about people who worked on it", async () => {
    const one = await archived();
    await one.done(ada, "request", asked);
    await one.done(curator, "approve", { comment: "secret remark" });
    await one.until(ada, "published");
    for (const path of [
      "",
      "/versions",
      "/files",
      "/files/data/plots/a.csv",
      "/export/bibtex",
      "/export/ro-crate",
      "/linkset",
      "/publication",
    ]) {
      const answer = await one.get(undefined, path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect((await one.get(bob, path)).status, path).toBe(200);
    }
    const { json, text } = await one.get();
    expect(json).toMatchObject({
      state: "published",
      actions: [],
      history: [],
      checks: [],
      requestedBy: null,
      agreement: null,
    });
    expect(text).not.toMatch(/cleo|secret remark|"ada"/);
    for (const path of ["/metadata", "/revisions", "/field-groups"]) {
      expect([path, (await one.get(undefined, path)).status]).toEqual([path, 401]);
      expect([path, (await one.get(bob, path)).status]).toEqual([path, 404]);
    }
    expect((await one.act(bob, "comment", { comment: "hello" })).status).toBe(404);
  });

  test("a browser that opens the address of a published dataset gets its landing page, without signing in", {
    tags: "extended",
  }, async () => {
    const title = `Roots </script><script>alert(1)</script> & "drought"`;
    const one = await archived({ metadata: { ...goodMetadata, title } });
    const open = (token?: string) =>
      fetch(`${service.url}/dataset/${one.dataset}`, {
        redirect: "manual",
        headers: { accept: "text/html,*/*;q=0.8", ...(token !== undefined && bearer(token)) },
      });
    expect((await open()).status).toBe(404);
    await one.done(ada, "request", {
      agreement: true,
      access: "embargoed",
      embargoDate: "2099-05-01",
      reason: "Article",
    });
    expect((await open()).status).toBe(404);
    await one.done(curator, "approve");
    await one.until(ada, "published");
    const answer = await open();
    const html = await answer.text();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(html).not.toContain("<script>alert");
    expect(html).toContain("Roots &lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;drought&quot;");
    expect(html).toContain("under embargo. They will be open from 1 May 2099 (UTC)");
    expect(html).not.toContain("a.csv");
    const [, data = ""] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(data)).toMatchObject({ "@type": "Dataset", name: title });
    expect(await (await open(ada)).text()).toBe(html);
    await one.done(curator, "withdraw", { reason: "A <b>name</b>" });
    const gone = await open();
    expect([gone.status, await gone.text()]).toEqual([410, expect.stringContaining("A &lt;b&gt;name&lt;/b&gt;")]);
  });

  test("a version that is not published stays private beside a published one", async () => {
    const one = await archived();
    await one.done(ada, "request", asked);
    await one.done(curator, "approve");
    await one.until(ada, "published");
    const metadata = { ...goodMetadata, title: "Canary of version 2" };
    await archiveAs(service, s3, ada, { metadata, more: { dataset: { id: one.dataset } } });
    expect((await one.get(ada, "?version=2")).json.title).toBe(metadata.title);
    expect((await one.get(undefined, "?version=2")).status).toBe(404);
    for (const path of [
      "",
      "/versions",
      "/files",
      "/linkset",
      "/export/datacite-json",
      "/export/schema-org",
      "/publication",
    ]) {
      const { status, text } = await one.get(undefined, path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toMatch(/Canary|version=2|"version": ?2/);
    }
    expect((await one.get(undefined, "")).headers.get("link")).not.toMatch(/version=2/);
  });

  test("the ETag of what the public sees does not change with private activity", { tags: "extended" }, async () => {
    const one = await archived();
    await one.done(ada, "request", asked);
    await one.done(curator, "approve");
    await one.until(ada, "published");
    const tagOf = async (token?: string) => (await one.get(token)).headers.get("etag");
    const [before, own] = [await tagOf(), await tagOf(ada)];
    await one.done(curator, "comment", { comment: "For the owner" });
    expect([await tagOf(), await tagOf(bob)]).toEqual([before, before]);
    expect(await tagOf(ada)).not.toBe(own);
    await one.done(ada, "change-access", { access: "restricted", reason: "Personal data" });
    expect(await tagOf()).not.toBe(before);
  });

  test("comments refer to what exists, and reviews are assigned to accounts that can review", {
    tags: "extended",
  }, async () => {
    const one = await archived();
    await one.done(ada, "request", { ...asked, comment: "Please review" });
    const refused = async (action: string, body: object) => {
      const { status, json } = await one.act(curator, action, body);
      return [status, json.errors?.map(({ pointer }: { pointer: string }) => pointer)];
    };
    const comment = "Units?";
    expect(await refused("comment", { comment, answers: 999 })).toEqual([422, ["/answers"]]);
    for (const field of ["title", "/titel", "", "/authors/~2", "/toString"]) {
      expect(await refused("comment", { comment, place: { field } }), field).toEqual([422, ["/place/field"]]);
    }
    for (const file of ["data/missing.csv", "", "data/plots/a", "../data/README.md"]) {
      expect(await refused("comment", { comment, place: { file } }), file).toEqual([422, ["/place/file"]]);
    }
    for (const name of ["cloe", "ada"]) {
      expect(await refused("assign", { curator: name }), name).toEqual([422, ["/curator"]]);
    }
    // People without relation to the dataset learn nothing about files.
    expect((await one.act(bob, "comment", { comment, place: { file: "data/missing.csv" } })).status).toBe(404);

    for (const place of [
      { field: "/subjects" },
      { field: "/authors/0" },
      { file: "data/plots/a.csv" },
      { file: "data/plots" },
    ]) {
      await one.done(curator, "comment", { comment, place });
    }
    const { history } = await one.done(ada, "comment", { comment: "In metres", answers: 2 });
    expect(history.at(-1)).toMatchObject({ answers: 2 });
    expect((await one.done(curator, "assign", { curator: "cleo" })).assignee).toBe("cleo");
  });

  test("embargoed files are closed for the public on every route, and their access can be changed with a reason", async () => {
    const one = await archived();
    const date = "2099-05-01";
    const refused = await one.act(ada, "request", { agreement: true, access: "embargoed" });
    expect(refused.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["/embargoDate", "/reason"]);
    await one.done(ada, "request", { agreement: true, access: "embargoed", embargoDate: date, reason: "Article" });
    await one.done(curator, "approve");
    await one.until(ada, "published");
    expect((await one.get()).json).toMatchObject({ access: "embargoed", embargoDate: date, filesOpen: false });
    for (const path of FILE_ROUTES) {
      const { status, json } = await one.get(undefined, path);
      expect([path, status, json.code, json.embargoDate]).toEqual([path, 403, "embargoed", date]);
      expect([path, (await one.get(ada, path)).status]).toEqual([path, 200]);
    }
    const linkset = await one.get(undefined, "/linkset");
    expect(linkset.text).not.toContain("a.csv");
    expect((await one.get(undefined, "")).headers.get("link")).not.toContain("a.csv");
    expect((await one.get(undefined, "/export/datacite-json")).text).toContain(date);

    expect((await one.act(ada, "change-access", { access: "open" })).json.errors[0].pointer).toBe("/reason");
    await one.done(ada, "change-access", { access: "restricted", reason: "Personal data" });
    expect((await one.get(undefined, "/files")).json.code).toBe("not_public");
    await one.done(curator, "change-access", { access: "open", reason: "Was checked" });
    expect((await one.get(undefined, "/files/data/plots/a.csv")).text).toBe("1;2");
    const newest = async () => {
      const names = await recordNames(one.dataset);
      return { number: names.length, ...(await recordIn(one.dataset, names.at(-1) ?? "")) };
    };
    await vi.waitUntil(async () => (await newest()).record.access === "open", { interval: 50 });
    const { record, number } = await newest();
    expect(record.number).toBe(number);
    const before = await recordIn(one.dataset, (await recordNames(one.dataset)).at(-2) ?? "");
    expect(record.previous).toBe(createHash("sha512").update(before.jws).digest("hex"));
  });

  test("a withdrawn version shows its reason to the public, and keeps its files for the owner", async () => {
    const one = await archived();
    await one.done(ada, "request", asked);
    await one.done(curator, "approve");
    await one.until(ada, "published");
    expect((await one.act(ada, "withdraw", { reason: "Mine" })).status).toBe(403);
    await one.done(curator, "withdraw", { reason: "A name in a table" });
    for (const path of ["", "/publication", ...FILE_ROUTES]) {
      const { status, json } = await one.get(undefined, path);
      expect([path, status, json.code]).toEqual([path, 410, "publication_withdrawn"]);
      expect(json.detail).toBe("Version 1 is no longer public. Reason: A name in a table");
      expect(json.action).not.toContain("deleted");
      expect(json.withdrawn).toMatchObject({ version: 1, reason: "A name in a table" });
    }
    expect((await one.get(ada, "/files/data/plots/a.csv")).status).toBe(200);
    expect((await one.get(ada)).json).toMatchObject({ state: "withdrawn", actions: [] });
  });

  test("a dataset without a licence, or with damaged files, cannot be requested; findings name the next step", async () => {
    const { license: _, ...metadata } = goodMetadata;
    const one = await archived({ metadata, files: { "patients.csv": "", "a.csv": "1" } });
    const { checks } = (await one.get(ada)).json;
    expect(checks.map(({ code, severity }: { code: string; severity: string }) => `${severity} ${code}`)).toEqual([
      "error licence_missing",
      "warning readme_missing",
      "warning files_personal",
      "hint files_empty",
      "hint fair_incomplete",
    ]);
    expect(checks.every(({ nextStep }: { nextStep: string }) => nextStep.length > 10)).toBe(true);
    const refused = await one.act(ada, "request", asked);
    expect([refused.status, refused.json.code]).toEqual([422, "publication_not_ready"]);
    expect(refused.json.checks).toEqual(checks);
    expect((await one.get(ada)).json).toMatchObject({ state: "private", history: [] });
  });

  test("the agreement must be the present text, in one of its languages", async () => {
    const one = await archived();
    const { json: texts } = await service.api.get("/deposit-agreement");
    expect(texts.map(({ language }: { language: string }) => language)).toEqual(["en", "de"]);
    const wrong = await one.act(ada, "request", { ...asked, agreement: "0".repeat(64) });
    expect([wrong.status, wrong.json.code]).toEqual([422, "agreement_required"]);
    expect((await one.act(ada, "request", { access: "open" })).json.errors[0].pointer).toBe("/agreement");
    const requested = await one.done(ada, "request", { ...asked, agreement: texts[1].sha256 });
    expect(requested.agreement).toMatchObject({ sha256: texts[1].sha256, language: "de", by: "ada" });
  });

  test("a wrong state is a 409 with the possible actions, and a missing permission a 403", async () => {
    const one = await archived();
    const early = await one.act(curator, "approve", {}, await one.seen(curator));
    expect([early.status, early.json.code, early.json.state, early.json.actions]).toEqual([
      409,
      "publication_state",
      "private",
      [],
    ]);
    await one.done(ada, "request", asked);
    const forbidden = await one.act(ada, "approve");
    expect(forbidden.status).toBe(403);
    const twice = await one.act(ada, "publish");
    expect([twice.status, twice.json.actions]).toEqual([409, ["comment", "take-back"]]);
    await one.done(admin, "decline", { comment: "Out of scope" });
    expect((await one.get(ada)).json).toMatchObject({ state: "declined", actions: ["request", "comment"] });
  });

  test("repeated requests have one effect, and a condition refuses what was not seen", async () => {
    const one = await archived();
    const first = await one.done(ada, "request", asked);
    const again = await one.done(ada, "request", asked);
    expect(again.history).toEqual(first.history);
    const { headers } = await one.get(curator);
    const seen = { "if-match": headers.get("etag") ?? "" };
    await one.done(ada, "comment", { comment: "One more thing" });
    const refused = await one.act(curator, "approve", {}, seen);
    expect([refused.status, refused.json.code]).toEqual([412, "publication_conflict"]);
    // A typing error, or the ETag of the metadata, is not a change by another user.
    for (const tag of ["p1.1.1", '"1.1"', '"p1"']) {
      const malformed = await one.act(curator, "approve", {}, { "if-match": tag });
      expect([malformed.status, malformed.json.code]).toEqual([400, "bad_request"]);
      expect(malformed.json.detail).toContain('such as "p1.2.1"');
    }
    const now = { "if-match": (await one.get(curator)).headers.get("etag") ?? "" };
    const both = await Promise.all([one.act(curator, "approve", {}, now), one.act(admin, "approve", {}, now)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const { history } = await one.until(ada, "published");
    expect(history.filter(({ action }: { action: string }) => action === "approve")).toHaveLength(1);
    expect(history.filter(({ action }: { action: string }) => action === "published")).toHaveLength(1);
  });

  test("metadata that changed after they were seen are not approved, and approved ones cannot be changed", async () => {
    const one = await archived();
    await one.done(ada, "request", { ...asked, publishOnApproval: false });
    const seen = { "if-match": (await one.get(curator)).headers.get("etag") ?? "" };
    const change = (title: string, tag: string) =>
      service.api.send(`/dataset/${one.dataset}/metadata`, {
        method: "PUT",
        body: JSON.stringify({ metadata: { ...goodMetadata, title } }),
        headers: { ...bearer(ada), "content-type": "application/json", "if-match": tag },
      });
    expect((await change("Another title", '"1.1"')).status).toBe(200);
    expect((await one.act(curator, "approve", {}, seen)).status).toBe(412);
    const approved = await one.done(curator, "approve");
    expect(approved.approvedRevision).toBe(2);
    const refused = await change("Yet another", '"1.2"');
    expect([refused.status, refused.json.code]).toEqual([409, "approved_metadata"]);
    await one.done(ada, "take-back", { comment: "A typing error" });
    expect((await change("Yet another", '"1.2"')).status).toBe(200);
    expect((await one.get(ada)).json.state).toBe("private");
  });
});

test("a service without publication says so, and datasets stay private", { tags: "extended" }, async () => {
  await using other = await startTestService();
  const { dataset } = await archiveAs(other, s3, undefined);
  const one = new PublicationClient(other, dataset);
  expect((await one.get()).json).toMatchObject({ state: "private", actions: [] });
  const { status, json } = await one.act(undefined, "request", asked);
  expect([status, json.code]).toEqual([409, "publication_off"]);
  expect((await other.api.get("/deposit-agreement")).json.code).toBe("publication_off");
});

test("without review, the owner publishes directly", { tags: "extended" }, async () => {
  await using other = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "direct" });
  const { token } = await (await Tokens.open(other)).create("ada", "submitter");
  const { dataset } = await archiveAs(other, s3, token);
  const one = new PublicationClient(other, dataset);
  await one.done(token, "request", asked);
  expect(await one.until(token, "published")).toMatchObject({ approvedBy: "ada", identifier: `urn:uuid:${dataset}` });
});

const FILE_ROUTES = [
  "/files",
  "/files?limit=1",
  "/files/data/plots/a.csv",
  "/files/data/plots",
  "/files/metadata/datacite.xml",
  "/export/ro-crate",
  "/export/bagit",
];

async function recordNames(dataset: string): Promise<string[]> {
  return (await readdir(folderOf(dataset)).catch(() => [])).filter((name) => name.endsWith(".jws")).toSorted();
}

async function recordIn(dataset: string, name: string) {
  const jws = await readFile(join(folderOf(dataset), name), "utf8");
  const verified = await verifyPublicationRecord(jws, await jwks());
  if (!verified.ok) throw new Error(verified.detail);
  return { record: verified.record, jws };
}

function folderOf(dataset: string): string {
  return join(service.archive, "ocfl", objectFolder(`urn:uuid:${dataset}`), "logs", "publication");
}

async function jwks() {
  return (await service.api.get("/.well-known/jwks.json")).json;
}
