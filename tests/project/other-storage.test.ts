/** @module-tag extended */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { findPackage } from "../support/archive/package.ts";
import { freePort, isListening } from "../support/network/ports.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { lacks, skipNote, whereIs } from "../support/tools.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = "docs/how-to/other-storage.md";
const PASSWORD = "app password of josiah";
const FILES: Record<string, string> = {
  "README.md": "# Plots\n",
  "plots/2025.csv": "plot;depth\n1;20\n",
  "plots/Zürich 1 + 100%.csv": "3;4",
  "large.bin": "0123456789abcdef".repeat(200_000),
};
/** `rclone serve s3` is in rclone 1.65 and newer, and reads the keys as in the guide from 1.70 on. */
const servesS3 = !lacks("rclone") && /^rclone v1\.([7-9]\d|\d{3})/.test(String(execFileSync("rclone", ["version"])));

/** The commands of the guide, in its order. */
async function commands(): Promise<string[]> {
  const text = await readFile(join(ROOT, PAGE), "utf8");
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
}

describe.skipIf(lacks("nginx", "WebDAV", "rclone", "bash"))(
  `the guide for other storage ${skipNote("nginx", "WebDAV", "rclone", "bash")}`,
  () => {
    let service: TestService;
    let folder: string;
    let dav: number;
    const closing: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      service = await startTestService();
      folder = await mkdtemp(join(tmpdir(), "accession-other-storage-"));
      closing.push(
        () => service.stop(),
        () => rm(folder, { recursive: true, force: true }),
      );
      dav = await freePort();
      await startWebDav();
      await writeFile(join(folder, "app-password"), PASSWORD, { mode: 0o600 });
      await writeFile(join(folder, "dataset.json"), JSON.stringify(goodMetadata));
      const program = join(folder, "bin/accession");
      await mkdir(dirname(program));
      await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${ROOT}/src/cli/accession.ts" "$@"\n`);
      await chmod(program, 0o755);
    });
    afterAll(async () => {
      for (const close of closing.reverse()) await close();
    });
    beforeEach(async () => {
      for (const [path, text] of Object.entries(FILES)) {
        const file = join(folder, "storage/barley-roots", path);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text);
      }
    });

    /** nginx with WebDAV, for one user. */
    async function startWebDav(): Promise<void> {
      await mkdir(join(folder, "storage"));
      await writeFile(join(folder, "users"), `josiah:{PLAIN}${PASSWORD}\n`);
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
      const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
      const server = `listen 127.0.0.1:${dav}; root ${folder}/storage; dav_methods PUT; dav_ext_methods PROPFIND OPTIONS;
auth_basic storage; auth_basic_user_file ${folder}/users;
location ~ /forbidden { limit_except PROPFIND { deny all; } }`;
      const conf = `load_module /usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
user root; pid ${folder}/pid; daemon off; master_process off; events {}
http { access_log off; ${paths}\nserver { ${server} } }\n`;
      await writeFile(join(folder, "nginx.conf"), conf);
      run(whereIs("nginx") ?? "", ["-p", folder, "-e", join(folder, "log"), "-c", join(folder, "nginx.conf")]);
      await vi.waitUntil(() => isListening(dav), { interval: 50 });
    }

    /** Starts a program that ends with the tests. */
    function run(program: string, args: string[], env: NodeJS.ProcessEnv = process.env): void {
      const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
      closing.push(async () => {
        const gone = once(child, "exit");
        child.kill("SIGTERM");
        await gone;
      });
    }

    const environment = () => ({
      ...process.env,
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      ACCESSION_URL: service.url,
      ACCESSION_ACCESS_KEY: "AKOFMINE",
      ACCESSION_SECRET_KEY: "secret-key-of-mine",
      RCLONE_CONFIG: join(folder, "rclone.conf"),
    });

    /** The description of the storage, for the WebDAV server of the test. */
    const described = (block: string) =>
      block
        .replace(/(?<=_URL=).*/, `http://127.0.0.1:${dav}`)
        .replace("VENDOR=nextcloud", "VENDOR=other")
        .replace(/^/, "set -euo pipefail\n");

    async function inShell(script: string): Promise<string> {
      const child = spawn("bash", ["-c", script], { cwd: folder, env: environment() });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
      const [code] = await once(child, "close");
      expect(code, output).toBe(0);
      return output;
    }

    /** The newest submission, with its files. */
    async function archived() {
      const [{ id }] = (await service.api.get("/submission")).json as [{ id: string }];
      const { json: submission } = await service.api.get(`/submission/${id}`);
      expect(submission.status).toBe("completed");
      const { files } = await findPackage(service.archive, submission.dataset.id);
      for (const [path, text] of Object.entries(FILES)) {
        expect(await readFile(files.get(`data/${path}`)?.file ?? "", "utf8"), path).toBe(text);
      }
      return (await service.api.get(`/submission/${id}/files`)).json as { verifiedBy: string; verifiedWith: string }[];
    }

    test("a folder of a WebDAV server is copied, uploaded and archived, each file verified by its SHA-512", async () => {
      const [describe = "", copy = ""] = await commands();
      const output = await inShell(`${described(describe)}\n${copy}`);
      expect(output).toContain("Total objects: 4");
      const listed = await archived();
      for (const file of listed) expect(file).toMatchObject({ verifiedBy: "checksum", verifiedWith: "sha512" });
    });

    test("nothing is uploaded if a file cannot be copied", async () => {
      await writeFile(join(folder, "storage/barley-roots/forbidden.bin"), "x");
      const before = (await service.api.get("/submission")).json.length;
      const [describe = "", copy = ""] = await commands();
      const output = await inShell(`${described(describe)}\nset +e\n${copy}\ntrue`);
      await rm(join(folder, "storage/barley-roots/forbidden.bin"));
      expect(output).toContain("forbidden.bin");
      expect((await service.api.get("/submission")).json).toHaveLength(before);
    });

    test.skipIf(!servesS3)(
      "a folder of a WebDAV server is archived through rclone serve s3 (needs rclone 1.70 or newer)",
      async () => {
        const [describe = "", , serve = "", submit = ""] = await commands();
        const port = await freePort();
        const on = (block: string) => block.replaceAll("127.0.0.1:8333", `127.0.0.1:${port}`);
        run(
          "bash",
          ["-c", `${described(describe)}\n${on(serve).replace(/^(?=rclone serve)/m, "exec ")}`],
          environment(),
        );
        await vi.waitUntil(() => isListening(port), { interval: 50 });
        await inShell(`set -euo pipefail\n${on(submit)}`);
        const listed = await archived();
        expect(new Set(listed.map(({ verifiedBy }) => verifiedBy))).toEqual(new Set(["length"]));
      },
    );
  },
);

test("a bucket whose ETags are empty, as rclone states them for WebDAV, is verified by length", async () => {
  await using service = await startTestService();
  await using s3 = await startS3Server();
  s3.addAccount({ accessKey: "AKOFMINE", secretKey: "secret-key-of-mine" });
  s3.createBucket("barley-roots");
  for (const [path, text] of Object.entries(FILES)) s3.put("barley-roots", path, text, { etag: "" });
  const keys = { accessKey: "AKOFMINE", secretKey: "secret-key-of-mine" };
  const { id } = await service.api.submit({ endpoint: s3.endpoint, bucket: "barley-roots", ...keys });
  await service.api.until(id, ["completed"]);
  const { json } = await service.api.get(`/submission/${id}/files`);
  expect(new Set(json.map((file: { verifiedBy: string }) => file.verifiedBy))).toEqual(new Set(["length"]));
});
