import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePorts, isListening } from "../support/network/ports.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { lacks, skipNote, whereIs } from "../support/tools.ts";

interface Response11 {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

describe.skipIf(lacks("nginx", "openssl"))(
  `deploy/nginx.conf on another port than 443 ${skipNote("nginx", "openssl")}`,
  () => {
    let service: TestService;
    let port: number;
    let plainPort: number;
    let folder: string;
    const closing: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      const [free = 0, listening = 0, plain = 0] = await freePorts(3);
      port = free;
      plainPort = plain;
      service = await startTestService({
        ACCESSION_PUBLIC_URL: `https://data.example.org:${port}`,
        ACCESSION_PORT: String(listening),
        ACCESSION_TRUSTED_PROXIES: "127.0.0.1/32",
        ACCESSION_AUTH: "tokens",
      });
      closing.push(() => service.stop());
      folder = await mkdtemp(join(tmpdir(), "accession-nginx-"));
      closing.push(() => rm(folder, { recursive: true, force: true }));
      const keys = ["-keyout", join(folder, "key"), "-out", join(folder, "pem"), "-subj", "/CN=data.example.org"];
      execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...keys], { stdio: "ignore" });
      const proxy = readFileSync(join(import.meta.dirname, "../../deploy/nginx.conf"), "utf8")
        .replace(/listen 443 /, `listen 127.0.0.1:${port} `)
        .replace(/listen 80;/, `listen 127.0.0.1:${plain};`)
        .replaceAll(/listen \[::\].*/g, "")
        .replace(/server 127\.0\.0\.1:8080;/, `server 127.0.0.1:${listening};`)
        .replace(/ssl_certificate .*/, `ssl_certificate ${folder}/pem;`)
        .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${folder}/key;`);
      const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      const http = `access_log off;\n${paths.join("\n")}\n${proxy}`;
      const own = `pid ${folder}/pid;\ndaemon off;\nmaster_process off;\nevents {}\nhttp {\n${http}}\n`;
      await writeFile(join(folder, "nginx.conf"), own);
      const child = spawn(whereIs("nginx") ?? "", [
        "-p",
        folder,
        "-e",
        join(folder, "log"),
        "-c",
        join(folder, "nginx.conf"),
      ]);
      closing.push(async () => {
        const gone = once(child, "exit");
        child.kill("SIGTERM");
        await gone;
      });
      await vi.waitUntil(() => isListening(port), { interval: 50 });
    });
    afterAll(async () => {
      for (const close of closing.reverse()) await close();
    });

    test.each([
      ["its name and port", () => `data.example.org:${port}`, 200],
      ["its name in capitals", () => `Data.Example.ORG:${port}`, 200],
      ["another name", () => `evil.example:${port}`, 403],
      ["another port", () => `data.example.org:${port + 1}`, 403],
      ["no port", () => "data.example.org", 403],
    ])("forwards the Host header with its port: %s", async (_, host, status) => {
      const response = await over11({ host: host(), origin: `https://data.example.org:${port}` });
      expect(response, response.body).toMatchObject({ status });
      expect(await over2(host())).toBe(status);
    });

    test("leads from HTTP to HTTPS, and tells browsers to use only HTTPS", async () => {
      const plain = await fetch(`http://127.0.0.1:${plainPort}/service?x=1`, { redirect: "manual" });
      expect([plain.status, plain.headers.get("location")]).toEqual([301, "https://127.0.0.1/service?x=1"]);
      for (const host of [`data.example.org:${port}`, `evil.example:${port}`]) {
        const { headers } = await over11({ host });
        expect(headers["strict-transport-security"]).toBe("max-age=31536000");
      }
    });

    test.each([
      ["a file of a program or of the page", "/uploads/d4814e42-7e42-4b0e-9d51-6a8c3f1b2a70/files", 401],
      ["a file of the web client of e!DAL", "/submission/upload/dataset", 401],
      ["metadata", "/submission/upload/s3upload", 413],
    ])("asks the service about large bodies of files only: %s", async (_, path, status) => {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      const headers = { "content-length": 2 ** 30, "content-type": "application/octet-stream" };
      const to = { host: "127.0.0.1", port, path, method: "POST", headers, rejectUnauthorized: false };
      const sent = request(to, ({ statusCode }) => {
        resolve(statusCode);
        sent.destroy();
      });
      sent.on("error", reject).flushHeaders();
      expect(await promise).toBe(status);
    });

    async function over11(headers: Record<string, string>): Promise<Response11> {
      const { promise, resolve, reject } = Promise.withResolvers<Response11>();
      const to = { host: "127.0.0.1", port, path: "/service", headers, rejectUnauthorized: false };
      const sent = request(to, async (response) => {
        resolve({ status: response.statusCode, headers: response.headers, body: await text(response) });
      });
      sent.on("error", reject).end();
      return promise;
    }

    async function over2(authority: string): Promise<number | undefined> {
      const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
      try {
        const stream = session.request({ ":path": "/service", ":authority": authority });
        const [headers] = (await once(stream, "response")) as [{ ":status"?: number }];
        stream.resume();
        return headers[":status"];
      } finally {
        session.close();
      }
    }
  },
);
