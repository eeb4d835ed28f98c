import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { AUDIENCE, type OidcProvider, startOidcProvider } from "../support/identity/oidc-provider.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { startReceiver } from "../support/receivers/receiver.ts";

const FILE = "/files/data/plots/a.csv";
let s3: S3Server;
let provider: OidcProvider;
let service: TestService;

beforeAll(async () => {
  [s3, provider] = await Promise.all([startS3Server(), startOidcProvider()]);
  service = await startTestService({
    ACCESSION_PUBLICATION: "direct",
    ACCESSION_AUTH: "oidc",
    ACCESSION_OIDC_ISSUER: provider.issuer,
    ACCESSION_OIDC_AUDIENCE: AUDIENCE,
    ACCESSION_RATE_LIMIT: "0",
    ACCESSION_RATE_LIMIT_SIGN_IN: "0",
  });
});
afterAll(async () => {
  await service.stop();
  await provider[Symbol.asyncDispose]();
  await s3.close();
});

const as = (sub: string, claims: object = {}) => provider.sign({ sub, roles: ["submitter"], ...claims });
const ada = () => as("ada");
const curator = () => as("carla", { roles: ["curator"] });
const owner = (sub: string) => `${provider.issuer}#${sub}`;

/** A dataset of Ada, whose first version is published with closed files. */
async function closed(access: object = { access: "restricted" }): Promise<PublicationClient> {
  const { dataset } = await archiveAs(service, s3, await ada());
  const one = new PublicationClient(service, dataset);
  await one.done(await ada(), "request", { agreement: true, ...access });
  await one.until(await ada(), "published");
  return one;
}

let common: Promise<PublicationClient> | undefined;
/** A dataset with closed files for tests that do not change it, without grants and answered requests. */
function unchanged(): Promise<PublicationClient> {
  common ??= closed();
  return common;
}

const post = (one: PublicationClient, path: string, body: object, token?: string) =>
  service.api.post(`/dataset/${one.dataset}${path}`, body, token === undefined ? {} : bearer(token));
const remove = (one: PublicationClient, grant: string, token: string) =>
  service.api.send(`/dataset/${one.dataset}/access-grant/${grant}`, { method: "DELETE", headers: bearer(token) });
const status = async (one: PublicationClient, token?: string, path = FILE) => (await one.get(token, path)).status;

async function granted(one: PublicationClient, body: object, query = "") {
  const answer = await post(one, `/access-grant${query}`, body, await ada());
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

describe("a grant", () => {
  test("to an OpenID subject opens the files to this account only, until it is revoked", async () => {
    const one = await closed();
    expect(await status(one, await as("bob"))).toBe(403);
    const grant = await granted(one, { kind: "subject", person: "bob", note: "Comparison" });
    expect(grant).toMatchObject({ person: owner("bob"), version: 1, secret: null, url: null, inForce: true });
    expect(await status(one, await as("bob"))).toBe(200);
    for (const token of [undefined, await as("eve"), await as("Bob"), await as("eve", { name: "bob" })]) {
      expect(await status(one, token)).toBe(403);
    }
    expect((await one.get(await as("bob"))).json).toMatchObject({ filesOpen: false, filesReadable: true, history: [] });
    expect((await one.get(await as("eve"))).json).toMatchObject({ filesOpen: false, filesReadable: false });
    // Nothing else than the files: metadata forms, history, and who else has access stay with owner and curators.
    for (const path of ["/metadata", "/access-grant"]) {
      expect([path, await status(one, await as("bob"), path)]).toEqual([path, 404]);
    }
    expect((await one.get(await as("bob"), "/access-request")).json).toEqual([]);
    expect((await post(one, "/access-grant", { kind: "subject", person: "eve" }, await as("bob"))).status).toBe(404);
    expect((await remove(one, grant.id, await as("bob"))).status).toBe(404);
    expect((await remove(one, grant.id, await curator())).status).toBe(204);
    expect((await remove(one, grant.id, await ada())).status).toBe(204);
    expect(await status(one, await as("bob"))).toBe(403);
    const [listed] = (await one.get(await ada(), "/access-grant")).json;
    expect(listed).toMatchObject({ inForce: false, revokedBy: owner("carla"), usedAt: expect.any(String) });
  });

  test("to an e-mail address counts only if the provider has verified the address", async () => {
    const one = await closed({ access: "embargoed", embargoDate: "2099-01-01", reason: "Article" });
    await granted(one, { kind: "email", person: "Grace.Hopper@Example.org" });
    const grace = (more: object) => as("grace", { email: "grace.hopper@example.org", ...more });
    expect(await status(one, await grace({ email_verified: true }))).toBe(200);
    expect(await status(one, await grace({ email: "GRACE.hopper@example.ORG", email_verified: true }))).toBe(200);
    for (const claim of [{}, { email_verified: false }, { email_verified: "true" }, { email_verified: 1 }]) {
      expect([claim, await status(one, await grace(claim))]).toEqual([claim, 403]);
    }
    expect(await status(one, await grace({ email_verified: true, email: "grace.hopper@example.org.evil.org" }))).toBe(
      403,
    );
    // An address is not the name of an account.
    expect(await status(one, await as("grace.hopper@example.org"))).toBe(403);
  });

  test("as a link opens the files to all who have it, and nothing else", async () => {
    const [one, other] = [await closed(), await unchanged()];
    const { secret, url, id } = await granted(one, { kind: "link", note: "Reviewer of the article" });
    expect(secret).toMatch(/^grant_[\w-]{43}$/);
    expect(url).toBe(`${service.url}/app/datasets/${one.dataset}/access?version=1#${secret}`);
    for (const path of [FILE, "/files", "/unpacking", "/export/ro-crate", "/export/bagit", "/linkset", ""]) {
      const answer = await one.get(secret, path);
      expect([path, answer.status]).toEqual([path, 200]);
      if (path === "/linkset") expect(answer.text).toContain("a.csv");
    }
    expect(await status(other, secret)).toBe(403);
    expect(await status(other, secret, "")).toBe(200);
    expect((await one.get(secret)).json).toMatchObject({ filesReadable: true, history: [], requestedBy: null });
    for (const [method, path] of [
      ["GET", `/dataset/${one.dataset}/metadata`],
      ["GET", `/dataset/${one.dataset}/access-grant`],
      ["GET", "/dataset"],
      ["GET", "/submission"],
      ["DELETE", `/dataset/${one.dataset}/access-grant/${id}`],
    ] as const) {
      const answer = await service.api.send(path, { method, headers: bearer(secret) });
      expect([path, answer.status, answer.json.code]).toEqual([path, 401, "token_invalid"]);
    }
    const damaged = [secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), "grant_", `grant_${"x".repeat(43)}`];
    for (const text of damaged) expect([text, await status(one, text, "")]).toEqual([text, 401]);
    const listed = await one.get(await ada(), "/access-grant");
    expect(listed.text).not.toContain(secret);
    await remove(one, id, await ada());
    expect((await one.get(secret, FILE)).json).toMatchObject({ status: 401, code: "token_invalid" });
  });

  test("ends when it expires, and a link always does", async () => {
    const one = await closed();
    const soon = new Date(Date.now() + 1_500).toISOString();
    const { secret } = await granted(one, { kind: "link", expiresAt: soon });
    await granted(one, { kind: "subject", person: "bob", expiresAt: soon });
    expect([await status(one, secret), await status(one, await as("bob"))]).toEqual([200, 200]);
    await vi.waitUntil(async () => (await status(one, secret)) === 401);
    expect(await status(one, await as("bob"))).toBe(403);
    const expires = async (kind: string, expiresAt: string | null) =>
      (await post(one, "/access-grant", { kind, expiresAt, ...(kind === "link" ? {} : { person: "x" }) }, await ada()))
        .status;
    expect(await expires("link", null)).toBe(422);
    expect(await expires("link", "2099-01-01T00:00:00Z")).toBe(422);
    expect(await expires("subject", "2020-01-01T00:00:00Z")).toBe(422);
    expect(await expires("subject", null)).toBe(201);
    const { expiresAt } = await granted(one, { kind: "link" });
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000)).toBe(90);
  });

  test("is for one version unless it is for all, and never opens a version that is not published", async () => {
    const one = await closed();
    const archive = () => archiveAs(service, s3, one2, { more: { dataset: { id: one.dataset } }, metadata: next() });
    let n = 1;
    const next = () => ({ ...goodMetadata, title: `Version ${++n}` });
    const one2 = await ada();
    await archive();
    await granted(one, { kind: "subject", person: "bob" }, "?version=1");
    await granted(one, { kind: "subject", person: "eve", allVersions: true }, "?version=1");
    const refused = await post(one, "/access-grant?version=2", { kind: "subject", person: "bob" }, await ada());
    expect([refused.status, refused.json.code]).toEqual([409, "not_published"]);
    const link = await granted(one, { kind: "link", allVersions: true }, "?version=1");
    for (const token of [await as("bob"), await as("eve"), link.secret]) {
      expect(await status(one, token, `${FILE}?version=1`)).toBe(200);
      expect(await status(one, token, `${FILE}?version=2`)).toBe(404);
      expect((await one.get(token, "/versions")).json).toHaveLength(1);
    }
    const requested = await post(
      one,
      "/publication/request?version=2",
      { agreement: true, access: "restricted" },
      await ada(),
    );
    expect(requested.status).toBe(200);
    await vi.waitUntil(async () => (await one.get(await ada(), "/publication?version=2")).json.state === "published");
    const versions = ["?version=1", "?version=2"].map(
      async (of) => (await one.get(await ada(), `/publication${of}`)).json,
    );
    const identifiers = (await Promise.all(versions)).map(({ identifier }) => identifier);
    expect(identifiers).toEqual([`urn:uuid:${one.dataset}`, `urn:uuid:${one.dataset}#v2`]);
    expect(await status(one, await as("bob"), `${FILE}?version=2`)).toBe(403);
    expect(await status(one, await as("eve"), `${FILE}?version=2`)).toBe(200);
    expect(await status(one, link.secret, `${FILE}?version=2`)).toBe(200);
  });

  test("is refused for a dataset that is not published, and by people without relation to it", async () => {
    const { dataset } = await archiveAs(service, s3, await ada());
    const one = new PublicationClient(service, dataset);
    const wish = { kind: "subject", person: "bob" };
    expect((await post(one, "/access-grant", wish, await ada())).json.code).toBe("not_published");
    expect((await post(one, "/access-grant", wish, await as("eve"))).status).toBe(404);
    expect((await post(one, "/access-grant", wish)).status).toBe(401);
    expect((await post(one, "/access-request", { reason: "x", name: "x", email: "x@example.org" })).status).toBe(401);
    expect((await post(one, "/access-request", { reason: "x" }, await as("eve"))).status).toBe(404);
    const published = await unchanged();
    const { json } = await post(published, "/access-grant", { kind: "email", person: "nobody" }, await ada());
    expect(json.errors).toMatchObject([{ pointer: "/person", code: "email_invalid" }]);
    expect((await post(published, "/access-grant", { kind: "link", person: "bob" }, await ada())).status).toBe(422);
    expect((await post(published, "/access-grant", { kind: "subject" }, await ada())).status).toBe(422);
  });

  test("is recorded once in the history and the event log, without e-mail address", async () => {
    const one = await closed();
    const wish = { kind: "email", person: "grace@example.org", note: "Comparison" };
    const first = await granted(one, wish);
    expect((await granted(one, wish)).id).toBe(first.id);
    await remove(one, first.id, await ada());
    const { history } = (await one.get(await ada())).json;
    expect(history.slice(-2)).toMatchObject([
      { action: "access_granted", actor: owner("ada"), comment: "Comparison" },
      { action: "access_revoked", actor: owner("ada") },
    ]);
    const [{ submission }] = (await one.get(await ada(), "/versions")).json;
    const events = await service.api.get(`/submission/${submission}/events`, bearer(await ada()));
    const about = events.json.filter(({ type }: { type: string }) => type.startsWith("access_"));
    expect(about.map(({ type, data }: { type: string; data: { grant: string } }) => [type, data.grant])).toEqual([
      ["access_granted", first.id],
      ["access_revoked", first.id],
    ]);
    expect(JSON.stringify([history, about])).not.toContain("grace");
  });
});

describe("every use of a grant is recorded", () => {
  const uses = async (one: PublicationClient, grant: string, token?: string) =>
    one.get(token ?? (await ada()), `/access-grant/${grant}/uses`);

  test("with what was read, how often and when, and without the reader; owner and curators alone see it", async () => {
    const one = await closed();
    const { secret, id } = await granted(one, { kind: "link" });
    expect((await uses(one, id)).json).toEqual([]);
    const before = new Date().toISOString();
    expect(await status(one, secret, "/files")).toBe(200);
    for (const path of [FILE, "/files/data/plots/", "/export/bagit", "/export/ro-crate"]) {
      expect(await status(one, secret, path)).toBe(200);
    }
    // A refused request, and reading what the reader knows already, are no uses.
    expect(await status(one, secret, "/files/data/none")).toBe(404);
    const known = { headers: { ...bearer(secret), "if-none-match": "*" } };
    expect((await fetch(`${service.url}/dataset/${one.dataset}${FILE}`, known)).status).toBe(304);
    const ticket = await post(one, "/download-link", { path: "data/README.md" }, secret);
    expect((await fetch(new URL(ticket.json.url, service.url))).status).toBe(200);
    const { json, text } = await uses(one, id, await curator());
    const found = json.map((use: { kind: string; path: string; uses: number }) => [use.kind, use.path, use.uses]);
    expect(found).toEqual(
      expect.arrayContaining([
        ["view", null, 1],
        ["file", "data/plots/a.csv", 1],
        ["file", "data/README.md", 1],
        ["folder", "data/plots/", 1],
        ["package", null, 1],
      ]),
    );
    expect(found).toHaveLength(5);
    expect(text).not.toMatch(/127\.0\.0\.1|carla|grant_/);
    for (const use of json) {
      expect(use.version).toBe(1);
      expect(use.firstUsedAt >= before && use.lastUsedAt >= use.firstUsedAt).toBe(true);
    }
    const [grant] = (await one.get(await ada(), "/access-grant")).json;
    expect(grant.uses).toBe(json.reduce((sum: number, use: { uses: number }) => sum + use.uses, 0));
    expect(grant.firstUsedAt >= before && grant.usedAt >= grant.firstUsedAt).toBe(true);
    // The owner needs no grant, and strangers do not learn of uses.
    expect(await status(one, await ada())).toBe(200);
    expect((await uses(one, id)).json).toEqual(json);
    expect((await uses(one, id, await as("eve"))).status).toBe(404);
    expect((await uses(one, id, secret)).status).toBe(401);
    expect((await uses(await unchanged(), id)).status).toBe(404);
    expect((await uses(one, "x")).status).toBe(404);
  });

  test("and the parts of a download are one use, also of many requests", async () => {
    const one = await closed();
    const { secret, id } = await granted(one, { kind: "link" });
    const part = () => service.api.get(`/dataset/${one.dataset}${FILE}`, { ...bearer(secret), range: "bytes=0-0" });
    for (let n = 0; n < 20; n++) {
      const answers = await Promise.all(Array.from({ length: 5 }, part));
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(206));
    }
    expect((await uses(one, id)).json).toMatchObject([{ kind: "file", path: "data/plots/a.csv", uses: 1 }]);
    expect((await one.get(await ada(), "/access-grant")).json).toMatchObject([{ uses: 1 }]);
  });
});

describe("download links of readers", () => {
  const take = async (url: string) => {
    const response = await fetch(new URL(url, service.url));
    return [response.status, await response.text()] as const;
  };
  const ticket = async (one: PublicationClient, token?: string) =>
    post(one, "/download-link", { path: "data/plots/a.csv" }, token);

  test("are checked again when they are used: after a revocation, and after the access was changed", async () => {
    const one = await closed();
    expect((await ticket(one)).json.code).toBe("not_public");
    const link = await granted(one, { kind: "link" });
    const bob = await granted(one, { kind: "subject", person: "bob" });
    await granted(one, { kind: "email", person: "grace@example.org" });
    const grace = await as("grace", { email: "grace@example.org", email_verified: true });
    for (const token of [link.secret, await as("bob"), grace, await ada()]) {
      const { status, json } = await ticket(one, token);
      expect(status).toBe(201);
      expect(await take(json.url)).toEqual([200, "1;2"]);
      expect((await take(json.url))[0]).toBe(404);
    }
    const before = [await ticket(one, link.secret), await ticket(one, await as("bob"))];
    await remove(one, link.id, await ada());
    await remove(one, bob.id, await ada());
    for (const { json } of before) {
      const [code, text] = await take(json.url);
      expect([code, JSON.parse(text).code]).toEqual([403, "not_public"]);
    }
    await one.done(await ada(), "change-access", { access: "open", reason: "Published" });
    const open = [await ticket(one), await ticket(one, await as("bob"))];
    await one.done(await ada(), "change-access", { access: "restricted", reason: "Again" });
    for (const { status, json } of open) {
      expect(status).toBe(201);
      const [code, text] = await take(json.url);
      expect([code, JSON.parse(text).code, text.includes("a.csv")]).toEqual([403, "not_public", false]);
    }
  });

  // The service has 2.5 s to end the downloads: too few on a busy machine.
  test("end with a revocation while they run", { tags: "extended" }, async () => {
    const files = { "README.md": "# Plots", "plots/a.csv": "x".repeat(64 * 1024 * 1024) };
    const { dataset } = await archiveAs(service, s3, await ada(), { files });
    const one = new PublicationClient(service, dataset);
    await one.done(await ada(), "request", { agreement: true, access: "restricted" });
    await one.until(await ada(), "published");
    const link = await granted(one, { kind: "link" });
    const { json } = await ticket(one, link.secret);
    const running = await Promise.all([
      fetch(new URL(json.url, service.url)),
      fetch(`${service.url}/dataset/${dataset}${FILE}`, { headers: bearer(link.secret) }),
    ]);
    const readers = running.map(({ body }) => body?.getReader());
    for (const reader of readers) expect((await reader?.read())?.done).toBe(false);
    await remove(one, link.id, await ada());
    const revokedAt = performance.now();
    // Longer than the time after which the service closes the connection; what was sent before can still be read.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    for (const reader of readers) {
      await expect(
        (async () => {
          for (;;) if ((await reader?.read())?.done !== false) return;
        })(),
      ).rejects.toThrow();
    }
    expect(performance.now() - revokedAt).toBeLessThan(8_000);
  });
});

describe("a request for access", () => {
  const anonymous = { reason: "Comparison with our plots", name: "Grace Hopper", email: "Grace@Example.org" };

  test("of a person without an account states name, address and reason; owner and curators alone see it", async () => {
    const one = await closed();
    const { json: missing } = await post(one, "/access-request", { reason: " " });
    expect(missing.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["/reason", "/name", "/email"]);
    const asked = await post(one, "/access-request", anonymous);
    expect([asked.status, asked.json]).toEqual([202, { dataset: one.dataset, version: 1 }]);
    const again = await post(one, "/access-request", { ...anonymous, reason: "Please!", email: "grace@example.ORG" });
    expect([again.status, again.text]).toEqual([202, asked.text]);
    const requests = (await one.get(await curator(), "/access-request")).json;
    expect(requests).toMatchObject([
      { account: null, name: "Grace Hopper", email: "grace@example.org", emailVerified: false, state: "open" },
    ]);
    expect(requests[0].reason).toBe(anonymous.reason);
    const seen = await Promise.all([one.get(), one.get(await as("bob"))]);
    for (const { text } of seen) expect(text).not.toMatch(/Grace|Comparison|access_requested/i);
    const [{ submission }] = (await one.get(await ada(), "/versions")).json;
    const events = await service.api.get(`/submission/${submission}/events`, bearer(await ada()));
    const event = events.json.at(-1);
    expect(event).toMatchObject({ type: "access_requested", data: { by: null, request: requests[0].id } });
    expect(JSON.stringify(event)).not.toMatch(/grace|Comparison/i);
  });

  test("is granted by e-mail address or by a link that is shown once, or refused with an answer", async () => {
    const one = await closed();
    const ask = async (email: string) => {
      await post(one, "/access-request", { ...anonymous, email });
      return (await one.get(await ada(), "/access-request")).json[0];
    };
    const answer = async (id: string, what: string, body: object, token?: string) =>
      post(one, `/access-request/${id}/${what}`, body, token ?? (await ada()));
    const first = await ask("grace@example.org");
    expect((await answer(first.id, "grant", {}, await as("bob"))).status).toBe(404);
    const byMail = await answer(first.id, "grant", { answer: "Welcome" });
    expect(byMail.json).toMatchObject({
      request: { state: "granted", decidedBy: owner("ada"), answer: "Welcome" },
      grant: { kind: "email", person: "grace@example.org", secret: null },
    });
    expect(byMail.json.request.grant).toBe(byMail.json.grant.id);
    expect(await status(one, await as("g", { email: "grace@example.org", email_verified: true }))).toBe(200);
    expect((await answer(first.id, "grant", {})).json.code).toBe("access_answered");
    expect((await answer(first.id, "refuse", {})).json.code).toBe("access_answered");

    const second = await ask("alan@example.org");
    const byLink = await answer(second.id, "grant", { as: "link", expiresAt: null }, await curator());
    expect(byLink.status).toBe(422);
    const { grant } = (await answer(second.id, "grant", { as: "link" }, await curator())).json;
    expect(await status(one, grant.secret)).toBe(200);

    const third = await ask("eve@example.org");
    for (const _ of [1, 2]) {
      expect((await answer(third.id, "refuse", { answer: "No" })).json).toMatchObject({
        state: "refused",
        answer: "No",
      });
    }
    const { history } = (await one.get(await ada())).json;
    expect(
      history.map(({ action }: { action: string }) => action).filter((name: string) => /^access_/.test(name)),
    ).toEqual([
      ...[
        "access_requested",
        "access_granted",
        "access_requested",
        "access_granted",
        "access_requested",
        "access_refused",
      ],
    ]);
    // After an answer the person can ask again.
    expect((await ask("eve@example.org")).state).toBe("open");
    const foreign = await unchanged();
    expect((await post(foreign, `/access-request/${third.id}/refuse`, {}, await ada())).status).toBe(404);
    expect((await post(foreign, "/access-request/x/grant", {}, await ada())).status).toBe(404);
  });

  test("of a signed-in person names the account and the verified address, and is granted to the account", async () => {
    const one = await closed();
    const bob = await as("bob", { email: "Bob@Example.org", email_verified: true });
    const eve = await as("eve", { email: "bob@example.org", email_verified: false });
    expect((await post(one, "/access-request", { reason: "Teaching", email: "x@example.org" }, bob)).status).toBe(202);
    expect((await post(one, "/access-request", { reason: "Also" }, eve)).status).toBe(202);
    const [second, first] = (await one.get(await ada(), "/access-request")).json;
    expect(first).toMatchObject({ account: owner("bob"), email: "bob@example.org", emailVerified: true, name: null });
    expect(second).toMatchObject({ account: owner("eve"), email: null, emailVerified: false });
    const own = async (token?: string) => (await one.get(token, "/access-request")).json;
    expect(await own(bob)).toMatchObject([{ id: first.id, state: "open", decidedBy: null }]);
    const granted = await post(one, `/access-request/${first.id}/grant`, { answer: "Welcome" }, await ada());
    expect(await own(bob)).toMatchObject([{ id: first.id, state: "granted", answer: "Welcome", decidedBy: null }]);
    // Nobody else sees it.
    expect(await own(eve)).toMatchObject([{ id: second.id, state: "open", answer: "" }]);
    expect(await own(await as("mallory"))).toEqual([]);
    expect(await own()).toMatchObject({ status: 401, code: "unauthenticated" });
    expect(granted.json.grant).toMatchObject({ kind: "subject", person: owner("bob") });
    expect([await status(one, bob), await status(one, eve)]).toEqual([200, 403]);
    expect((await post(one, "/access-request", { reason: "Again" }, bob)).json.code).toBe("access_not_needed");
  });

  test("is refused where it is not needed, and above the limit of open requests", { tags: "extended" }, async () => {
    const one = await closed();
    expect((await post(one, "/access-request", anonymous, await ada())).json.code).toBe("access_not_needed");
    for (let n = 0; n < 100; n++) {
      const { status } = await post(one, "/access-request", { ...anonymous, email: `p${n}@example.org` });
      if (status !== 202) expect(status).toBe(202);
    }
    const full = await post(one, "/access-request", { ...anonymous, email: "late@example.org" });
    expect([full.status, full.json.code]).toEqual([409, "access_limit"]);
    // Those who wait already get the same response as before, and people with an account have their own limit.
    expect((await post(one, "/access-request", { ...anonymous, email: "p7@example.org" })).status).toBe(202);
    expect((await post(one, "/access-request", { reason: "Comparison" }, await as("bob"))).status).toBe(202);
    expect((await one.get(await ada(), "/access-request")).json).toHaveLength(101);
    await one.done(await ada(), "change-access", { access: "open", reason: "Published" });
    expect((await post(one, "/access-request", anonymous)).json.code).toBe("access_not_needed");
  });

  test("of hostile form is refused", async () => {
    const closedOne = await unchanged();
    const refused = [
      { ...anonymous, email: "a@b" },
      { ...anonymous, email: "a@example.org\r\nBcc: b@example.org" },
      { ...anonymous, name: "a\nb" },
      { ...anonymous, name: "x".repeat(201) },
      { ...anonymous, reason: "x".repeat(2_001) },
      { ...anonymous, account: "ada" },
      { ...anonymous, reason: 7 },
    ];
    for (const body of refused)
      expect([body, (await post(closedOne, "/access-request", body)).status]).toEqual([body, 422]);
    expect((await post(closedOne, "/access-request", { ...anonymous, reason: "\u0000" })).status).toBe(400);
    const large = await post(closedOne, "/access-request", { ...anonymous, reason: "x".repeat(100_000) });
    expect(large.status).toBe(413);
    expect((await closedOne.get(await ada(), "/access-request")).json).toEqual([]);
  });

  test("is limited for each address, with the same answer for all people", { tags: "extended" }, async () => {
    await using other = await startTestService({
      ...TOKENS,
      ACCESSION_PUBLICATION: "direct",
      ACCESSION_RATE_LIMIT_SIGN_IN: "3",
    });
    const { token } = await (await Tokens.open(other)).create("ada", "submitter");
    const { dataset } = await archiveAs(other, s3, token);
    const one = new PublicationClient(other, dataset);
    await one.done(token, "request", { agreement: true, access: "restricted" });
    await one.until(token, "published");
    const ask = (email: string) => other.api.post(`/dataset/${dataset}/access-request`, { ...anonymous, email });
    for (const email of ["a@example.org", "a@example.org", "b@example.org"])
      expect((await ask(email)).status).toBe(202);
    const limited = await ask("c@example.org");
    expect([limited.status, limited.json.code, limited.headers.has("retry-after")]).toEqual([
      429,
      "rate_limited",
      true,
    ]);
    expect((await one.get(token, "/access-request")).json).toHaveLength(2);
    // Guesses of links are limited like guesses of tokens.
    const guess = () => one.get(`grant_${"x".repeat(43)}`, "");
    expect([await guess(), await guess(), await guess(), await guess()].map(({ status }) => status)).toEqual([
      401, 401, 401, 429,
    ]);
  });
});

test("webhooks report requests, grants and revocations, without the people who have no account", {
  tags: "extended",
}, async () => {
  await using receiver = await startReceiver();
  const one = await closed();
  const [{ submission }] = (await one.get(await ada(), "/versions")).json;
  const webhook = await service.api.post("/webhook", { url: receiver.url, submission }, bearer(await ada()));
  expect(webhook.status).toBe(201);
  const asked = { reason: "Comparison by Grace", name: "Grace Hopper", email: "grace@example.org" };
  await post(one, "/access-request", asked);
  const [{ id }] = (await one.get(await ada(), "/access-request")).json;
  const { grant } = (await post(one, `/access-request/${id}/grant`, { answer: "Hello Grace" }, await ada())).json;
  await remove(one, grant.id, await ada());
  await post(one, "/access-request", asked);
  const [{ id: second }] = (await one.get(await ada(), "/access-request")).json;
  await post(one, `/access-request/${second}/refuse`, { answer: "Sorry, Grace" }, await ada());
  await receiver.until("access_refused");
  const about = receiver.accepted().filter(({ json }) => json.type.startsWith("submission.access_"));
  const of = { dataset: one.dataset, version: 1, by: owner("ada") };
  expect(Object.fromEntries(about.map(({ json }) => [json.type, json.data.details]))).toEqual({
    "submission.access_requested": { ...of, by: null, request: expect.any(String) },
    "submission.access_granted": { ...of, grant: grant.id, request: id },
    "submission.access_revoked": { ...of, grant: grant.id },
    "submission.access_refused": { ...of, request: second },
  });
  expect(receiver.received.map(({ body }) => body).join()).not.toMatch(/grace/i);
});

test("without sign-in, the link of a grant is the public with the files, and not the owner", {
  tags: "extended",
}, async () => {
  await using other = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  const { dataset } = await archiveAs(other, s3, undefined);
  const path = `/dataset/${dataset}`;
  await other.api.post(`${path}/publication/request`, { agreement: true, access: "restricted" });
  const read = async (token?: string) =>
    (await other.api.get(`${path}/publication`, token === undefined ? {} : bearer(token))).json;
  await vi.waitUntil(async () => (await read()).state === "published");
  const { json: link } = await other.api.post(`${path}/access-grant`, { kind: "link" });
  expect(await read(link.secret)).toMatchObject({ filesReadable: true, history: [], actions: [] });
  const { json } = await other.api.post(`${path}/access-grant`, { kind: "email", person: "a@example.org" });
  expect(json.errors).toMatchObject([{ pointer: "/kind" }]);
});

test("answered requests are deleted after a year, also if no other request arrives", { tags: "extended" }, async () => {
  await using other = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  const { dataset } = await archiveAs(other, s3, undefined);
  const path = `/dataset/${dataset}`;
  await other.api.post(`${path}/publication/request`, { agreement: true, access: "restricted" });
  const state = async () => (await other.api.get(`${path}/publication`)).json.state;
  await vi.waitUntil(async () => (await state()) === "published");
  const ids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;
  await other.restart(async () => {
    const database = await other.database();
    for (const [id, days] of [
      [ids[0], 366],
      [ids[1], 364],
    ] as const) {
      await sql`insert into access_request
        (id, dataset_id, version, email_verified, reason, created_at, state, decided_at, answer)
        values (${id}::uuid, ${dataset}::uuid, 1, false, 'x', now(), 'refused',
          now() - ${days}::integer * interval '1 day', '')`.execute(database.queries);
    }
    await database.close();
  });
  const left = async () => (await other.api.get(`${path}/access-request`)).json.map(({ id }: { id: string }) => id);
  await vi.waitUntil(async () => (await left()).length === 1, { timeout: 100_000, interval: 500 });
  expect(await left()).toEqual([ids[1]]);
});

test("the withdrawal of a dataset deletes its grants and requests", { tags: "extended" }, async () => {
  await using other = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  const { dataset } = await archiveAs(other, s3, undefined);
  const path = `/dataset/${dataset}`;
  await other.api.post(`${path}/publication/request`, { agreement: true, access: "restricted" });
  const state = async () => (await other.api.get(`${path}/publication`)).json.state;
  await vi.waitUntil(async () => (await state()) === "published");
  const { json: link } = await other.api.post(`${path}/access-grant`, { kind: "link" });
  await other.api.post(`${path}/withdraw`, { reason: "A name" });
  await vi.waitUntil(async () => (await other.api.get(path)).json.tombstone.removedAt !== null);
  expect((await other.api.get(path, bearer(link.secret))).status).toBe(401);
});
