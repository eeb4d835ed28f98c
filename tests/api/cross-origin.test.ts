import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { TOKENS } from "../support/api/callers.ts";
import { freePort } from "../support/network/ports.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { chromiumPath, lacks, skipNote } from "../support/tools.ts";

/** A service in a local network without TLS. */
const LAB = "http://lab.test";

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

describe.skipIf(lacks("Chromium"))(`pages of other origins in a real browser ${skipNote("Chromium")}`, () => {
  const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
  let allowed: Server;
  let foreign: Server;
  let s3: S3Server;
  let service: TestService;
  let named: TestService;
  let profile: string;
  let browser: BrowserContext;

  beforeAll(async () => {
    [allowed, foreign] = await Promise.all([servePage(), servePage()]);
    s3 = await startS3Server();
    s3.addAccount(keys);
    s3.createBucket("from-a-page");
    s3.put("from-a-page", "a", "a");
    service = await startTestService({ ACCESSION_CORS_ORIGINS: originOf(allowed) });
    const port = await freePort();
    named = await startTestService({ ...TOKENS, ACCESSION_PUBLIC_URL: LAB, ACCESSION_PORT: String(port) });
    profile = await mkdtemp(join(tmpdir(), "accession-browser-"));
    const args = [...flags, `--host-resolver-rules=MAP ${new URL(LAB).host} 127.0.0.1:${port}`];
    browser = await chromium.launchPersistentContext(profile, { executablePath: chromiumPath, args, headless: true });
    browser.setDefaultTimeout(180_000);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await named?.stop();
    await s3?.close();
    allowed?.close();
    foreign?.close();
    await rm(profile, { recursive: true, force: true });
  });

  /** The requests of the web client of e!DAL: it checks the title and the bucket, then sends the form. */
  async function submitFrom(
    server: Server,
  ): Promise<{ exists: number; check: string; upload: number; location: string | null }> {
    const page = await browser.newPage();
    try {
      await page.goto(originOf(server));
      return await page.evaluate(
        async ({ url, metadata, access }) => {
          const authorization = "Bearer null";
          const title = encodeURIComponent(metadata.title);
          const exists = await fetch(`${url}/submission/info/exists?title=${title}`, { headers: { authorization } });
          const check = await fetch(`${url}/submission/upload/s3check`, {
            method: "POST",
            headers: { authorization, "Content-Type": "application/json" },
            body: JSON.stringify(access),
          });
          const form = new FormData();
          form.append("metadata", JSON.stringify(metadata));
          form.append(
            "s3access",
            JSON.stringify({ ...access, validated: true, validationMsg: "Connection successful" }),
          );
          const upload = await fetch(`${url}/submission/upload/s3upload`, {
            method: "POST",
            headers: { authorization },
            body: form,
          });
          return {
            exists: exists.status,
            check: await check.text(),
            upload: upload.status,
            location: upload.headers.get("location"),
          };
        },
        {
          url: service.url,
          metadata: goodMetadata,
          access: { endpoint: s3.endpoint, bucket: "from-a-page", ...keys },
        },
      );
    } finally {
      await page.close();
    }
  }

  test("an allowed origin can submit, with a bearer token", async () => {
    const answer = await submitFrom(allowed);
    expect(answer).toMatchObject({ exists: 204, check: "Connection successful", upload: 202 });
    await service.api.until(answer.location?.split("/").at(-1) ?? "", ["completed"]);
  });

  test("an allowed origin sends local files and submits them, as the web client of e!DAL does", async () => {
    const page = await browser.newPage();
    await page.goto(originOf(allowed));
    const answers = await page.evaluate(
      async ({ url, metadata }) => {
        const headers = { Authorization: "Bearer null" };
        const sent = ["chosen/a.txt", 'chosen/Größen/"b".txt', "chosen/Größen/c.txt"].map((path) => {
          const parts = path.split("/");
          const file = new File([path], parts.at(-1) ?? "");
          const form = new FormData();
          form.set("file", file, file.name);
          form.set("metaData", JSON.stringify(metadata));
          parts[0] = metadata.title;
          form.set("path", parts.slice(0, -1).join("/"));
          return fetch(`${url}/submission/upload/dataset`, { method: "POST", body: form, headers });
        });
        const statuses = (await Promise.all(sent)).map(({ status }) => status);
        const published = await fetch(`${url}/submission/publication/publish`, {
          method: "POST",
          headers: { ...headers, "Content-Type": "application/json" },
          body: JSON.stringify({ title: metadata.title }),
        });
        return { statuses, published: published.status, location: published.headers.get("location") };
      },
      { url: service.url, metadata: { ...goodMetadata, title: "From the page of e!DAL" } },
    );
    await page.close();
    expect(answers).toMatchObject({ statuses: [200, 200, 200], published: 202 });
    const id = answers.location?.split("/").at(-1) ?? "";
    await service.api.until(id, ["completed"]);
    const keys = (await service.api.files(id)).map(({ key }) => key);
    expect(keys.toSorted()).toEqual(['Größen/"b".txt', "Größen/c.txt", "a.txt"].toSorted());
  });

  test("other origins cannot submit", async () => {
    const before = (await service.api.get("/submission")).json.length;
    await expect(submitFrom(foreign)).rejects.toThrow(/Failed to fetch/);
    expect((await service.api.get("/submission")).json).toHaveLength(before);
  });

  test("other origins cannot submit with a plain HTML form, which needs no CORS permission", async () => {
    const before = (await service.api.get("/submission")).json.length;
    const page = await browser.newPage();
    await page.goto(originOf(foreign));
    const type = await page.evaluate(
      async ({ url, metadata, access }) => {
        const form = new FormData();
        form.append("metadata", JSON.stringify(metadata));
        form.append("s3access", JSON.stringify(access));
        return (await fetch(`${url}/submission/upload/s3upload`, { method: "POST", mode: "no-cors", body: form })).type;
      },
      { url: service.url, metadata: goodMetadata, access: { endpoint: s3.endpoint, bucket: "from-a-page", ...keys } },
    );
    await page.close();
    expect(type).toBe("opaque");
    expect((await service.api.get("/submission")).json).toHaveLength(before);
  });

  test.each(["/docs/?url=https://elsewhere.example/openapi.json", "/docs/static/index.html?configUrl=x"])(
    "the API’s page ignores other documents in its URL: %s",
    { tags: "extended" },
    async (path) => {
      const page = await browser.newPage();
      const hosts = new Set<string>();
      page.on("request", (request) => hosts.add(new URL(request.url()).host));
      await page.goto(`${service.url}${path}`);
      await page.getByText("Submit a bucket").first().waitFor();
      await page.close();
      expect([...hosts].filter((host) => host !== "" && host !== new URL(service.url).host)).toEqual([]);
    },
  );

  test("the API’s page is shown on loopback, without a request to any other host", { tags: "extended" }, () =>
    showApiPage(service),
  );
  // Browsers treat plain HTTP as secure only on loopback.
  test(
    "the API’s page is shown by a name, over plain HTTP, without a request to any other host",
    { tags: "extended" },
    () => showApiPage(named),
  );

  async function showApiPage({ url }: TestService): Promise<void> {
    const page = await browser.newPage();
    const hosts = new Set<string>();
    const faults: string[] = [];
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    const answer = await page.goto(`${url}/docs/`);
    await page.getByText("Submit a bucket").first().waitFor();
    const policy = (await answer?.headerValue("content-security-policy")) ?? "";
    await page.close();
    expect([...hosts].filter((host) => host !== "" && host !== new URL(url).host)).toEqual([]);
    // Browsers apply this header only over TLS, and report otherwise that they ignore it.
    expect(faults.filter((text) => !text.startsWith("The Cross-Origin-Opener-Policy header"))).toEqual([]);
    expect(policy).not.toMatch(/upgrade-insecure-requests|https?:|\.io/);
    expect(policy).toContain("frame-ancestors 'none'");
  }
});

async function servePage(): Promise<Server> {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>A page</title><link rel=icon href=data:,>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
