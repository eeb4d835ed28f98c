import { globSync, readFileSync } from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { sql } from "kysely";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { buildServer } from "../../src/http/server.ts";
import type { Role } from "../../src/people/route-permissions.ts";
import { ROUTE_PERMISSIONS, type RoutePermission } from "../../src/people/route-permissions.ts";
import { type Answer, goodMetadata, type Submission } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { createLink } from "../support/api/reviewer-links.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { startProgram } from "../support/program/program.ts";
import { runCommand, runProgram } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const COLLECTION = "field-trials";
const MISSING = "00000000-0000-4000-8000-000000000000";

let s3: S3Server;
let service: TestService;
let tokens: Tokens;
let callers: Record<"ada" | "bob" | "curator" | "admin", string>;
let strangers: Record<string, string | undefined>;
let access: object;
let hers: Submission;
/** A webhook of Ada, and one of its deliveries. */
let webhook: { id: string; delivery: string };
/** Id of an upload of Ada with a file. */
let upload: string;
/** Id of a reviewer link of Ada’s dataset. */
let reviewerLink: string;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("full");
  s3.put("full", "a", "a");
  access = { endpoint: s3.endpoint, bucket: "full", ...keys };
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" });
  tokens = await Tokens.open(service);
  const [ada, bob, curator] = [
    await tokens.create("ada", "submitter"),
    await tokens.create("bob", "submitter"),
    await tokens.create("carla", "curator"),
  ];
  callers = { ada: ada.token, bob: bob.token, curator: curator.token, admin: tokens.admin };
  strangers = {
    none: undefined,
    expired: await tokens.expired("ada", "submitter"),
    revoked: await tokens.revoked("ada", "admin"),
    malformed: "acc_short",
    "not a token": "null",
    foreign: `acc_${"x".repeat(43)}`,
    "an unsigned JWT": "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.",
  };
  const { json } = await submitAs(callers.ada);
  hers = await settled(json.id);
  webhook = await webhookAs(callers.ada, hers.id);
  upload = await uploadAs(callers.ada);
  await createCollection(COLLECTION);
  reviewerLink = (await createLink(service, callers.ada, hers.dataset?.id ?? "")).id;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

function submitAs(token: string, headers: Record<string, string> = {}, metadata: object = goodMetadata) {
  return service.api.post(
    "/submission/upload/s3upload",
    { metadata, s3Access: access },
    { ...bearer(token), ...headers },
  );
}

async function createCollection(id: string): Promise<void> {
  const body = JSON.stringify({ name: { en: "Field trials" } });
  const headers = { ...bearer(tokens.admin), "content-type": "application/json" };
  expect((await service.api.send(`/collections/${id}`, { method: "PUT", headers, body })).status).toBe(201);
}

/** Creates a webhook for the submission, whose endpoint does not accept connections. */
async function webhookAs(token: string, submission: string): Promise<typeof webhook> {
  const url = "http://127.0.0.1:1/";
  const { json } = await service.api.post("/webhook", { url, submission }, bearer(token));
  const found = await service.api.get(`/webhook/${json.id}/deliveries`, bearer(token));
  return { id: json.id, delivery: found.json[0].id };
}

/** Creates an upload with a file of one byte that has not arrived. */
async function uploadAs(token: string): Promise<string> {
  const { json } = await service.api.post("/uploads", undefined, bearer(token));
  const file = { "upload-length": "1", "upload-metadata": `path ${Buffer.from("a").toString("base64")}` };
  const headers = { ...bearer(token), "tus-resumable": "1.0.0", ...file };
  expect((await fetch(service.url + json.files, { method: "POST", headers })).status).toBe(201);
  return json.id;
}

async function settled(id: string): Promise<Submission> {
  const read = async () => (await service.api.get(`/submission/${id}`, bearer(tokens.admin))).json as Submission;
  await vi.waitUntil(async () => (await read()).status === "completed");
  return read();
}

/** Returns a response without the parts that identify the request. */
function comparable({ status, headers, text }: Answer): unknown {
  const { instance: _, ...body } = text.startsWith("{") ? JSON.parse(text) : { text };
  // The only other difference is the requested ID in the detail.
  if (typeof body.detail === "string")
    body.detail = body.detail.replace(/^(The \w+) [0-9a-f-]{36} (does not exist)$/, "$1 $2");
  const kept = [...headers].filter(([name]) => !["date", "connection", "keep-alive", "x-request-id"].includes(name));
  return { status, body, headers: kept.map(([name, value]) => (name === "content-length" ? name : [name, value])) };
}

describe("the table of roles and routes", () => {
  /** Request bodies for routes that need one, so that each request gets far without destroying test data. */
  const bodies: Record<string, unknown> = {
    "POST /submission/:id/exclude": { keys: ["a"], reason: "not wanted" },
    "POST /dataset/:id/download-link": { path: "data/a" },
    "POST /token": { name: "one more", role: "submitter" },
    "POST /dataset/:id/publication/request": { agreement: true, access: "open" },
    "POST /dataset/:id/publication/assign": { curator: null },
    "POST /dataset/:id/publication/comment": { comment: "a" },
    "POST /dataset/:id/publication/resolve": { entry: 1 },
    "POST /dataset/:id/publication/request-changes": { comment: "a" },
    "POST /dataset/:id/publication/decline": { comment: "a" },
    "POST /dataset/:id/publication/change-access": { access: "open", reason: "a" },
    "POST /dataset/:id/publication/withdraw": { reason: "a" },
    "POST /dataset/:id/access-grant": { kind: "link" },
    "POST /dataset/:id/access-request": { reason: "a", name: "a", email: "a@example.org" },
    "PUT /collections/:id": { name: { en: "Field trials" } },
    "POST /webhook": { url: "http://127.0.0.1:1/" },
  };

  async function call(route: string, token: string | undefined, id?: string): Promise<Answer> {
    const [method = "", pattern = ""] = route.split(" ");
    const [kind = ""] = /^\/[a-z]+/.exec(pattern) ?? [];
    const ids = {
      "/dataset": hers.dataset?.id,
      "/webhook": webhook.id,
      "/collections": COLLECTION,
      "/uploads": upload,
    };
    const known = ids[kind as keyof typeof ids] ?? hers.id;
    const path = pattern
      .replace(":id", id ?? known)
      .replace(":dataset", hers.dataset?.id ?? "")
      .replace(":delivery", webhook.delivery)
      .replace(/:(grant|request)/, MISSING)
      .replace(":no", "1")
      .replace(":link", reviewerLink)
      .replace(":format", "bibtex")
      .replace(":file", "1.xml")
      .replace("/files/*", "/files/data/a")
      .replace("/preview/*", "/preview/data/a")
      .replace("*", "");
    const hasBody = method === "POST" || method === "PATCH" || method === "PUT";
    const body = hasBody ? { body: JSON.stringify(bodies[route] ?? {}) } : {};
    const type = hasBody ? { "content-type": "application/json" } : {};
    // A condition that never holds, so that no publication changes.
    const unchanged = pattern.includes("/publication/") ? { "if-match": '"p999.1.1"' } : {};
    const existing = route === "PUT /collections/:id" ? { "if-match": "*" } : {};
    const headers = { ...type, ...unchanged, ...existing, ...(token !== undefined && bearer(token)) };
    return service.api.send(path, { method, headers, redirect: "manual", ...body });
  }

  /** Creates a resource that the request deletes, and returns its id, so that later requests have their own. */
  async function onceOnly(route: string, token: string): Promise<string | undefined> {
    if (route === "DELETE /token/:id") return (await tokens.create("gone soon", "submitter")).id;
    if (route === "DELETE /collections/:id" && token === callers.admin) {
      await createCollection("gone-soon");
      return "gone-soon";
    }
    const isOwner = token === callers.ada || token === callers.admin;
    if (route === "DELETE /uploads/:id" && isOwner) return uploadAs(callers.ada);
    return route === "DELETE /webhook/:id" && isOwner ? (await webhookAs(callers.ada, hers.id)).id : undefined;
  }

  const expected: Record<Exclude<RoutePermission, "open" | "reviewer">, (keyof typeof callers)[]> = {
    read: ["ada", "bob", "curator", "admin"],
    see: ["ada", "bob", "curator", "admin"],
    edit: ["ada", "bob", "curator", "admin"],
    change: ["ada", "bob", "admin"],
    review: ["curator", "admin"],
    operate: ["curator", "admin"],
    admin: ["admin"],
  };
  /** A server without a service, which shows the routes that are registered. */
  const context = { basePath: "", version: "0", authenticate: async () => ({ owner: "x", roles: [] }) };
  const build = () =>
    buildServer(context as never, {
      origin: { corsOrigins: [], publicUrl: () => "http://localhost", loopback: true, publishes: false },
      trustedProxies: [],
      rateLimits: { requests: 0, checks: 0, signIn: 0 },
      hasSignIn: true,
      logger: pino({ level: "silent" }),
    });
  let registered: string[];

  beforeAll(async () => {
    const server = await build();
    registered = Object.keys(ROUTE_PERMISSIONS).filter((route) => {
      const [method, url = ""] = route.split(" ");
      return server.hasRoute({ method: method as "GET", url: url.replace("/docs/*", "/docs/json") });
    });
    await server.close();
  });

  test("has exactly the routes of the service", async () => {
    expect(Object.keys(ROUTE_PERMISSIONS).filter((route) => !registered.includes(route))).toEqual([]);
    const server = await build();
    // The server refuses to register a route that is not in the table.
    expect(() => server.get("/submission/:id/unheard-of", async () => "")).toThrow("/submission/:id/unheard-of");
    await server.close();
  });

  test("lists the public routes, and grants no changes to roles with read access", () => {
    const routes = (wanted: (method: string, rule: RoutePermission) => boolean) =>
      Object.entries(ROUTE_PERMISSIONS).flatMap(([route, rule]) =>
        wanted(route.split(" ")[0] ?? "", rule) ? [route] : [],
      );
    expect(routes((_, rule) => rule === "open").sort()).toEqual([
      "GET /",
      "GET /.well-known/jwks.json",
      "GET /about",
      "GET /app/*",
      "GET /catalogue.jsonld",
      "GET /collections/:id/datasets",
      "GET /datasets",
      "GET /deposit-agreement",
      "GET /docs/*",
      "GET /download/:ticket",
      "GET /favicon.ico",
      "GET /feed.atom",
      "GET /field-groups",
      "GET /health/live",
      "GET /health/ready",
      "GET /oai",
      "GET /openapi.json",
      "GET /opensearch.xml",
      "GET /robots.txt",
      "GET /service",
      "GET /site/:file",
      "GET /sitemap.xml",
      "GET /sitemap/:file",
      "GET /usage",
      "POST /oai",
    ]);
    const sees = (rule: RoutePermission) => rule === "see" || rule === "operate";
    // These store nothing, or only what the caller has chosen for the own account.
    expect(routes((method, rule) => method !== "GET" && sees(rule))).toEqual([
      "POST /metadata/import",
      "POST /submission/validate",
      "PUT /account/mail",
    ]);
    // Links for one download, and requests for access, which the owner answers.
    expect(routes((_, rule) => rule === "read").filter((route) => !route.startsWith("GET /dataset/:id"))).toEqual([
      "POST /dataset/:id/access-request",
      "POST /dataset/:id/download-link",
      "GET /collections",
      "GET /collections/:id",
    ]);
  });

  test("is the basis of 405 answers to other methods of a known path, which name the allowed ones", async () => {
    const methods = Map.groupBy(Object.keys(ROUTE_PERMISSIONS), (route) => route.split(" ")[1] ?? "");
    for (const [path, routes] of methods) {
      const known = routes.map((route) => route.split(" ")[0] ?? "");
      const allowed = [...known, ...(known.includes("GET") && path !== "/download/:ticket" ? ["HEAD"] : []), "OPTIONS"];
      const others = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => !known.includes(method));
      for (const method of others) {
        // OPTIONS requires no authentication.
        const { status, headers, json } = await call(`${method} ${path}`, undefined);
        const allow = headers.get("allow")?.split(", ");
        expect([method, path, status, json.code, allow]).toEqual([
          method,
          path,
          405,
          "method_not_allowed",
          allowed.toSorted(),
        ]);
      }
      const options = await call(`OPTIONS ${path}`, undefined);
      expect([path, options.status, options.headers.get("allow")]).toEqual([path, 204, allowed.toSorted().join(", ")]);
    }
    const head = await fetch(`${service.url}/submission/upload/s3upload`, { method: "HEAD" });
    expect([head.status, head.headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
    expect((await call("PUT /submission/upload/elsewhere", undefined)).status).toBe(404);
  });

  test.each(Object.entries(ROUTE_PERMISSIONS))("%s requires the access “%s”", async (route, rule) => {
    if (!registered.includes(route)) return;
    // There is no ticket for this request. Download links have separate tests.
    if (route === "GET /download/:ticket") return;
    // Accepts forms only, and is otherwise the same as by GET.
    if (route === "POST /oai") return;
    if (rule === "open") {
      const { status } = await call(route, undefined);
      // There is no such file, and no page about the service, in a service for tests.
      if (route === "GET /site/:file" || route === "GET /about") expect(status).toBe(404);
      else expect(status).toBeLessThan(400);
      for (const token of Object.values({ ...callers, ...strangers })) {
        expect((await call(route, token)).status).toBe(status);
      }
      return;
    }
    if (rule === "reviewer") {
      // Only the secret of a reviewer link gives access, see tests/publication/reviewer-links.test.ts.
      for (const [who, token] of Object.entries({ ...callers, ...strangers })) {
        const { status, headers, json } = await call(route, token);
        expect([who, status, json.code]).toEqual([who, 401, "reviewer_link_unknown"]);
        expect(headers.get("www-authenticate")).toBe('Bearer realm="accession reviewer link"');
      }
      return;
    }
    for (const [who, token] of Object.entries(strangers)) {
      const { status, headers, json, text } = await call(route, token);
      if (token === undefined && /^GET \/collections/.test(route)) {
        // Collections are public.
        expect([who, status]).toEqual([who, 200]);
        continue;
      }
      expect([who, status]).toEqual([who, 401]);
      const error = token === undefined ? "" : ', error="invalid_token"';
      expect(headers.get("www-authenticate")).toBe(`Bearer realm="accession"${error}`);
      if (route === "POST /submission/upload/s3check") expect(text).toMatch(/^Connection unsuccessful: /);
      else expect(json.code).toBe(token === undefined ? "unauthenticated" : "token_invalid");
    }
    for (const [who, token] of Object.entries(callers)) {
      const isOne = route.includes("/:id") && !route.startsWith("DELETE /token");
      const isHers =
        route.startsWith("POST /submission/:id") ||
        route.startsWith("GET /submission/:id") ||
        /^(?:GET|PUT) \/dataset/.test(route) ||
        route.endsWith("/download-link") ||
        route.includes("/publication/") ||
        route.includes("/access-") ||
        route.includes("/reviewer-link") ||
        // Curators and admins remove other datasets, too.
        route === "DELETE /collections/:id/datasets/:dataset" ||
        route.includes(" /uploads/:id") ||
        route.includes(" /webhook/:id");
      const mine = await onceOnly(route, token);
      const answer = await call(route, token, mine);
      const allowed = expected[rule].includes(who as keyof typeof callers);
      if (!allowed) {
        expect([who, answer.status]).toEqual([who, 403]);
        expect(answer.headers.get("www-authenticate")).toContain("insufficient_scope");
        if (route === "POST /submission/upload/s3check") expect(answer.text).toMatch(/^Connection unsuccessful: /);
        else expect(answer.json.code).toBe("forbidden");
      } else if (route === "GET /dataset/:id/preview/*") {
        // It shows the same to all, and the dataset is not published.
        expect([who, answer.status, answer.json.code]).toEqual([who, 401, "unauthenticated"]);
      } else if (isOne && isHers && who === "bob") {
        expect([who, answer.status]).toEqual([who, 404]);
      } else if (/:(grant|request)|publication-record$/.test(route)) {
        // The dataset is found, and has no such grant, request or record.
        expect([who, answer.status, answer.json.detail]).toEqual([who, 404, expect.stringContaining("has no ")]);
      } else expect([who, answer.status < 400 || [409, 412, 415, 422].includes(answer.status)]).toEqual([who, true]);
    }
  });

  test("gives the same response for resources of other owners and missing ones, on every route", async () => {
    const about = registered.filter(
      (route) => route.includes("/:id") && ["see", "edit", "change"].includes(ROUTE_PERMISSIONS[route] ?? ""),
    );
    expect(about.length).toBeGreaterThanOrEqual(9);
    for (const route of about) {
      const [theirs, missing] = [await call(route, callers.bob), await call(route, callers.bob, MISSING)];
      expect(comparable(theirs), route).toEqual(comparable(missing));
      expect(theirs.status, route).toBe(404);
    }
    const live = { ...bearer(callers.bob), accept: "text/event-stream" };
    const [theirs, missing] = [
      await service.api.get(`/submission/${hers.id}/events`, live),
      await service.api.get(`/submission/${MISSING}/events`, live),
    ];
    expect([theirs.status, comparable(theirs)]).toEqual([404, comparable(missing)]);
  });
});

describe("ownership", () => {
  test("a submission belongs to its submitter", async () => {
    expect(hers).toMatchObject({ owner: "ada" });
    const list = async (token: string) =>
      (await service.api.get("/submission", bearer(token))).json.map(({ id }: Submission) => id);
    expect(await list(callers.ada)).toContain(hers.id);
    expect(await list(callers.bob)).not.toContain(hers.id);
    expect(await list(callers.curator)).toContain(hers.id);
    expect(await list(callers.admin)).toContain(hers.id);
  });

  test("a title is compared only with titles of the caller", async () => {
    const path = `/submission/info/exists?title=${encodeURIComponent(goodMetadata.title)}`;
    expect((await service.api.get(path, bearer(callers.ada))).status).toBe(200);
    expect((await service.api.get(path, bearer(callers.bob))).status).toBe(204);
    expect((await service.api.get(path, bearer(callers.curator))).status).toBe(204);
  });

  test("an Idempotency-Key belongs to its owner", async () => {
    const key = { "idempotency-key": "the-same" };
    const [first, again, other] = [
      await submitAs(callers.ada, key),
      await submitAs(callers.ada, key),
      await submitAs(callers.bob, key, { ...goodMetadata, title: "Another one" }),
    ];
    expect([first.status, again.status, other.status]).toEqual([202, 202, 202]);
    expect(again.json.id).toBe(first.json.id);
    expect(other.json).toMatchObject({ owner: "bob", title: "Another one" });
    await Promise.all([settled(first.json.id), settled(other.json.id)]);
  });

  test("a webhook belongs to its owner; curators see only their own, admins all", async () => {
    const list = async (token: string) =>
      (await service.api.get("/webhook", bearer(token))).json.map(({ id }: { id: string }) => id);
    expect(await list(callers.ada)).toContain(webhook.id);
    expect(await list(callers.bob)).not.toContain(webhook.id);
    expect(await list(callers.admin)).toContain(webhook.id);
    const url = "http://127.0.0.1:1/";
    const about = await service.api.post("/webhook", { url, submission: hers.id }, bearer(callers.bob));
    expect([about.status, about.json.detail]).toEqual([404, `The submission ${hers.id} does not exist`]);
  });

  test("two tokens with one name have the same owner", async () => {
    const second = await tokens.create("ada", "submitter");
    expect((await service.api.get(`/submission/${hers.id}`, bearer(second.token))).status).toBe(200);
  });
});

/** The rows of all tables of the service, as text. The service must be stopped. */
async function everyRow(): Promise<string[]> {
  const { queries, close } = await service.database();
  try {
    const tables = await sql<{ name: string }>`select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`.execute(queries);
    const all = tables.rows.map(({ name }) => sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`);
    return (await Promise.all(all.map((query) => query.execute(queries)))).flatMap(({ rows }) =>
      rows.map(({ row }) => row),
    );
  } finally {
    await close();
  }
}

describe("tokens", () => {
  test("are stored as hashes, and shown once", async () => {
    const { text } = await service.api.get("/token", bearer(tokens.admin));
    for (const token of Object.values(callers)) expect(text).not.toContain(token.slice(4));
    let stored: string[] = [];
    await service.restart(async () => {
      stored = inject("onPostgres") ? await everyRow() : [];
    });
    const files = globSync(["database/**", "admin-token*"], { cwd: service.data, withFileTypes: true });
    for (const entry of files) {
      if (entry.isFile()) stored.push(readFileSync(join(entry.parentPath, entry.name), "latin1"));
    }
    expect(stored.length).toBeGreaterThan(10);
    for (const token of Object.values(callers)) {
      expect(stored.filter((content) => content.includes(token.slice(4)))).toEqual([]);
    }
  });

  test("show when they were last used, and when they expire", async () => {
    const list = async () => (await service.api.get("/token", bearer(tokens.admin))).json as Record<string, string>[];
    const { id, token } = await tokens.create("dora", "submitter");
    const find = async () => (await list()).find((one) => one.id === id);
    expect(await find()).toMatchObject({ name: "dora", role: "submitter", lastUsedAt: null });
    const year = Date.parse((await find())?.expiresAt ?? "") - Date.now();
    expect(Math.round(year / 86_400_000)).toBe(365);
    await service.api.get("/submission", bearer(token));
    // The service records the use in parallel with the response.
    const used = await vi.waitUntil(async () => (await find())?.lastUsedAt);
    expect(Date.now() - Date.parse(used ?? "")).toBeLessThan(60_000);
    await service.api.get("/submission", bearer(token));
    expect((await find())?.lastUsedAt).toBe(used);
    expect((await tokens.create("for ever", "submitter", { expiresAt: null })) as object).toMatchObject({
      expiresAt: null,
    });
  });

  test.each([
    [{ name: "", role: "submitter" }, "/name"],
    [{ name: " x", role: "submitter" }, "/name"],
    [{ name: "\u200b", role: "submitter" }, "/name"],
    [{ name: "x".repeat(201), role: "submitter" }, "/name"],
    [{ name: "x", role: "king" }, "/role"],
    [{ name: "x", role: "submitter", expiresAt: "2020-01-01T00:00:00Z" }, "/expiresAt"],
    [{ name: "x", role: "submitter", expiresAt: "tomorrow" }, "/expiresAt"],
    [{ name: "x", role: "submitter", expiresAt: "9999-12-31T23:59:59-23:59" }, "/expiresAt"],
    [{ name: "x", role: "submitter", admin: true }, "/admin"],
  ])("are not created for %.60j", async (body, pointer) => {
    const { status, json } = await service.api.post("/token", body, bearer(tokens.admin));
    expect([status, json.errors?.[0]?.pointer]).toEqual([422, pointer]);
  });

  test("are accepted only in the header, with the scheme in any case", async () => {
    const { token } = await tokens.create("ada", "submitter");
    const status = async (authorization: string, path = "/submission") =>
      (await service.api.get(path, { authorization })).status;
    expect(await status(`bearer   ${token}`)).toBe(200);
    expect(await status(`Basic ${Buffer.from(`ada:${token}`).toString("base64")}`)).toBe(401);
    expect(await status(token)).toBe(401);
    expect(await status(`Bearer ${token} x`)).toBe(401);
    expect((await service.api.get(`/submission?access_token=${token}`)).status).toBe(401);
  });

  test("are checked before a body is read", async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const host = `Host: ${hostname}:${port}\r\nContent-Type: application/json\r\n`;
    socket.write(`POST /submission/upload/s3upload HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`);
    let answer = "";
    // The service closes the connection, although no byte of the body was sent.
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  });

  test("are checked before the client is asked to send a body", async () => {
    const { hostname, port } = new URL(service.url);
    const send = async (authorization: string, enough: RegExp) => {
      const socket = connect(Number(port), hostname);
      const headers = [`Host: ${hostname}:${port}`, "Content-Length: 2", "Expect: 100-continue", authorization];
      socket.write(`POST /submission/validate HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
      let answer = "";
      for await (const chunk of socket) {
        answer += chunk;
        if (answer.includes("100 Continue")) socket.write("{}");
        if (enough.test(answer)) break;
      }
      return answer;
    };
    expect(await send("X: y", /"unauthenticated"/)).toMatch(/^HTTP\/1\.1 401 /);
    const answer = await send(`Authorization: Bearer ${callers.ada}`, /"valid"/);
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  test("an event stream ends after the token of its reader is revoked", async () => {
    const { id, token } = await tokens.create("ada", "submitter");
    const response = await fetch(`${service.url}/submission/${hers.id}/events`, {
      headers: { ...bearer(token), accept: "text/event-stream" },
    });
    expect(response.status).toBe(200);
    let text = "";
    let isRevoked = false;
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      // The token is valid until everything that has happened was read.
      if (isRevoked || !text.includes("event: completed")) continue;
      await tokens.revoke(id);
      isRevoked = true;
    }
    expect(isRevoked).toBe(true);
  });
});

describe("pages of allowed origins", () => {
  test("may send tokens, and read the error of a refusal", { tags: "extended" }, async () => {
    const origin = "https://edal.example.org";
    await using own = await startTestService({ ...TOKENS, ACCESSION_CORS_ORIGINS: origin });
    const preflight = await own.api.send("/submission", {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "GET", "access-control-request-headers": "authorization" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Authorization");
    const refused = await own.api.get("/submission", { origin });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("access-control-allow-origin")).toBe(origin);

    const corsOf = ({ headers }: Answer) => [...headers.keys()].filter((name) => name.startsWith("access-control-"));
    const ask = (path: string) =>
      own.api.send(path, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
      });
    const readable = expect.arrayContaining(["access-control-allow-origin"]);
    for (const [path, init] of Object.entries(edalUploads())) {
      const answer = await own.api.send(path, { method: "POST", ...init, headers: { ...init.headers, origin } });
      expect([path, answer.status, answer.json.code, corsOf(answer)]).toEqual([path, 401, "token_invalid", readable]);
      const asked = await ask(path);
      expect([path, asked.status, corsOf(asked)]).toEqual([path, 204, readable]);
    }
    // e!DAL’s client treats every readable response as a success, also for operations that this service does not have.
    const path = "/submission/upload/unknown";
    const unknown = await own.api.send(path, { method: "POST", headers: { origin, authorization: "Bearer null" } });
    expect([unknown.status, corsOf(unknown)]).toEqual([404, []]);
    const asked = await ask(path);
    expect([asked.status, corsOf(asked)]).toEqual([404, []]);
    const missing = await own.api.get("/dataset/none", { origin, ...bearer(await firstTokenOf(own)) });
    expect([missing.status, corsOf(missing)]).toEqual([404, expect.arrayContaining(["access-control-allow-origin"])]);
  });

  /** The requests of e!DAL’s client in its mode “local files”. */
  function edalUploads(): Record<string, { headers: Record<string, string>; body: FormData | string }> {
    const file = new FormData();
    file.set("file", new Blob(["a"]), "a.txt");
    file.set("metaData", JSON.stringify(goodMetadata));
    file.set("path", goodMetadata.title);
    const authorization = "Bearer null";
    return {
      "/submission/upload/dataset": { headers: { authorization }, body: file },
      "/submission/publication/publish": {
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ title: goodMetadata.title }),
      },
    };
  }

  const firstTokenOf = async (own: TestService) => (await readFile(join(own.data, "admin-token"), "utf8")).trim();
});

test("the API’s description states the required roles", async () => {
  const { json } = await service.api.get("/openapi.json");
  expect(json.components.securitySchemes.bearer).toMatchObject({ type: "http", scheme: "bearer" });
  for (const [path, operations] of Object.entries<Record<string, Record<string, unknown>>>(json.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const route = `${method.toUpperCase()} ${path.replace("{path}", "*").replace(/\{(\w+)\}/g, ":$1")}`;
      const responses = Object.keys(operation.responses as object);
      if (ROUTE_PERMISSIONS[route] === "open") expect([route, operation.security]).toEqual([route, undefined]);
      else if (ROUTE_PERMISSIONS[route] === "reviewer") {
        expect([route, operation.security]).toEqual([route, [{ reviewerLink: [] }]]);
        expect(responses).toEqual(expect.arrayContaining(["401", "410", "429"]));
      } else {
        const security = ROUTE_PERMISSIONS[route] === "read" ? [{ bearer: [] }, {}] : [{ bearer: [] }];
        expect([route, operation.security]).toEqual([route, security]);
        expect(responses).toEqual(expect.arrayContaining(["401", "403", "429"]));
      }
    }
  }
});

describe("the first admin", () => {
  const file = (own: TestService) => join(own.data, "admin-token");
  const create = (own: TestService, as: string, role: Role) =>
    own.api.post("/token", { name: "root", role }, bearer(as));

  test("signs in with a one-time token", async () => {
    await using own = await startTestService(TOKENS);
    const first = (await readFile(file(own), "utf8")).trim();
    expect(first).toMatch(/^acc_[\w-]{43}$/);
    expect((await stat(file(own))).mode & 0o777).toBe(0o600);
    await own.restart();
    expect((await readFile(file(own), "utf8")).trim()).toBe(first);
    // Creating a token with another role does not invalidate the one-time token.
    expect((await create(own, first, "submitter")).status).toBe(201);
    const { json: root } = await create(own, first, "admin");
    expect((await create(own, first, "admin")).json.code).toBe("token_invalid");
    await expect(stat(file(own))).rejects.toThrow("ENOENT");
    await own.restart();
    await expect(stat(file(own))).rejects.toThrow("ENOENT");
    const revoked = await own.api.send(`/token/${root.id}`, { method: "DELETE", headers: bearer(root.token) });
    expect([revoked.status, revoked.json.code]).toEqual([409, "last_admin"]);
  });

  test("receives a new one if the file is lost, or every admin’s token has expired", { tags: "extended" }, async () => {
    await using own = await startTestService(TOKENS);
    const first = (await readFile(file(own), "utf8")).trim();
    await writeFile(file(own), "something else\n");
    await own.restart();
    const found = (await readFile(file(own), "utf8")).trim();
    // On PostgreSQL the file may belong to another process, so the first token remains valid.
    const second = inject("onPostgres") ? first : found;
    expect(found === "something else").toBe(inject("onPostgres"));
    expect((await create(own, first, "submitter")).status).toBe(inject("onPostgres") ? 201 : 401);
    const expiresAt = new Date(Date.now() + 500);
    expect((await own.api.post("/token", { name: "root", role: "admin", expiresAt }, bearer(second))).status).toBe(201);
    await vi.waitUntil(() => Date.now() > expiresAt.getTime());
    await own.restart();
    const third = (await readFile(file(own), "utf8")).trim();
    expect((await create(own, third, "admin")).status).toBe(201);
  });
});

describe("an admin who has lost every token", { tags: "extended" }, () => {
  test("creates one in the database, which replaces only the one-time token", async () => {
    await using own = await startTestService(TOKENS);
    const first = (await readFile(join(own.data, "admin-token"), "utf8")).trim();
    const create = ["admin-token", "--name", "ada"];
    let created: Awaited<ReturnType<typeof runCommand>> | undefined;
    let refused: typeof created;
    await own.restart(async () => {
      refused = await runCommand(create, own.data, { env: own.settings });
      created = await runCommand(create, own.data, { env: { ...own.settings, ...TOKENS } });
    });
    expect([refused?.code, refused?.lines]).toEqual([2, []]);
    expect([created?.code, created?.stderr]).toEqual([0, ""]);
    const { token, role, name } = created?.lines[0] ?? {};
    expect([role, name]).toEqual(["admin", "ada"]);
    const { status, json } = await own.api.get("/token", bearer(token));
    expect([status, json.map((one: { name: string }) => one.name)]).toEqual([200, ["ada"]]);
    expect((await own.api.get("/token", bearer(first))).status).toBe(401);
    await expect(stat(join(own.data, "admin-token"))).rejects.toThrow("ENOENT");
  });
});

describe("the command line", () => {
  async function accession(
    args: string[],
    env: Record<string, string>,
  ): Promise<{ code: number; out: string; err: string }> {
    const { code, stdout, stderr } = await runProgram(args, { env });
    return { code, out: stdout, err: stderr };
  }

  test("creates, lists and revokes tokens, and authenticates with them", { tags: "extended" }, async () => {
    const data = await createDataFolder();
    const running = await startProgram(data, TOKENS);
    try {
      const url = { ACCESSION_URL: running.url };
      const first = { ...url, ACCESSION_TOKEN_FILE: join(data, "admin-token") };
      const refused = await accession(["list"], url);
      expect([refused.code, JSON.parse(refused.out).problem.code]).toEqual([1, "unauthenticated"]);
      expect((await accession(["token", "create", "--name", "ada", "--role", "king"], first)).code).toBe(2);
      const root = await accession(["token", "create", "--name", "root", "--role", "admin", "--no-json"], first);
      expect([root.code, root.err]).toEqual([0, ""]);
      const admin = { ...url, ACCESSION_TOKEN: /^acc_[\w-]{43}$/m.exec(root.out)?.[0] ?? "" };
      // The one-time token and its file have been removed.
      expect((await accession(["token", "list"], first)).code).toBe(2);
      const days = ["token", "create", "--name", "ada", "--role", "submitter", "--days", "3"];
      const created = await accession(days, admin);
      expect(created.code).toBe(0);
      const ada = JSON.parse(created.out);
      expect(Math.round((Date.parse(ada.expiresAt) - Date.now()) / 86_400_000)).toBe(3);
      const used = { ...url, ACCESSION_TOKEN: ada.token };
      expect((await accession(["list"], used)).code).toBe(0);
      const forbidden = await accession(["token", "list"], used);
      expect([forbidden.code, JSON.parse(forbidden.out).problem.code]).toEqual([1, "forbidden"]);
      const listed = await accession(["token", "list"], admin);
      const names = listed.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).name);
      expect(names).toEqual(["ada", "root"]);
      expect(listed.out).not.toContain("acc_");
      expect((await accession(["token", "revoke", ada.id], admin)).code).toBe(0);
      expect((await accession(["list"], used)).code).toBe(1);
      const missing = await accession(["token", "revoke", ada.id], admin);
      expect([missing.code, JSON.parse(missing.out).problem.code]).toEqual([1, "not_found"]);
      for (const token of [ada.token, admin.ACCESSION_TOKEN]) expect(running.log()).not.toContain(token.slice(4));
    } finally {
      await running.end("SIGKILL");
      await rm(data, { recursive: true, force: true });
    }
  });

  test("accepts no token as an argument, and prints none", async () => {
    const { code, err } = await accession(["list", "--token=acc_hidden"], { ACCESSION_URL: service.url });
    expect([code, err.includes("hidden"), err.includes("ACCESSION_TOKEN_FILE")]).toEqual([2, false, true]);
    const lost = await accession(["list"], { ACCESSION_URL: service.url, ACCESSION_TOKEN_FILE: "/nowhere/token" });
    expect([lost.code, lost.err]).toEqual([2, expect.stringContaining("/nowhere/token, cannot be read")]);
  });
});

test("the table also applies below a base path", { tags: "extended" }, async () => {
  await using own = await startTestService({ ...TOKENS, ACCESSION_BASE_PATH: "/accession" });
  const status = async (path: string, headers = {}) => (await own.api.get(path, headers)).status;
  expect(own.url).toMatch(/\/accession$/);
  expect([await status("/submission"), await status("/submission/"), await status("/metrics")]).toEqual([
    401, 401, 401,
  ]);
  expect([await status("/health/live"), await status("/docs/"), await status("/openapi.json")]).toEqual([
    200, 200, 200,
  ]);
  const { admin } = await Tokens.open(own);
  expect(await status("/submission", bearer(admin))).toBe(200);
});

test("without authentication no token is required, and none is issued", { tags: "extended" }, async () => {
  await using own = await startTestService();
  for (const token of Object.values({ ...callers, ...strangers })) {
    const headers = token === undefined ? {} : bearer(token);
    expect((await own.api.get("/submission", headers)).status).toBe(200);
    expect((await own.api.get("/metrics", headers)).status).toBe(200);
  }
  const { status, json } = await own.api.get("/token");
  expect([status, json.code]).toEqual([501, "no_tokens_here"]);
  await expect(stat(join(own.data, "admin-token"))).rejects.toThrow("ENOENT");
});
