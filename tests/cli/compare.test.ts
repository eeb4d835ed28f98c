import { once } from "node:events";
import { appendFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { unpack } from "../../src/cli/client/unpack.ts";
import { publishAs } from "../support/api/published.ts";
import { runCommand, runProgram } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const FILES: Record<string, string> = {
  "README.md": "# Plots",
  "plots/a.csv": "1;2",
  "plots/b.csv": "3;4",
  "plots/Zürich \u202etxt.exe": "turned around",
  "empty.dat": "",
};

let s3: S3Server;
let service: TestService;
let folder: string;
let dataset: string;
/** Copies of the dataset that a test can change a copy of. */
let content: string;
let crate: string;
let bag: string;
let receipt: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  folder = await mkdtemp(join(tmpdir(), "accession-compare-"));
  dataset = (await publishAs(service, s3, { files: FILES })).dataset;
  content = join(folder, "content");
  for (const [key, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(content, key)), { recursive: true });
    await writeFile(join(content, key), text);
  }
  crate = await unpacked("ro-crate");
  bag = await unpacked("bagit");
  const { json } = await service.api.get(`/dataset/${dataset}`);
  receipt = join(folder, "receipt.jws");
  await writeFile(receipt, (await service.api.get(`/submission/${json.versions[0].submission}/receipt`)).text);
});
afterAll(async () => {
  await service.stop();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

async function unpacked(format: string, of = dataset): Promise<string> {
  const zip = join(folder, `${of}.${format}.zip`);
  const answer = await fetch(`${service.url}/dataset/${of}/export/${format}`);
  await writeFile(zip, Buffer.from(await answer.arrayBuffer()));
  const target = join(folder, `${of}-${format}`);
  await mkdir(target);
  await unpack(zip, target, "");
  return target;
}

/** A copy to change. */
async function copyOf(original: string): Promise<string> {
  const target = await mkdtemp(join(folder, "copy-"));
  await cp(original, target, { recursive: true });
  return target;
}

const address = () => `${service.url}/dataset/${dataset}`;
const run = (...args: string[]) => runCommand(["compare", ...args, "--json"], folder);
// biome-ignore lint/suspicious/noExplicitAny: answers are compared member by member.
const changes = (lines: any[]) =>
  Object.fromEntries(
    lines
      .filter(({ result }) => result !== undefined && result !== "identical")
      .map(({ path, result, reason }) => [path, reason === undefined ? result : `${result}: ${reason}`]),
  );

describe("with the address of a dataset", () => {
  test("a copy of the content of data/ is identical", async () => {
    const { code, lines, stderr } = await run(content, address());
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(lines.slice(0, -1).map(({ path }) => path)).toHaveLength(Object.keys(FILES).length);
    expect(lines.at(-1)).toMatchObject({
      ok: true,
      layout: "content",
      identical: 5,
      different: 0,
      missing: 0,
      unknown: 0,
      source: "service",
      dataset: { identifier: `urn:uuid:${dataset}`, version: 1 },
    });
    expect(lines.at(-1).setAside.created).toBeGreaterThan(2);
  });

  test("an unpacked RO-Crate is identical, by the address of the page of the version", async () => {
    const { code, lines } = await run(crate, `${service.url}/app/datasets/${dataset}?version=1`);
    expect(changes(lines)).toEqual({});
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatchObject({ layout: "package", setAside: { created: 0, bag: 0 } });
    expect(lines.some(({ path, result }) => path === "ro-crate-metadata.json" && result === "identical")).toBe(true);
  });

  test("an unpacked bag is identical, and its tag files are not compared", async () => {
    const { code, lines } = await run(bag, address());
    expect(changes(lines)).toEqual({});
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatchObject({ layout: "package", setAside: { bag: 6 } });
  });

  test("files with other names in packages are compared with the files that they are", async () => {
    const keys = [
      "a.csv",
      "run/",
      "a//b",
      "dir",
      "dir/x",
      "=keys/x",
      "50%/",
      "50%",
      "up\\..\\b",
      "%keys/y",
      "%keys/z%",
      "../c",
    ];
    const files = Object.fromEntries(keys.map((key) => [key, `content of ${key}`]));
    const odd = (await publishAs(service, s3, { files })).dataset;
    const of = `${service.url}/dataset/${odd}`;
    const [crate, bag] = [await unpacked("ro-crate", odd), await unpacked("bagit", odd)];
    for (const copy of [crate, bag, join(crate, "data"), join(bag, odd, "data")]) {
      const { code, lines } = await run(copy, of);
      expect(changes(lines)).toEqual({});
      expect(code).toBe(0);
      expect(lines.filter(({ path, result }) => path?.startsWith("data/") && result === "identical")).toHaveLength(12);
    }
    const [changed, name] = [await copyOf(bag), join(odd, "data/=keys/run/=")];
    await appendFile(join(changed, name), "!");
    await rm(join(changed, odd, "data/=keys/a/=2F/b="));
    const { code, lines } = await run(changed, of);
    expect(code).toBe(1);
    expect(changes(lines)).toEqual({
      "data/%keys%/run/%": "different: has 16 bytes, not 15",
      "data/%keys%/a/%2F/b%": "missing",
    });
    await appendFile(join(bag, odd, "data/=keys/more="), "!");
    expect(changes((await run(bag, of)).lines)).toEqual({ "data/=keys/more=": "unknown" });
  });

  test("each file is identical, different, missing or unknown, and the exit code is 1", async () => {
    const copy = await copyOf(content);
    await writeFile(join(copy, "plots/a.csv"), "1;3");
    await appendFile(join(copy, "README.md"), "!");
    await rm(join(copy, "empty.dat"));
    await writeFile(join(copy, "plots/\u001b[2J.csv"), "");
    await rm(join(copy, "plots/b.csv"));
    await symlink(join(content, "plots/b.csv"), join(copy, "plots/b.csv"));
    await symlink(content, join(copy, "linked"));
    const { code, lines } = await run(copy, address());
    expect(code).toBe(1);
    expect(changes(lines)).toEqual({
      "data/plots/a.csv": "different: has another SHA-512",
      "data/README.md": "different: has 8 bytes, not 7",
      "data/plots/b.csv": "different: not a regular file",
      "data/empty.dat": "missing",
      "plots/\u001b[2J.csv": "unknown",
      linked: "unknown: a link, not followed",
    });
    expect(lines.at(-1)).toMatchObject({ ok: false, identical: 1, different: 3, missing: 1, unknown: 2 });
    const { stdout: text } = await runProgram(["compare", copy, address(), "--no-json"]);
    expect(text).toContain("✗ missing    data/empty.dat");
    expect(text).toContain("? unknown    plots/\\x1b[2J.csv");
    expect(text).toContain("1 identical, 3 different, 1 missing, 2 unknown");
    expect(text).not.toContain("\u001b");
    expect(text).not.toContain("\u202e");
  });

  test("a version that does not exist, a folder that does not exist and other addresses are refused", async () => {
    expect(await run(content, address(), "--dataset-version", "9")).toMatchObject({ code: 1 });
    expect(await run(join(folder, "none"), address())).toMatchObject({ code: 2 });
    expect(await run(content, `${service.url}/datasets`)).toMatchObject({ code: 2 });
    expect(await run(content)).toMatchObject({ code: 2 });
    const both = await run(content, address(), "--receipt", receipt);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("not both")]);
  });

  test("the token is not sent to a service other than ACCESSION_URL", async () => {
    const requests: IncomingMessage[] = [];
    const other = createServer((request, response) => {
      requests.push(request);
      response.writeHead(404).end();
    }).listen(0, "127.0.0.1");
    await once(other, "listening");
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/dataset/${dataset}`;
    const env = { ACCESSION_URL: service.url, ACCESSION_TOKEN: "a-token-of-the-other-service" };
    const { code } = await runCommand(["compare", content, url, "--json"], folder, { env });
    other.close();
    expect(code).not.toBe(0);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(requests.map(() => undefined));
  });

  test("paths that lead outside of the folder are missing, and their files are not read", async () => {
    const hostile = createServer((request, response) => {
      const files = ["data/a", "data/../../content/README.md", "/etc/hostname", "data/\u0000"];
      const entry = { version: 1, objects: 1, bytes: 1 };
      const body = request.url?.includes("/files")
        ? files.map((path) => ({ path, bytes: 7, sha512: "0".repeat(128) }))
        : { version: 1, title: "\u001b[31mred", identifier: "urn:uuid:x", versions: [entry] };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    }).listen(0, "127.0.0.1");
    await once(hostile, "listening");
    const copy = await mkdtemp(join(folder, "copy-"));
    await writeFile(join(copy, "a"), "");
    const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}/dataset/${dataset}`;
    const { code, lines } = await run(copy, url);
    hostile.close();
    expect(code).toBe(1);
    expect(changes(lines)).toEqual({
      "data/a": "different: has 0 bytes, not 7",
      "data/../../content/README.md": "missing: a folder cannot contain this path",
      "data/\u0000": "missing: a folder cannot contain this path",
    });
  });
});

describe("with a receipt", () => {
  const keys = () => `${service.url}/.well-known/jwks.json`;

  test("an unpacked package is compared by the source manifest in it", async () => {
    const { code, lines } = await run(bag, "--receipt", receipt, "--jwks", keys());
    expect(changes(lines)).toEqual({});
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatchObject({
      ok: true,
      layout: "package",
      identical: 5,
      source: "source manifest",
      signer: "established",
    });
    expect(lines.at(-1).setAside.unlisted).toBeGreaterThan(2);
  });

  test("a copy of the content is compared by the inventory, and a changed file is found", async () => {
    const list = join(folder, "inventory.json");
    const { json } = await service.api.get(`/dataset/${dataset}`);
    const submission = await service.api.get(`/submission/${json.versions[0].submission}/receipt`);
    const { digests } = JSON.parse(Buffer.from(submission.text.split(".")[1] ?? "", "base64url").toString());
    const { objectFolder } = await import("../../src/archive/layout.ts");
    const object = join(service.archive, "ocfl", objectFolder(`urn:uuid:${dataset}`));
    await cp(join(object, digests.inventory.path), list);
    const same = await run(content, "--receipt", receipt, "--list", list);
    expect(changes(same.lines)).toEqual({});
    expect(same.lines.at(-1)).toMatchObject({ ok: true, source: "inventory", signer: "not established", identical: 5 });
    const copy = await copyOf(crate);
    await writeFile(join(copy, "data/plots/a.csv"), "9;9");
    await rm(join(copy, "ro-crate-metadata.json"));
    const changed = await run(copy, "--receipt", receipt, "--list", list);
    expect(changed.code).toBe(1);
    expect(changes(changed.lines)).toEqual({
      "data/plots/a.csv": "different: has another SHA-512",
      "ro-crate-metadata.json": "missing",
    });
  });

  test("a list that the receipt was not signed for is refused, and so is a changed receipt", async () => {
    const copy = await copyOf(crate);
    await appendFile(join(copy, "metadata/source-manifest.jsonl"), "{}\n");
    const { code, stderr } = await run(copy, "--receipt", receipt);
    expect(code).toBe(1);
    expect(stderr).toContain("is not a list that the receipt was signed for");
    const forged = join(folder, "forged.jws");
    const other = await startTestService();
    const jwks = join(folder, "other.json");
    await writeFile(jwks, (await other.api.get("/.well-known/jwks.json")).text);
    await other.stop();
    await cp(receipt, forged);
    expect(await run(crate, "--receipt", forged, "--jwks", jwks)).toMatchObject({ code: 1, lines: [] });
    expect(await run(content, "--receipt", receipt)).toMatchObject({ code: 2, lines: [] });
    expect(await run(content, address(), "--jwks", jwks)).toMatchObject({ code: 2, lines: [] });
  });
});
