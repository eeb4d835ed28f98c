import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, open, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { findPackage } from "../support/archive/package.ts";
import {
  bagErrors,
  bagitPyErrors,
  crateErrors,
  type Files,
  readFolder,
  readZip,
  withoutBagFolder,
} from "../support/archive/package-formats.ts";
import { archiveBucket, archiveKeys, archiveSettings } from "../support/archive/s3-archive.ts";
import { oddKeys } from "../support/data-source/odd-keys.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { lacks, skipNote } from "../support/tools.ts";

const MIB = 2 ** 20;
const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const run = promisify(execFile);
/** Whether a file system can contain a name. Other names are only in ZIPs. */
const fits = (key: string) => key.split("/").every((part) => Buffer.byteLength(part) <= 255);
const climbing = "..\\..\\climb";
/** Folder markers of the AWS console and other clients, and keys that resemble a bag's folder for them. */
const markers: Record<string, string> = {
  "run/": "",
  "run/b.csv": "b",
  "raw/": "a folder marker with bytes",
  "raw/a.csv": "a",
  "lone/": "",
  "x=y/": "",
  "=keys/run/=": "the path that a bag gives to run/",
  "=keys/": "",
  "=keys=/x": "not the folder",
  "a//b": "an empty part",
  "../up": "two dots",
  "back\\..\\slash": "two dots on Windows",
};

let source: S3Server;
let archive: S3Server;
let folder: string;
let folderService: TestService;
let onS3: Promise<TestService> | undefined;

/** A service whose archive is in a bucket. */
function serviceOnS3(): Promise<TestService> {
  onS3 ??= startTestService(archiveSettings(archive.endpoint));
  return onS3;
}

beforeAll(async () => {
  [source, archive] = await Promise.all([startS3Server(), startS3Server()]);
  source.addAccount(keys);
  archive.addAccount(archiveKeys);
  archive.createBucket(archiveBucket);
  source.createBucket("odd");
  const odd = [...oddKeys.filter(fits), climbing];
  for (const key of odd) source.put("odd", key, `odd ${key}`, { contentType: "text/html" });
  for (let n = odd.length; n < 399; n++) source.put("odd", `plots/${n % 7}/plot-${n}.csv`, `plot ${n}\n`);
  source.put("odd", "large.bin", { seed: "large", size: 5 * MIB + 1 });
  source.createBucket("damaged");
  for (const key of ["plots/1.csv", "plots/2.csv", "a b"]) source.put("damaged", key, `content of ${key}`);
  source.put("damaged", "large.bin", { seed: "large", size: 5 * MIB + 1 });
  source.createBucket("few");
  source.put("few", "a b.txt", "a", { contentType: "text/plain" });
  source.createBucket("long");
  for (const key of oddKeys) source.put("long", key, `odd ${key}`);
  source.createBucket("markers");
  for (const [key, content] of Object.entries(markers)) source.put("markers", key, content);
  source.createBucket("huge");
  source.put("huge", "huge.bin", { seed: "huge", size: 200 * MIB });
  source.put("huge", "small", "small");
  folder = await mkdtemp(join(tmpdir(), "accession-datasets-"));
  folderService = await startTestService();
  // Some tests change the archived files.
  folderService.isDamaged = true;
});
afterAll(async () => {
  await folderService.stop();
  await (await onS3)?.stop();
  await Promise.all([source.close(), archive.close(), rm(folder, { recursive: true, force: true })]);
});

/** The id of the dataset that was created from a bucket. It is archived once for all tests. */
function archived(service: TestService, bucket: string): Promise<string> {
  const key = `${service.url} ${bucket}`;
  const known = datasets.get(key) ?? submitted(service, bucket);
  datasets.set(key, known);
  return known;
}
const datasets = new Map<string, Promise<string>>();

async function submitted(service: TestService, bucket: string): Promise<string> {
  const { id } = await service.api.submit({ endpoint: source.endpoint, bucket, ...keys });
  return (await service.api.until(id, ["completed"])).dataset?.id ?? "";
}

const namesOfFiles = (files: Files) => [...files.keys()].filter((name) => !name.endsWith("/"));
const encode = (path: string) => path.split("/").map(encodeURIComponent).join("/");

async function fetchBytes(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

interface File {
  path: string;
  bytes: number;
  sha512: string;
}

/** All files, page by page. */
async function listFiles(service: TestService, dataset: string, query = ""): Promise<File[]> {
  const found: File[] = [];
  for (let path: string | undefined = `/dataset/${dataset}/files?limit=150${query}`; path !== undefined; ) {
    const page = await service.api.get(path);
    expect(page.status).toBe(200);
    found.push(...page.json);
    path = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
  }
  return found;
}

describe.each(["folder"])("400 files with odd names, from an archive in a %s", testOddNames);
describe.each(["S3"])("400 files with odd names, from an archive in %s", { tags: "extended" }, testOddNames);

function testOddNames(kind: string): void {
  let service: TestService;
  let dataset: string;
  let files: File[];
  const url = (rest: string) => `${service.url}/dataset/${dataset}${rest}`;

  beforeAll(async () => {
    service = kind === "S3" ? await serviceOnS3() : folderService;
    dataset = await archived(service, "odd");
    files = await listFiles(service, dataset);
  });

  test("are listed in pages, as CSV, and below a prefix", async () => {
    expect(files).toHaveLength(405);
    expect(new Set(files.map(({ path }) => path)).size).toBe(405);
    expect(files.slice(0, 6).map(({ path }) => path)).toEqual([
      "metadata/datacite.json",
      "metadata/datacite.xml",
      "metadata/source-manifest.jsonl",
      "metadata/submission.json",
      "ro-crate-metadata.json",
      expect.stringMatching(/^data\//),
    ]);
    const csv = await service.api.get(`/dataset/${dataset}/files`, { accept: "text/csv" });
    expect(csv.text.match(/,[0-9a-f]{128},/g)).toHaveLength(405);
    expect(csv.headers.get("vary")).toBe("Origin, Accept");
    const json = await service.api.get(`/dataset/${dataset}/files?limit=1`, {
      accept: "application/json, text/csv;q=0",
    });
    expect(json.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const below = files.filter(({ path }) => path.startsWith("data/plots/3/"));
    expect(below.length).toBeGreaterThan(40);
    expect(await listFiles(service, dataset, "&prefix=data/plots/3/")).toEqual(below);
    expect(await listFiles(service, dataset, "&prefix=meta&version=1")).toEqual(files.slice(0, 4));
    expect((await service.api.get(`/dataset/${dataset}/files?version=2`)).status).toBe(404);
  });

  test("are fetched individually under any name, and match their digests", async () => {
    const wanted = files.filter(({ path }) => !path.startsWith("data/plots/"));
    expect(wanted.length).toBeGreaterThan(50);
    for (const { path, bytes, sha512 } of wanted) {
      const response = await fetch(url(`/files/${encode(path)}`));
      const body = Buffer.from(await response.arrayBuffer());
      expect([path, response.status, body.length]).toEqual([path, 200, bytes]);
      expect(createHash("sha512").update(body).digest("hex"), path).toBe(sha512);
      expect(response.headers.get("repr-digest")).toBe(`sha-512=:${Buffer.from(sha512, "hex").toString("base64")}:`);
      expect(response.headers.get("content-disposition")).toMatch(/^attachment/);
      expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("are a bag that another implementation accepts as valid", { tags: "extended" }, async () => {
    const bytes = await fetchBytes(url("/export/bagit"));
    const bag = withoutBagFolder(await readZip(bytes), dataset);
    expect(bagErrors(bag)).toEqual([]);
    expect([...bag.keys()].filter((name) => /^data\/.*[^/]$/s.test(name))).toHaveLength(400);
    expect(bag.has("data/=keys/..=5C..=5Cclimb=")).toBe(true);
    // The validator detects errors.
    bag.set("data/large.bin", Buffer.from("x"));
    bag.delete("data/line\nfeed");
    expect(bagErrors(bag).length).toBeGreaterThanOrEqual(5);
  });

  test("are a valid RO-Crate", { tags: "extended" }, async () => {
    const bytes = await fetchBytes(url("/export/ro-crate"));
    const crate = await readZip(bytes);
    expect(namesOfFiles(crate).sort()).toEqual(
      files.map(({ path }) => (path === `data/${climbing}` ? path.replaceAll("\\", "%5C") : path)).sort(),
    );
    expect(crateErrors(crate)).toEqual([]);
    crate.delete("data/plots/3/plot-395.csv");
    crate.delete("data/a b");
    expect(crateErrors(crate).length).toBeGreaterThanOrEqual(2);
  });

  describe("are a bagit", () => testZip("bagit", 421));
  describe("are a ro-crate", { tags: "extended" }, () => testZip("ro-crate", 415));

  function testZip(format: string, entries: number): void {
    let file: string;
    beforeAll(async () => {
      file = join(folder, `${kind}-${format}.zip`);
      await writeFile(file, await fetchBytes(url(`/export/${format}`)));
    });

    // These programs write no files, so names that a file system cannot contain make no difference.
    test.skipIf(lacks("unzip"))(`that unzip reads ${skipNote("unzip")}`, async () => {
      await run("unzip", ["-tqq", file], { maxBuffer: 16 * MIB });
    });

    test.skipIf(lacks("python3"))(`that Python reads ${skipNote("python3")}`, async () => {
      const script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.namelist()))";
      expect((await run("python3", ["-c", script, file])).stdout.trim()).toBe(`None ${entries}`);
    });

    test.skipIf(lacks("Java"))(`that Java reads as a stream ${skipNote("Java")}`, { tags: "extended" }, async () => {
      const program = fileURLToPath(new URL("../support/archive/ReadZip.java", import.meta.url));
      const { stdout } = await run("sh", ["-c", 'exec java "$0" < "$1"', program, file]);
      expect(Number(stdout.split(" ")[0])).toBe(entries);
    });
  }

  test("are created as folders by the command line in both formats", { tags: "extended" }, async () => {
    const env = { ACCESSION_URL: service.url };
    for (const format of ["bagit", "ro-crate"]) {
      const target = join(folder, `${kind}-${format}`);
      const args = ["export", `urn:uuid:${dataset}`, "--format", format, "--output", target];
      const { code, stderr, lines } = await runCommand(args, folder, { env });
      expect([code, stderr]).toEqual([0, ""]);
      expect(lines[0]).toMatchObject({ output: target, files: format === "bagit" ? 411 : 405 });
      const found = await readFolder(target);
      if (format === "bagit") expect(bagErrors(found)).toEqual([]);
      expect(crateErrors(found)).toEqual([]);
    }
    const again = ["export", dataset, "--format", "bagit", "--output", join(folder, `${kind}-bagit`)];
    expect((await runCommand(again, folder, { env })).code).toBe(2);
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test.skipIf(lacks("bash"))(
    `are a bag that sha512sum verifies, as docs/datasets.md describes ${skipNote("bash")}`,
    { tags: "extended" },
    async () => {
      const page = await readFile(new URL("../../docs/datasets.md", import.meta.url), "utf8");
      const [, check = ""] = /## Check a bag[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
      const cwd = join(folder, `${kind}-bagit`);
      const checked = () => run("bash", ["-euo", "pipefail", "-c", check], { cwd });
      await checked();
      await writeFile(join(cwd, "data/line\nfeed"), "x");
      await expect(checked()).rejects.toMatchObject({ stdout: expect.stringMatching(/feed'?: FAILED/) });
    },
  );

  test("a folder of them is a ZIP", async () => {
    const response = await fetch(url("/files/data/plots/3"));
    expect(response.headers.get("content-type")).toBe("application/zip");
    expect(response.headers.get("content-disposition")).toBe("attachment; filename=3.zip");
    const zip = await readZip(Buffer.from(await response.arrayBuffer()));
    const below = files.filter(({ path }) => path.startsWith("data/plots/3/"));
    expect(namesOfFiles(zip)).toEqual(below.map(({ path }) => path));
    const same = await readZip(await fetchBytes(url("/files/data/plots/3/")));
    expect([...same.keys()]).toEqual([...zip.keys()]);
    for (const missing of ["data/plots/9", "data/plots/3/plot", "data/plots//3/", "nothing", "data/large.bin/"]) {
      expect([missing, (await fetch(url(`/files/${missing}`))).status]).toEqual([missing, 404]);
    }
  });

  describe("ranges", () => {
    let whole: Buffer;
    let etag: string;
    const large = () => url("/files/data/large.bin");
    beforeAll(async () => {
      whole = source.body("odd", "large.bin");
      etag = (await fetch(large(), { method: "HEAD" })).headers.get("etag") ?? "";
    });

    test.each([
      ["bytes=0-9", 0, 10],
      ["bytes=1048570-3145740", 1_048_570, 3_145_741],
      ["bytes=5242870-", 5_242_870, 5_242_881],
      ["bytes=-3", 5_242_878, 5_242_881],
      ["bytes=-99999999", 0, 5_242_881],
    ])("%s", async (range, from, to) => {
      const response = await fetch(large(), { headers: { range } });
      expect(response.status).toBe(206);
      expect(response.headers.get("content-range")).toBe(`bytes ${from}-${to - 1}/${whole.length}`);
      expect(response.headers.get("content-length")).toBe(String(to - from));
      const digest = createHash("sha512").update(whole).digest("base64");
      expect(response.headers.get("repr-digest")).toBe(`sha-512=:${digest}:`);
      expect(Buffer.from(await response.arrayBuffer()).equals(whole.subarray(from, to))).toBe(true);
    });

    test("several", async () => {
      const response = await fetch(large(), { headers: { range: "bytes=0-1,100-102,-4" } });
      expect(response.status).toBe(206);
      const boundary = /^multipart\/byteranges; boundary=(.+)$/.exec(response.headers.get("content-type") ?? "")?.[1];
      const body = Buffer.from(await response.arrayBuffer());
      expect(response.headers.get("content-length")).toBe(String(body.length));
      const part = (from: number, to: number) =>
        `\r\n--${boundary}\r\nContent-Type: binary/octet-stream\r\nContent-Range: bytes ${from}-${to - 1}/${whole.length}\r\n\r\n${whole.toString("latin1", from, to)}`;
      const size = whole.length;
      expect(body.toString("latin1")).toBe(
        `${part(0, 2)}${part(100, 103)}${part(size - 4, size)}\r\n--${boundary}--\r\n`,
      );
    });

    test("that the file does not have", async () => {
      const answer = await service.api.get(`/dataset/${dataset}/files/data/large.bin`, { range: "bytes=99999999-" });
      expect([answer.status, answer.json.code]).toEqual([416, "range_not_satisfiable"]);
      expect(answer.headers.get("content-range")).toBe(`bytes */${whole.length}`);
    });

    test("depend on preconditions", async () => {
      const status = async (headers: Record<string, string>) => {
        const response = await fetch(large(), { headers });
        await response.body?.cancel();
        return response.status;
      };
      const range = "bytes=0-9";
      expect(await status({ range, "if-range": etag })).toBe(206);
      expect(await status({ range, "if-range": '"another"' })).toBe(200);
      expect(await status({ range, "if-range": `W/${etag}` })).toBe(200);
      expect(await status({ range, "if-range": new Date().toUTCString() })).toBe(200);
      expect(await status({ "if-none-match": etag })).toBe(304);
      expect(await status({ "if-none-match": `"x", W/${etag}` })).toBe(304);
      expect(await status({ "if-none-match": "*" })).toBe(304);
      expect(await status({ "if-none-match": '"x"' })).toBe(200);
      expect(await status({ "if-match": '"x"' })).toBe(412);
      expect(await status({ "if-match": `W/${etag}` })).toBe(412);
      expect(await status({ "if-match": `"x", ${etag}` })).toBe(200);
      expect(await status({ range: "lines=0-9" })).toBe(200);
    });

    test("are ignored for HEAD", async () => {
      const response = await fetch(large(), { method: "HEAD", headers: { range: "bytes=0-9" } });
      expect([response.status, response.headers.get("content-length")]).toEqual([200, String(whole.length)]);
      expect(response.headers.get("accept-ranges")).toBe("bytes");
      const zip = await fetch(url("/export/bagit"), { method: "HEAD" });
      expect([zip.status, zip.headers.get("content-type")]).toEqual([200, "application/zip"]);
    });
  });
}

test("a range of an object in S3 requests only that range", { tags: "extended" }, async () => {
  const service = await serviceOnS3();
  const dataset = await archived(service, "damaged");
  const path = `${service.url}/dataset/${dataset}/files/data/large.bin`;
  // The first request also reads the inventory.
  await fetchBytes(path, { range: "bytes=0-0" });
  // An interrupted download of an earlier test may still be reading.
  await settled(() => archive.history.length);
  const since = archive.history.length;
  const body = await fetchBytes(path, { range: "bytes=4194304-4194313" });
  expect(body.equals(source.body("damaged", "large.bin").subarray(4_194_304, 4_194_314))).toBe(true);
  const asked = archive.history.slice(since).filter(({ operation }) => operation === "get");
  expect(asked.map((one) => one.headers.range)).toEqual(["bytes=4194304-4194313"]);
});

/** Resolves when a number has not changed for a second. */
async function settled(look: () => number): Promise<void> {
  for (let before = -1; look() !== before; await sleep(1_000)) before = look();
}

describe("names that a file system cannot hold", { tags: "extended" }, () => {
  test("are in the ZIP, and the command reports which one it could not create in a folder", async () => {
    const service = folderService;
    const dataset = await archived(service, "long");
    const bytes = await fetchBytes(`${service.url}/dataset/${dataset}/export/bagit`);
    expect(bagErrors(withoutBagFolder(await readZip(bytes), dataset))).toEqual([]);
    const target = join(folder, "long");
    const args = ["export", dataset, "--format", "bagit", "--output", target];
    const { code, stderr } = await runCommand(args, folder, { env: { ACCESSION_URL: service.url } });
    expect(code).toBe(1);
    expect(stderr).toMatch(/the name is too long for the file system.*\.zip/);
    expect(readdirSync(folder)).not.toContain("long");
  });
});

describe("a bag of a bucket with folder markers", () => {
  let bag: Files;
  let dataset: string;
  beforeAll(async () => {
    const service = folderService;
    dataset = await archived(service, "markers");
    bag = withoutBagFolder(await readZip(await fetchBytes(`${service.url}/dataset/${dataset}/export/bagit`)), dataset);
  });

  test("is valid under RFC 8493 and for bagit.py, which does not decode percent signs", () => {
    expect(bagErrors(bag)).toEqual([]);
    expect(bagitPyErrors(bag)).toEqual([]);
    const contents = [...bag].filter(([name]) => /^data\/.*[^/]$/.test(name)).map(([, content]) => String(content));
    expect(contents.sort()).toEqual(Object.values(markers).sort());
  });

  test("names each object by a reversible rule", () => {
    const names = [...bag].flatMap(([name, content]) => (/^data\/.*[^/]$/.test(name) ? [[name, String(content)]] : []));
    const keyOf = (name: string) => {
      const rest = name.slice("data/".length);
      if (!rest.startsWith("=keys/")) return rest;
      return rest
        .slice("=keys/".length, -1)
        .split("/")
        .map((part) => (part === "=2F" ? "" : decodeURIComponent(part.replaceAll("=", "%"))))
        .join("/");
    };
    expect(Object.fromEntries(names.map(([name = "", content]) => [keyOf(name), content]))).toEqual(markers);
    expect(String(bag.get("data/=keys/run/="))).toBe("");
    expect(String(bag.get("data/=keys/=3Dkeys/run/=3D="))).toBe(markers["=keys/run/="]);
  });

  test("is a crate that describes its content", () => {
    expect(crateErrors(bag)).toEqual([]);
  });
});

const hasBagit = spawnSync("python3", ["-c", "import bagit"]).status === 0;

test.skipIf(!hasBagit).each(["few", "markers"])(
  "a bag of %s is valid for bagit.py (needs bagit.py: pip install bagit)",
  async (bucket) => {
    const service = folderService;
    const target = join(folder, `bag-of-${bucket}`);
    const args = ["export", await archived(service, bucket), "--format", "bagit", "--output", target];
    expect((await runCommand(args, folder, { env: { ACCESSION_URL: service.url } })).code).toBe(0);
    await run("python3", ["-m", "bagit", "--validate", target]);
  },
);

describe("a damaged file", () => {
  let service: TestService;
  let dataset: string;
  let flip: (path: string) => Promise<void>;
  let remove: (path: string) => Promise<void>;

  beforeAll(async () => {
    service = folderService;
    dataset = await archived(service, "damaged");
    const { files } = await findPackage(service.archive, dataset);
    const fileOf = (path: string) => files.get(path)?.file ?? "";
    flip = async (path) => {
      const file = await open(fileOf(path), "r+");
      const { size } = await file.stat();
      const byte = Buffer.alloc(1);
      await file.read(byte, 0, 1, size - 1);
      byte[0] = (byte[0] ?? 0) ^ 1;
      await file.write(byte, 0, 1, size - 1);
      await file.close();
    };
    remove = (path) => unlink(fileOf(path));
  });

  test("is never delivered completely, alone or in a package", async () => {
    const get = (rest: string) => service.api.get(`/dataset/${dataset}${rest}`);
    expect((await get("/files/data/plots/1.csv")).status).toBe(200);
    await flip("data/plots/1.csv");
    const small = await get("/files/data/plots/1.csv");
    expect([small.status, small.json.code]).toEqual([500, "content_damaged"]);
    for (const name of ["repr-digest", "etag", "content-disposition"]) expect(small.headers.get(name)).toBeNull();
    await expect(get("/files/data/plots/")).resolves.toMatchObject({ status: 500 });
    await expect(get("/export/bagit")).rejects.toThrow();
    const { code, stderr } = await runCommand(
      ["export", dataset, "--format", "ro-crate", "--output", join(folder, "damaged.zip")],
      folder,
      { env: { ACCESSION_URL: service.url } },
    );
    expect([code, readdirSync(folder).filter((name) => name.startsWith("damaged"))]).toEqual([1, []]);
    expect(stderr).toContain("No file was written");

    await flip("data/large.bin");
    await expect(get("/files/data/large.bin")).rejects.toThrow();
    expect((await service.api.get(`/dataset/${dataset}/files/data/large.bin`, { range: "bytes=0-9" })).status).toBe(
      206,
    );
    await remove("data/a b");
    expect((await get("/files/data/a%20b")).json).toMatchObject({ code: "content_damaged" });
    await flip("metadata/datacite.xml");
    expect((await get("/files/metadata/datacite.xml")).json).toMatchObject({ code: "content_damaged" });
  });
});

test("a dataset whose inventory is missing is still described, without its files", async () => {
  const service = folderService;
  const dataset = await submitted(service, "few");
  const { folder: object } = await findPackage(service.archive, dataset);
  await unlink(join(object, "v1/inventory.json"));
  const { status, headers } = await service.api.get(`/dataset/${dataset}`);
  expect([status, headers.get("link")?.includes('rel="linkset"')]).toEqual([200, true]);
  expect((await service.api.get(`/dataset/${dataset}/files`)).json.code).toBe("content_damaged");
  expect((await service.api.get(`/dataset/${dataset}/files/data/a%20b.txt`)).text).toBe("a");
});

describe("callers that disconnect or are slow", () => {
  /** Open files of this process below a folder, and spools. */
  const openFiles = (below: string) =>
    readdirSync("/proc/self/fd").flatMap((fd) => {
      try {
        const path = readlinkSync(`/proc/self/fd/${fd}`);
        return path.includes("/ocfl/") || /\/export-[0-9a-f-]+ \(deleted\)$/.test(path)
          ? [path.slice(below.length)]
          : [];
      } catch {
        return [];
      }
    });

  test.runIf(process.platform === "linux")("leave no open files, and use no memory", { tags: "extended" }, async () => {
    const service = folderService;
    const dataset = await archived(service, "huge");
    const { hostname, port, host } = new URL(service.url);
    // Threads that start use memory, too.
    for (let n = 0; n < 4; n++) await fetchBytes(`${service.url}/dataset/${dataset}/files/data/small`);
    const before = process.memoryUsage().rss;
    const sockets = [];
    for (const path of ["export/bagit", "export/ro-crate", "files/data/huge.bin"]) {
      const socket = connect(Number(port), hostname);
      // It reads the head and then nothing more.
      socket.write(`GET /dataset/${dataset}/${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      socket.once("data", () => socket.pause());
      sockets.push(socket);
    }
    await expect.poll(() => openFiles(service.archive).length).toBeGreaterThanOrEqual(6);
    await sleep(1_500);
    expect((process.memoryUsage().rss - before) / MIB).toBeLessThan(150);
    // The service still serves other callers.
    expect((await service.api.get(`/dataset/${dataset}`)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => openFiles(service.archive)).toEqual([]);
  });
});

describe("the description of a dataset", () => {
  let service: TestService;
  let dataset: string;
  const get = (rest: string, accept?: string) =>
    service.api.get(`/dataset/${dataset}${rest}`, accept === undefined ? {} : { accept });

  beforeAll(async () => {
    service = folderService;
    dataset = await archived(service, "few");
  });

  test("is negotiated, and JSON for unknown types", async () => {
    const cases: [accept: string, type: string][] = [
      ["application/json", "application/json; charset=utf-8"],
      ["*/*", "application/json; charset=utf-8"],
      ["text/turtle", "application/json; charset=utf-8"],
      ["application/json, text/plain, */*", "application/json; charset=utf-8"],
      ["text/html;q=0.5, application/json", "application/json; charset=utf-8"],
      ["application/xml, text/html;q=0.9", "application/xml; charset=utf-8"],
      ["application/ld+json", 'application/ld+json; profile="https://schema.org"'],
      [
        'application/ld+json;profile="http://www.w3.org/ns/dcat#"',
        'application/ld+json; profile="http://www.w3.org/ns/dcat#"',
      ],
      ["application/vnd.datacite.datacite+xml", "application/vnd.datacite.datacite+xml; charset=utf-8"],
      ["application/vnd.citationstyles.csl+json", "application/vnd.citationstyles.csl+json"],
      ["application/x-bibtex, application/json;q=0.5", "application/x-bibtex; charset=utf-8"],
      ["application/x-bibtex;q=0.4, application/json;q=0.5", "application/json; charset=utf-8"],
    ];
    for (const [accept, type] of cases) {
      const { status, headers } = await get("", accept);
      expect([accept, status, headers.get("content-type")]).toEqual([accept, 200, type]);
      expect(headers.get("vary")).toBe("Origin, Accept");
    }
  });

  test("is exported in each format, identical to the negotiated one", async () => {
    expect((await get("/export/bibtex")).text).toBe((await get("", "application/x-bibtex")).text);
    for (const [format, mediaType] of [
      ["datacite-json", "application/vnd.datacite.datacite+json"],
      ["datacite-xml", "application/vnd.datacite.datacite+xml"],
    ] as const) {
      const { text, headers } = await get(`/export/${format}`);
      expect(text).toBe((await get("", mediaType)).text);
      expect(headers.get("content-disposition")).toBe(`attachment; filename=${dataset}-v1.${format.replace("-", ".")}`);
    }
    const unknown = await get("/export/docx");
    expect([unknown.status, unknown.json.code]).toEqual([422, "invalid_request"]);
  });

  test("is exported as archived, with the service's URL, which archived metadata contain only if it is public", async () => {
    const { files } = await findPackage(service.archive, dataset);
    const { alternateIdentifiers, relatedIdentifiers, ...exported } = (await get("/export/datacite-json")).json;
    const archivedRecord = JSON.parse(await readFile(files.get("metadata/datacite.json")?.file ?? "", "utf8"));
    expect(archivedRecord).toEqual({ ...exported, alternateIdentifiers: [], relatedIdentifiers: [] });
    const address = `${service.url}/dataset/${dataset}`;
    expect(alternateIdentifiers).toEqual([
      { alternateIdentifier: `${address}?version=1`, alternateIdentifierType: "URL" },
    ]);
    expect(relatedIdentifiers).toMatchObject([{ relatedIdentifier: address, relationType: "IsVersionOf" }]);
    for (const path of ["metadata/datacite.xml", "ro-crate-metadata.json"]) {
      expect(await readFile(files.get(path)?.file ?? "", "utf8"), path).not.toContain(service.url);
    }
  });

  test("is available through links for machines, and through a linkset if they are too long for a header", async () => {
    const { headers } = await get("");
    const self = `${service.url}/dataset/${dataset}`;
    const links = (headers.get("link") ?? "").split(/, (?=<)/);
    expect(links).toContain(`<${self}?version=1>; rel="cite-as"`);
    expect(links).toContain('<https://schema.org/Dataset>; rel="type"');
    expect(links).toContain('<https://orcid.org/0000-0002-1825-0097>; rel="author"');
    expect(links).toContain('<https://creativecommons.org/licenses/by/4.0/legalcode>; rel="license"');
    expect(links).toContain(`<${self}/files/data/a%20b.txt?version=1>; rel="item"; type="text/plain"`);
    expect(links).toContain(`<${self}/export/bibtex>; rel="describedby"; type="application/x-bibtex"`);
    expect(links.filter((link) => link.includes('rel="item"'))).toHaveLength(6);
    expect(links.filter((link) => link.includes('rel="linkset"'))).toHaveLength(2);

    dataset = await archived(service, "odd");
    const many = (await get("")).headers.get("link") ?? "";
    expect(many.length).toBeLessThan(4_000);
    expect(many).toContain('/linkset>; rel="linkset"; type="application/linkset+json"');
    expect(many).not.toContain('rel="item"');
    const { json, headers: of } = await get("/linkset");
    expect(of.get("content-type")).toBe("application/linkset+json");
    const [set] = json.linkset;
    expect(set.anchor).toBe(`${service.url}/dataset/${dataset}`);
    expect(set.item).toHaveLength(405);
    expect(set["cite-as"]).toEqual([{ href: `${set.anchor}?version=1` }]);
    expect(set.author).toHaveLength(1);
  });

  test("contains no postal address", async () => {
    const [author] = goodMetadata.authors;
    const address = { address: "Secret Street 1", zipCode: "Z-98765", city: "Hiddenville", country: "DE" };
    const { id } = await service.api.submit(
      { endpoint: source.endpoint, bucket: "few", ...keys },
      { metadata: { ...goodMetadata, authors: [{ ...author, ...address }] } },
    );
    dataset = (await service.api.until(id, ["completed"])).dataset?.id ?? "";
    const texts = [await get(""), await get("/linkset")].map(({ text }) => text);
    const formats = "schema-org datacite-json datacite-xml dublin-core dcat csl bibtex ris".split(" ");
    for (const format of formats) texts.push((await get(`/export/${format}`)).text);
    for (const name of ["bagit", "ro-crate"]) {
      texts.push((await fetchBytes(`${service.url}/dataset/${dataset}/export/${name}`)).toString("latin1"));
    }
    for (const text of texts) {
      expect(text).not.toMatch(/Secret Street|Z-98765|Hiddenville/);
    }
  });
});

describe("the command line", () => {
  test("fetches a receipt, shows a dataset, and fetches its files", async () => {
    const service = folderService;
    const { id } = await service.api.submit({ endpoint: source.endpoint, bucket: "few", ...keys });
    const dataset = (await service.api.until(id, ["completed"])).dataset?.id ?? "";
    const env = { ACCESSION_URL: service.url };
    const accession = (...args: string[]) => runCommand(args, folder, { env });
    const receipt = join(folder, "receipt.jws");
    expect((await accession("receipt", "get", id, "--output", receipt)).code).toBe(0);
    const verified = await accession("receipt", "verify", receipt, "--archive", service.archive);
    expect([verified.code, verified.lines[0].signer]).toEqual([0, "established"]);

    const shown = await accession("dataset", "show", `urn:uuid:${dataset}`);
    expect(shown.lines[0]).toMatchObject({ id: dataset, versions: [{ version: 1, objects: 1 }] });
    const listed = await accession("dataset", "show", dataset, "--files");
    expect(listed.lines.map(({ path }) => path)).toContain("data/a b.txt");

    const file = join(folder, "a b.txt");
    expect((await accession("dataset", "get", dataset, "data/a b.txt", "--output", file)).code).toBe(0);
    expect(await readFile(file, "utf8")).toBe("a");
    const missing = await accession("dataset", "get", dataset, "data/none", "--output", join(folder, "none"));
    expect([missing.code, readdirSync(folder).includes("none")]).toEqual([1, false]);
    const csl = join(folder, "csl.json");
    expect((await accession("export", dataset, "--format", "csl", "--output", csl)).code).toBe(0);
    expect(JSON.parse(await readFile(csl, "utf8"))).toMatchObject({ type: "dataset", title: goodMetadata.title });
  });
});
