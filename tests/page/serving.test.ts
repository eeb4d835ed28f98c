import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BUDGET } from "../../web/build/budget.ts";
import { AUDIENCE } from "../support/identity/oidc-provider.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const get = (path: string, init: RequestInit = {}) => fetch(service.url + path, { redirect: "manual", ...init });
const assetsIn = (html: string) => [...html.matchAll(/"\.\/(assets\/[^"]+)"/g)].map(([, path = ""]) => path);

/** Sends a request without the changes that fetch makes to path and headers, and counts the bytes of the encoded body. */
function raw(
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; bytes: number }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const asked = request({ hostname, port, path, headers }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes }));
    });
    asked.on("error", reject).end();
  });
}

describe("the HTML document", () => {
  test("is the target of a redirect from the root", async () => {
    const { status, headers } = await get("/");
    expect([status, headers.get("location")]).toEqual([302, "/app/"]);
  });

  test.each([
    "/app",
    "/app/",
    "/app/new",
    "/app/submissions/some-id",
    "/app/signed-in?code=x&state=y",
    "/app/no/where",
  ])("is the response to %s, and is not cached", async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-store",
    ]);
    expect(await response.text()).toContain('<base href="/app/" />');
  });

  test("is announced to HEAD requests, without a body", async () => {
    const response = await get("/app/new", { method: "HEAD" });
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      "text/html; charset=utf-8",
      "",
    ]);
  });

  test("has a strict content security policy, with a new nonce for each response", async () => {
    const read = async () => {
      const response = await get("/app/");
      return { policy: response.headers.get("content-security-policy") ?? "", html: await response.text() };
    };
    const [one, other] = [await read(), await read()];
    const nonceOf = (policy: string) => /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    expect(one.policy.replace(nonceOf(one.policy), "N")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; connect-src 'self'; img-src 'self' data: blob:; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(nonceOf(one.policy)).toHaveLength(24);
    expect(nonceOf(one.policy)).not.toBe(nonceOf(other.policy));
    expect(one.html).toContain(`nonce="${nonceOf(one.policy)}"`);
    expect(one.html).not.toMatch(/<script(?![^>]* src=)|%BASE%|%NONCE%| style=/);
  });

  test("leads readers without scripts to the catalogue, with a style that the policy allows", async () => {
    const text = await (await get("/app/datasets/nope")).text();
    expect(text).toMatch(/<noscript>\s*<style nonce="[^"]{24}">/);
    expect(text).toContain('<a href="../">The catalogue of published datasets</a>');
  });

  test("can be opened by links from other sites, but not read by their scripts", async () => {
    const from = (mode: string) => raw("/app/new", { "sec-fetch-site": "cross-site", "sec-fetch-mode": mode });
    expect([(await from("navigate")).status, (await from("cors")).status]).toEqual([200, 403]);
  });
});

describe("the assets of the page", () => {
  test("are cached permanently, and compressed if the browser accepts it", async () => {
    const script = assetsIn(await (await get("/app/")).text()).find((path) => path.endsWith(".js"));
    const as = (encoding: string) => raw(`/app/${script}`, { "accept-encoding": encoding });
    const [plain, gzip, brotli] = [await as("identity"), await as("gzip"), await as("gzip, br")];
    expect([plain, gzip, brotli].map(({ headers }) => headers["content-encoding"])).toEqual([undefined, "gzip", "br"]);
    expect(gzip.bytes).toBeLessThan(plain.bytes / 2);
    expect(brotli.bytes).toBeLessThan(gzip.bytes);
    for (const { status, headers } of [plain, gzip, brotli]) {
      expect([status, headers["cache-control"], headers["content-type"]]).toEqual([
        200,
        "public, max-age=31536000, immutable",
        "application/javascript; charset=utf-8",
      ]);
      expect(String(headers.vary).toLowerCase()).toContain("accept-encoding");
    }
  });

  test("that the document loads initially are smaller than the budget", async () => {
    const scripts = assetsIn(await (await get("/app/")).text()).filter((path) => path.endsWith(".js"));
    const sizes = await Promise.all(scripts.map((path) => raw(`/app/${path}`, { "accept-encoding": "gzip" })));
    const sum = sizes.reduce((all, { bytes }) => all + bytes, 0);
    expect(sum).toBeGreaterThan(50_000);
    expect(sum).toBeLessThan(BUDGET);
  });

  test.each(["gone.js", "../sources.sha256", "%2e%2e/sources.sha256", "..%2findex.html", ".%00"])(
    "do not include %s",
    async (path) => {
      const { status, headers } = await raw(`/app/assets/${path}`, {});
      expect([400, 404]).toContain(status);
      expect(headers["content-type"]).toContain("application/problem+json");
      expect(headers["cache-control"]).toBe("no-store");
    },
  );
});

test("with a base path, the page and its assets are served below it", { tags: "extended" }, async () => {
  await using own = await startTestService({ ACCESSION_BASE_PATH: "/archive" });
  const root = await fetch(`${own.url}/`, { redirect: "manual" });
  expect(root.headers.get("location")).toBe("/archive/app/");
  const html = await (await fetch(`${own.url}/app/new`)).text();
  expect(html).toContain('<base href="/archive/app/" />');
  for (const path of assetsIn(html)) expect((await fetch(`${own.url}/app/${path}`)).status, path).toBe(200);
});

describe("information about sign-in without authentication", () => {
  const oidc = {
    ACCESSION_AUTH: "oidc",
    ACCESSION_OIDC_ISSUER: "http://127.0.0.1:1",
    ACCESSION_OIDC_AUDIENCE: AUDIENCE,
  };
  const provider = { issuer: "http://127.0.0.1:1", clientId: null, scope: "openid profile email", resource: AUDIENCE };

  test.each([
    ["without sign-in", {}, { method: "none", provider: null }],
    ["with a provider and no client id", oidc, { method: "oidc", provider }],
    [
      "with a provider whose audience is part of the scope",
      { ...oidc, ACCESSION_OIDC_CLIENT_ID: "page", ACCESSION_OIDC_SCOPE: `openid ${AUDIENCE}/use` },
      { method: "oidc", provider: { ...provider, clientId: "page", scope: `openid ${AUDIENCE}/use`, resource: null } },
    ],
  ])("%s", { tags: "extended" }, async (_, settings, signIn) => {
    await using own = await startTestService(settings);
    const { status, json } = await own.api.get("/service");
    expect([status, json.signIn]).toEqual([200, signIn]);
    const policy = (await fetch(`${own.url}/app/`)).headers.get("content-security-policy");
    expect(policy?.includes("connect-src 'self' http://127.0.0.1:1;")).toBe(signIn.method === "oidc");
  });

  test("the service names the caller and the caller’s roles", async () => {
    expect((await service.api.get("/caller")).json).toEqual({
      owner: "local",
      roles: ["admin"],
      roleAccess: null,
    });
  });
});
