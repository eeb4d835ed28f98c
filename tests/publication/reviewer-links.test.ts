import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { ROUTE_PERMISSIONS } from "../../src/people/route-permissions.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { asReviewer, createLink, revokeLink } from "../support/api/reviewer-links.ts";
import { readZip } from "../support/archive/package-formats.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const DAY_MS = 86_400_000;
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

async function archived(options: Parameters<typeof archiveAs>[3] = {}): Promise<string> {
  return (await archiveAs(service, s3, ada, options)).dataset;
}

let common: Promise<string> | undefined;
/** A dataset for tests that neither change it nor count its links. */
function unchanged(): Promise<string> {
  common ??= archived();
  return common;
}

const listed = async (dataset: string, token = ada) =>
  (await service.api.get(`/dataset/${dataset}/reviewer-link`, bearer(token))).json;
const in90Days = () => Date.now() + 90 * DAY_MS;

test("unknown query parameters of reviewers are rejected by their names", async () => {
  const { secret } = await createLink(service, ada, await unchanged());
  for (const path of ["", "/files", "/files/data/README.md", "/zip"]) {
    const { status, json } = await asReviewer(service, secret, `${path}?statuss=failed`);
    expect([path, status, json.errors]).toEqual([
      path,
      422,
      [expect.objectContaining({ pointer: "/statuss", code: "unknown_parameter" })],
    ]);
  }
});

describe("links", () => {
  test("the owner, curators and admins create, list and revoke them; other callers learn nothing", async () => {
    const dataset = await archived();
    const before = in90Days();
    const { json, id, secret } = await createLink(service, ada, dataset, { label: "Journal of Roots" });
    expect(json).toMatchObject({ version: 1, anonymous: true, label: "Journal of Roots", state: "usable", visits: 0 });
    expect(json.url).toBe(`${service.url}/app/review#${secret}`);
    expect(secret).toMatch(/^rev_[\w-]{43}$/);
    expect(Date.parse(json.expiresAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(json.expiresAt)).toBeLessThanOrEqual(in90Days());
    await createLink(service, curator, dataset);
    await createLink(service, admin, dataset);
    for (const token of [ada, curator, admin]) expect(await listed(dataset, token)).toHaveLength(3);
    expect(JSON.stringify(await listed(dataset))).not.toMatch(/rev_|"url"|hash/);
    const path = `/dataset/${dataset}/reviewer-link`;
    const strangers: [Record<string, string>, number][] = [
      [bearer(bob), 404],
      [bearer(secret), 401],
      [{}, 401],
    ];
    for (const [headers, status] of strangers) {
      const statuses = [
        (await service.api.get(path, headers)).status,
        (await service.api.post(path, {}, headers)).status,
        (await service.api.send(`${path}/${id}`, { method: "DELETE", headers })).status,
      ];
      expect(statuses).toEqual([status, status, status]);
    }
    expect((await revokeLink(service, curator, dataset, id)).status).toBe(204);
    expect((await revokeLink(service, ada, dataset, id)).status).toBe(204);
    expect((await listed(dataset)).find((one: { id: string }) => one.id === id)).toMatchObject({
      state: "revoked",
      revokedBy: "cleo",
    });
  });

  test("creation and revocation are events without the secret", async () => {
    const { dataset, submission } = await archiveAs(service, s3, ada);
    const { id, secret } = await createLink(service, ada, dataset, { label: "first round" });
    await revokeLink(service, ada, dataset, id);
    const { json, text } = await service.api.get(`/submission/${submission}/events`, bearer(ada));
    const events = json.filter(({ type }: { type: string }) => type.startsWith("reviewer_link"));
    expect(events.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual(
      ["reviewer_link_created", "reviewer_link_revoked"].map((type) => [
        type,
        { dataset, version: 1, link: id, label: "first round", anonymous: true, by: "ada" },
      ]),
    );
    expect(text).not.toContain(secret);
  });

  test.each([
    [{ expiresAt: new Date(Date.now() - 1000) }, "/expiresAt"],
    [{ expiresAt: new Date(Date.now() + 367 * DAY_MS) }, "/expiresAt"],
    [{ label: "x".repeat(201) }, "/label"],
    [{ anonymous: "yes" }, "/anonymous"],
    [{ owner: "me" }, "/owner"],
  ])("a request with %o is refused", async (body, pointer) => {
    const dataset = await unchanged();
    const { status, json } = await service.api.post(`/dataset/${dataset}/reviewer-link`, body, bearer(ada));
    expect([status, json.errors?.[0]?.pointer]).toEqual([422, pointer]);
  });

  test("a dataset has at most 50 usable links", { tags: "extended" }, async () => {
    const dataset = await archived();
    const links = [];
    for (let n = 0; n < 50; n++) links.push(await createLink(service, ada, dataset));
    const path = `/dataset/${dataset}/reviewer-link`;
    const refused = await service.api.post(path, {}, bearer(ada));
    expect([refused.status, refused.json.code]).toEqual([409, "too_many_reviewer_links"]);
    await revokeLink(service, ada, dataset, links[0]?.id ?? "");
    await createLink(service, ada, dataset);
    expect(await listed(dataset)).toHaveLength(51);
  });

  test("a link of another dataset cannot be revoked", async () => {
    const [one, other] = [await archived(), await unchanged()];
    const { id, secret } = await createLink(service, ada, one);
    expect((await revokeLink(service, ada, other, id)).status).toBe(404);
    expect((await revokeLink(service, ada, one, "nonsense")).status).toBe(404);
    expect((await asReviewer(service, secret)).status).toBe(200);
  });
});

describe("reviewers", () => {
  test("read the metadata, list and download files, and their visits are counted", async () => {
    const dataset = await archived();
    const { secret } = await createLink(service, ada, dataset, { anonymous: false });
    const { json } = await asReviewer(service, secret);
    expect(json).toMatchObject({
      anonymous: false,
      state: "private",
      version: 1,
      metadata: { title: goodMetadata.title },
    });
    expect(json.named.people.length).toBeGreaterThan(0);
    const shown = (await asReviewer(service, secret, "/files")).json as { path: string; bytes: number }[];
    const bytes = shown.reduce((sum, file) => sum + file.bytes, 0);
    expect(json.files).toEqual({ number: 5, bytes, leftOut: 0 });
    const files = shown.map(({ path }) => path);
    expect(files).toEqual([
      "metadata/datacite.json",
      "metadata/datacite.xml",
      "ro-crate-metadata.json",
      "data/README.md",
      "data/plots/a.csv",
    ]);
    const file = await asReviewer(service, secret, "/files/data/plots/a.csv");
    expect([file.status, file.text, file.headers.get("link")]).toEqual([200, "1;2", null]);
    const part = await service.api.get("/review/files/data/plots/a.csv", { ...bearer(secret), range: "bytes=1-" });
    expect([part.status, part.text]).toEqual([206, ";2"]);
    const [link] = await listed(dataset);
    expect([link.visits, Date.now() - Date.parse(link.lastVisitAt) < 60_000]).toEqual([1, true]);
    await fetch(`${service.url}/review`, { method: "HEAD", headers: bearer(secret) });
    await asReviewer(service, secret);
    expect((await asReviewer(service, secret, "?lang=de&continued=true")).status).toBe(200);
    expect((await listed(dataset))[0].visits).toBe(2);
  });

  test("page through files, and do not see the files that an anonymous view leaves out", async () => {
    const files = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`t/${n}.csv`, `${n}`]));
    const dataset = await archived({ files: { ...files, "CITATION.cff": "x", "t/README.md": "x", AUTHORS: "x" } });
    const { secret, json } = await createLink(service, ada, dataset);
    expect(json.filesLeftOut).toBe(3);
    expect((await asReviewer(service, secret)).json.files).toEqual({ number: 7, bytes: 7, leftOut: 3 });
    const found: string[] = [];
    for (let path: string | undefined = "/files?limit=3"; path !== undefined; ) {
      const page = await asReviewer(service, secret, path);
      found.push(...page.json.map((one: { path: string }) => one.path));
      path = /<\/review([^>]*)>/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(found).toEqual(Object.keys(files).map((path) => `data/${path}`));
    for (const path of [
      "data/CITATION.cff",
      "data/t/README.md",
      "data/AUTHORS",
      "ro-crate-metadata.json",
      "data/t/",
      "data/no",
    ]) {
      const { status, json } = await asReviewer(service, secret, `/files/${path}`);
      expect([path, status, json.detail]).toEqual([path, 404, "The dataset has no file with this path"]);
    }
    const zip = await fetch(`${service.url}/review/zip`, { headers: bearer(secret) });
    expect(
      [...(await readZip(Buffer.from(await zip.arrayBuffer()))).keys()].filter((name) => !name.endsWith("/")),
    ).toEqual(found);
  });

  test("save files with a link that works once and carries no secret", async () => {
    const dataset = await unchanged();
    const { id, secret } = await createLink(service, ada, dataset);
    const ticket = async (body: object) => (await service.api.post("/review/download-link", body, bearer(secret))).json;
    const { url } = await ticket({ path: "data/plots/a.csv" });
    expect(url).not.toContain(secret.slice(4));
    expect(await (await fetch(service.url + url)).text()).toBe("1;2");
    expect((await fetch(service.url + url)).status).toBe(404);
    const zip = await fetch(service.url + (await ticket({})).url);
    expect(zip.headers.get("content-disposition")).toBe("attachment; filename=dataset-v1.zip");
    expect([...(await readZip(Buffer.from(await zip.arrayBuffer()))).keys()]).toContain("data/plots/a.csv");
    for (const path of ["data/README.md", "data/none.csv"]) {
      expect((await service.api.post("/review/download-link", { path }, bearer(secret))).status).toBe(404);
    }
    const late = await ticket({ path: "data/plots/a.csv" });
    await revokeLink(service, ada, dataset, id);
    const refused = await service.api.get(late.url);
    expect([refused.status, refused.json.code]).toEqual([410, "reviewer_link_revoked"]);
  });

  test("see only the version of the link, also after a later version and a revision of the metadata", async () => {
    const dataset = await archived();
    const { secret } = await createLink(service, ada, dataset);
    const first = (await asReviewer(service, secret)).json;
    const etag = (await service.api.get(`/dataset/${dataset}/metadata`, bearer(ada))).headers.get("etag") ?? "";
    const metadata = { ...goodMetadata, title: "A corrected title" };
    const changed = await service.api.send(`/dataset/${dataset}/metadata`, {
      method: "PUT",
      body: JSON.stringify({ metadata }),
      headers: { ...bearer(ada), "content-type": "application/json", "if-match": etag },
    });
    expect(changed.status).toBe(200);
    const second = (await asReviewer(service, secret)).json;
    expect(second.metadata.title).toBe("A corrected title");
    expect(second.commitment).toMatchObject({ metadataRevision: 2 });
    expect(second.commitment.sha512).not.toBe(first.commitment.sha512);
    expect(second.earlierCommitments).toEqual([first.commitment]);
    await archiveAs(service, s3, ada, { files: { "later.csv": "9" }, more: { dataset: { id: dataset } } });
    const third = (await asReviewer(service, secret)).json;
    expect(third).toEqual(second);
    expect((await asReviewer(service, secret, "/files/data/later.csv")).status).toBe(404);
    const latest = await createLink(service, ada, dataset);
    expect((await asReviewer(service, latest.secret, "/files/data/later.csv")).status).toBe(200);
    const old = await createLink(service, ada, dataset, { query: "?version=1" });
    expect((await asReviewer(service, old.secret)).json.version).toBe(1);
  });

  test("get the digest that the publication record later names as reviewed", async () => {
    const dataset = await archived();
    const { secret } = await createLink(service, ada, dataset);
    const { commitment } = (await asReviewer(service, secret)).json;
    const one = new PublicationClient(service, dataset);
    await one.done(ada, "request", {
      agreement: true,
      access: "restricted",
      reason: "review",
      publishOnApproval: true,
    });
    expect((await asReviewer(service, secret)).json.state).toBe("in_review");
    await one.done(curator, "approve");
    const published = await one.until(ada, "published");
    expect(published.reviewedSha512).toBe(commitment.sha512);
    expect((await asReviewer(service, secret)).json).toMatchObject({ state: "published", commitment });
    // The files of a restricted dataset stay readable with the link.
    expect((await asReviewer(service, secret, "/files/data/plots/a.csv")).status).toBe(200);
    await one.done(curator, "withdraw", { reason: "names of people" });
    const gone = await asReviewer(service, secret);
    expect([gone.status, gone.json.code]).toEqual([410, "reviewed_withdrawn"]);
    expect(gone.text).not.toContain("names of people");
  });
});

describe("access ends", () => {
  // One of the links is valid for 1.5 s.
  test("when a link is revoked, has expired or is unknown, with a problem for each", { tags: "extended" }, async () => {
    const dataset = await archived();
    const soon = await createLink(service, ada, dataset, { expiresAt: new Date(Date.now() + 1_500) });
    const { id, secret } = await createLink(service, ada, dataset);
    expect([(await asReviewer(service, soon.secret)).status, (await asReviewer(service, secret)).status]).toEqual([
      200, 200,
    ]);
    await revokeLink(service, ada, dataset, id);
    await sleep(1_600);
    const unknown = [`rev_${"x".repeat(43)}`, "rev_short", ada, `${secret}x`];
    const headers = [{}, ...unknown.map(bearer)];
    for (const path of ["/review", "/review/files", "/review/files/data/plots/a.csv", "/review/zip"]) {
      const ended = [await service.api.get(path, bearer(secret)), await service.api.get(path, bearer(soon.secret))];
      expect(ended.map(({ status, json }) => [status, json.code])).toEqual([
        [410, "reviewer_link_revoked"],
        [410, "reviewer_link_expired"],
      ]);
      for (const one of headers) {
        const { status, json } = await service.api.get(path, one);
        expect([path, status, json.code, json.detail]).toEqual([
          path,
          401,
          "reviewer_link_unknown",
          "The reviewer link is not valid",
        ]);
      }
    }
    const states = (await listed(dataset)).map(({ state }: { state: string }) => state);
    expect(states.toSorted()).toEqual(["expired", "revoked"]);
  });

  // The service has 2 s to end the download.
  test("also for a download that is in progress", { tags: "extended" }, async () => {
    const dataset = await archived({ files: { "large.bin": "x".repeat(64 << 20), "b.bin": "y".repeat(64 << 20) } });
    const { id, secret } = await createLink(service, ada, dataset);
    const answer = await fetch(`${service.url}/review/zip`, { headers: bearer(secret) });
    const reader = answer.body?.getReader();
    await reader?.read();
    await revokeLink(service, ada, dataset, id);
    await sleep(2_000);
    const rest = async () => {
      for (;;) if ((await reader?.read())?.done !== false) return;
    };
    await expect(rest()).rejects.toThrow();
  });

  test("on every other route: the secret is no token", async () => {
    const dataset = await unchanged();
    const { secret } = await createLink(service, ada, dataset, { anonymous: false });
    for (const [route, access] of Object.entries(ROUTE_PERMISSIONS)) {
      const [method = "", pattern = ""] = route.split(" ");
      if (access === "open" || access === "reviewer") continue;
      const path = pattern.replace(":id", dataset).replace(/:\w+/g, "x").replace("*", "data/plots/a.csv");
      const hasBody = ["POST", "PUT", "PATCH"].includes(method);
      const headers = { ...bearer(secret), ...(hasBody && { "content-type": "application/json" }) };
      const { status } = await service.api.send(path, { method, headers, ...(hasBody && { body: "{}" }) });
      expect([route, status]).toEqual([route, 401]);
    }
  });
});

test("requests with wrong secrets are limited like wrong tokens", { tags: "extended" }, async () => {
  await using own = await startTestService({ ACCESSION_PUBLICATION: "review", ACCESSION_RATE_LIMIT_SIGN_IN: "3" });
  const answers = [];
  for (let n = 0; n < 5; n++) answers.push((await asReviewer(own, `rev_${`${n}`.repeat(43)}`)).status);
  expect(answers).toEqual([401, 401, 401, 429, 429]);
});

test("without authentication, links work as well, and without publication there are none", {
  tags: "extended",
}, async () => {
  await using own = await startTestService({ ACCESSION_PUBLICATION: "review" });
  const { dataset } = await archiveAs(own, s3, undefined);
  const { secret } = await createLink(own, undefined, dataset);
  expect((await asReviewer(own, secret)).status).toBe(200);
  expect((await own.api.get("/review")).status).toBe(401);
  await own.restart(undefined, { ACCESSION_PUBLICATION: "off" });
  for (const answer of [
    await asReviewer(own, secret),
    await own.api.post(`/dataset/${dataset}/reviewer-link`, {}),
    await own.api.get(`/dataset/${dataset}/reviewer-link`),
  ]) {
    expect([answer.status, answer.json.code]).toEqual([409, "publication_off"]);
  }
});
